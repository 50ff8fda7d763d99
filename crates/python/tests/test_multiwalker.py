"""Batches of Multiwalker: equal to PettingZoo's environments on the stand-in, for any number of threads and in all modes of resets."""

import os

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import cairn2d
import cairn2d.compat
from cairn2d.pettingzoo import MultiwalkerBatch, MultiwalkerEnv

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
cairn2d.compat.install()
multiwalker_v9 = pytest.importorskip("pettingzoo.sisl.multiwalker_v9")

CASES = {
    "as it is": {},
    "own rewards, five walkers": {"n_walkers": 5, "shared_reward": False, "position_noise": 1.0, "angle_noise": 2.0},
    "falls end one agent": {"terminate_on_fall": False, "fall_reward": -3.0, "terrain_length": 60},
    "fallen walkers stay": {"terminate_on_fall": False, "remove_on_fall": False, "max_cycles": 90, "n_walkers": 2},
}


class Singles:
    """PettingZoo's environments, one by one; an environment whose agents have all ended starts anew in the next step."""

    def __init__(self, count, options):
        self.envs = [multiwalker_v9.parallel_env(**options) for _ in range(count)]

    def reset(self, seed):
        return [env.reset(seed=seed + i)[0] for i, env in enumerate(self.envs)]

    def step(self, actions):
        results = []
        for i, env in enumerate(self.envs):
            if env.agents:
                results.append(env.step({agent: actions[agent][i] for agent in env.agents}))
            else:
                observations = env.reset()[0]
                zeros = dict.fromkeys(observations, 0.0)
                results.append((observations, zeros, zeros, zeros, {}))
        return results


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_batch_equals_environments_of_pettingzoo(options):
    count = 3
    batch, singles = MultiwalkerBatch(count, threads=2, **options), Singles(count, options)
    ours, _ = batch.reset(seed=7)
    theirs = singles.reset(7)
    for agent in batch.agents:
        np.testing.assert_array_equal(ours[agent], [row[agent] for row in theirs])
    rng, ends, single_ends = np.random.default_rng(5), 0, 0
    for _ in range(260):
        actions = {agent: rng.uniform(-1.2, 1.2, (count, 4)).astype(np.float32) for agent in batch.agents}
        observations, rewards, terminations, truncations, infos = batch.step(actions)
        for i, (seen, got, ended, _, _) in enumerate(singles.step(actions)):
            alive = [agent for agent in batch.agents if infos[agent]["alive"][i]]
            assert alive == list(seen)
            for agent in alive:
                np.testing.assert_array_equal(observations[agent][i], seen[agent])
                assert (rewards[agent][i], terminations[agent][i]) == (got[agent], ended[agent])
                assert not truncations[agent][i]
            ends += all(ended.values()) and any(ended.values())
            single_ends += any(ended.values()) and not all(ended.values())
    assert ends > 0
    # With one agent less, the episode goes on if it may.
    assert (single_ends > 0) == (not options.get("terminate_on_fall", True))


def run(threads, mode, steps=150):
    """Observations of each step of a batch by random actions, and those at the ends of episodes."""
    envs, rng, seen, last = MultiwalkerBatch(4, threads=threads, autoreset_mode=mode), np.random.default_rng(2), [], []
    seen.append(np.stack(list(envs.reset(seed=3)[0].values())))
    for _ in range(steps):
        actions = {agent: rng.uniform(-1, 1, (4, 4)) for agent in envs.agents}
        observations, _, ends, _, infos = envs.step(actions)
        seen.append(np.stack(list(observations.values())))
        done = np.logical_and.reduce(list(ends.values()))
        if "final_obs" in infos["walker_0"]:
            assert (infos["walker_0"]["_final_obs"] == done).all()
            last += [infos["walker_2"]["final_obs"][i] for i in np.flatnonzero(done)]
        if mode == AutoresetMode.DISABLED and done.any():
            envs.reset(options={"reset_mask": done})
    return seen, last


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_numbers_do_not_depend_on_threads(mode):
    (one, last), (many, _) = run(1, mode), run(3, mode)
    np.testing.assert_array_equal(one, many)
    assert (len(last) > 0) == (mode == AutoresetMode.SAME_STEP)


def test_environment_has_the_parallel_api_and_equals_that_of_pettingzoo():
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    options = {"terminate_on_fall": False, "max_cycles": 120}
    parallel_api_test(MultiwalkerEnv(**options), num_cycles=300)
    parallel_seed_test(lambda: MultiwalkerEnv(**options), num_cycles=60)
    ours, theirs, rng = MultiwalkerEnv(**options), multiwalker_v9.parallel_env(**options), np.random.default_rng(1)
    assert ours.possible_agents == theirs.possible_agents
    for agent in ours.possible_agents:
        assert ours.observation_space(agent) == theirs.observation_space(agent)
        assert ours.action_space(agent) == theirs.action_space(agent)
    ours.reset(seed=9), theirs.reset(seed=9)
    while theirs.agents:
        assert ours.agents == theirs.agents
        actions = {agent: rng.uniform(-1, 1, 4).astype(np.float32) for agent in theirs.agents}
        mine, other = ours.step(actions), theirs.step(actions)
        for agent, observation in other[0].items():
            np.testing.assert_array_equal(mine[0][agent], observation)
        assert mine[1:4] == tuple(map(dict, other[1:4]))
    assert not ours.agents


def test_batches_of_walkers_render_and_refuse_bad_arguments():
    envs = MultiwalkerBatch(2, render_mode="rgb_array")
    envs.reset(seed=1)
    pictures = envs.render()
    assert len(pictures) == 2 and pictures[0].shape == (400, 600, 3) and len(np.unique(pictures[0].reshape(-1, 3), axis=0)) > 2
    for wrong in ({"n_walkers": 0}, {"terrain_length": 0}, {"fall_reward": np.nan}, {"num_envs": 0}, {"threads": 0}, {"substeps": 0}):
        with pytest.raises(cairn2d.InvalidValue):
            MultiwalkerBatch(**wrong)
    with pytest.raises(ValueError, match="render_mode"):
        MultiwalkerBatch(render_mode="human")
    with pytest.raises(ValueError, match="shape"):
        envs.step({agent: np.zeros((3, 4)) for agent in envs.agents})
    with pytest.raises(KeyError):
        envs.step({"walker_0": np.zeros((2, 4))})
    with pytest.raises(cairn2d.InvalidValue):
        envs.step({agent: np.full((2, 4), np.nan) for agent in envs.agents})
    with pytest.raises(cairn2d.InvalidValue, match="reset"):
        MultiwalkerBatch(1).step({agent: np.zeros((1, 4)) for agent in envs.agents})
