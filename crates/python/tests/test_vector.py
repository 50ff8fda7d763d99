"""Batches: equal to single environments on the same engine, in all modes of resets, for any number of threads."""

import os

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import cairn2d
import cairn2d.compat
from cairn2d import vector

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
cairn2d.compat.install()
import gymnasium as gym  # noqa: E402
from gymnasium.envs.box2d import bipedal_walker, car_racing  # noqa: E402

MODES = list(AutoresetMode)
CASES = {
    "CartPole-v1": (vector.CartPoleVectorEnv, {}),
    "LunarLander-v3": (vector.LunarLanderVectorEnv, {}),
    "LunarLander-v3 continuous, wind": (vector.LunarLanderVectorEnv, {"continuous": True, "enable_wind": True}),
    "BipedalWalker-v3": (vector.BipedalWalkerVectorEnv, {}),
    "BipedalWalker-v3 hardcore": (vector.BipedalWalkerVectorEnv, {"hardcore": True}),
}

RACES = {
    "CarRacing-v3": (vector.CarRacingVectorEnv, {}),
    "CarRacing-v3 discrete, random colors": (vector.CarRacingVectorEnv, {"continuous": False, "domain_randomize": True}),
}


def singles(name, options, count, mode):
    """The same environments one by one, from the files of Gymnasium."""
    limit = {"CartPole-v1": 500, "LunarLander-v3": 1000, "CarRacing-v3": 1000, "BipedalWalker-v3": 2000 if "hardcore" in name else 1600}
    ident = name.split(" ")[0]

    def make():
        return gym.make(ident, max_episode_steps=limit[ident], **options)

    return SyncVectorEnv([make] * count, autoreset_mode=mode)


@pytest.mark.parametrize("name", ["LunarLander-v3", "BipedalWalker-v3"])
def test_settings_of_the_solver_are_those_of_the_stand_in(name):
    make, _ = CASES[name]
    settings, defaults = {"substeps": 6, "solver_budget": 0}, dict(cairn2d.compat.Box2D.b2World.defaults)
    batches = [make(num_envs=2, **fields) for fields in (settings, {"substeps": 3, "solver_budget": 20_000})]
    try:
        cairn2d.compat.install(**settings)
        sync = singles(name, {}, 2, AutoresetMode.NEXT_STEP)
        seen = [envs.reset(seed=3)[0] for envs in (sync, *batches)]
        for step in range(100):
            batches[0].action_space.seed(step)
            actions = batches[0].action_space.sample()
            seen = [envs.step(actions)[0] for envs in (sync, *batches)]
            np.testing.assert_array_equal(seen[0], seen[1])
        assert (seen[1] != seen[2]).any()
    finally:
        cairn2d.compat.Box2D.b2World.defaults.update(defaults)
        cairn2d.compat.install()


def masked_reset(envs, done):
    """Starts the episodes that have ended, in the mode without resets; returns the observations."""
    return envs.reset(options={"reset_mask": done})[0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CASES)
def test_batch_equals_single_environments(name, mode):
    make, options = CASES[name]
    count, steps = 3, 400 if "Bipedal" not in name else 160
    batch = make(num_envs=count, threads=2, autoreset_mode=mode, **options)
    sync = singles(name, options, count, mode)
    assert batch.single_observation_space == sync.single_observation_space
    assert batch.single_action_space == sync.single_action_space
    ours, _ = batch.reset(seed=11)
    theirs, _ = sync.reset(seed=11)
    rng, ends = np.random.default_rng(3), 0
    exact = name != "CartPole-v1"
    for _ in range(steps):
        check(ours, theirs, exact)
        if isinstance(batch.single_action_space, gym.spaces.Discrete):
            actions = rng.integers(batch.single_action_space.n, size=count)
        else:
            actions = rng.uniform(-1, 1, (count, batch.single_action_space.shape[0])).astype(np.float32)
        ours, *ours_rest, our_info = batch.step(actions)
        theirs, *their_rest, their_info = sync.step(actions)
        check(ours_rest[0], their_rest[0], exact)
        for mine, other in zip(ours_rest[1:], their_rest[1:]):
            assert (mine == other).all()
        done = ours_rest[1] | ours_rest[2]
        ends += done.sum()
        assert ("final_obs" in our_info) == (mode == AutoresetMode.SAME_STEP and bool(done.any()))
        if "final_obs" in our_info:
            assert (our_info["_final_obs"] == their_info["_final_obs"]).all()
            for i in np.flatnonzero(done):
                check(our_info["final_obs"][i], their_info["final_obs"][i], exact)
        if mode == AutoresetMode.DISABLED and done.any():
            ours, theirs = masked_reset(batch, done), masked_reset(sync, done)
    assert ends > 0, "no episode ended"


def check(ours, theirs, exact):
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    if exact:
        np.testing.assert_array_equal(ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)


def test_lidar_among_obstacles_equals_that_of_single_environments():
    count, rng = 12, np.random.default_rng(1)
    batch = vector.BipedalWalkerVectorEnv(num_envs=count, hardcore=True)
    sync = singles("BipedalWalker-v3 hardcore", {"hardcore": True}, count, AutoresetMode.NEXT_STEP)
    policies = [bipedal_walker.BipedalWalkerHeuristics() for _ in range(count)]
    ours, theirs, furthest = batch.reset(seed=3)[0], sync.reset(seed=3)[0], 0.0
    for step in range(500):
        rows = [rng.uniform(-1, 1, 4) if step < 5 else policy.step_heuristic(row) for policy, row in zip(policies, ours)]
        actions = np.array(rows, dtype=np.float32)
        (ours, rewards, done, *_), (theirs, their_rewards, *_) = batch.step(actions), sync.step(actions)
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(rewards, their_rewards)
        furthest = max(furthest, *(env.unwrapped.hull.position[0] for env in sync.envs))
        for at in np.flatnonzero(done):
            policies[at] = bipedal_walker.BipedalWalkerHeuristics()
    # Obstacles begin at 9.3 m.
    assert furthest > 12.0


@pytest.fixture
def blind(monkeypatch):
    """Leaves out the pictures of Gymnasium, which take most of the time of its races."""
    monkeypatch.setattr(car_racing.CarRacing, "_render", lambda self, mode: np.zeros((96, 96, 3), dtype=np.uint8))


def race_actions(envs, step):
    """Actions that steer to and fro, and brake at times; the last environment drives on and leaves the field."""
    rng, count = np.random.default_rng(step // 10), envs.num_envs
    if isinstance(envs.single_action_space, gym.spaces.Discrete):
        actions = rng.integers(5, size=count)
        actions[-1] = 3
        return actions
    steer, gas, brake = rng.uniform(-0.5, 0.5, count), rng.uniform(0, 1.2, count), rng.uniform(-8, 1, count)
    steer[-1], gas[-1], brake[-1] = 0.0, 0.2, 0.0
    return np.stack([steer, gas, brake], axis=1).astype(np.float32)


def check_infos(ours, theirs):
    """Compares infos, all but the observations in them."""
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        if isinstance(value, dict):
            check_infos(ours[key], value)
        elif key != "final_obs":
            np.testing.assert_array_equal(ours[key], value)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", RACES)
def test_races_equal_single_environments(name, mode, blind):
    make, options = RACES[name]
    batch, sync = make(num_envs=3, threads=2, autoreset_mode=mode, **options), singles(name, options, 3, mode)
    assert batch.single_observation_space == sync.single_observation_space
    assert batch.single_action_space == sync.single_action_space
    batch.reset(seed=11), sync.reset(seed=11)
    rewards, ends = 0.0, 0
    for step in range(400):
        worlds = [env.unwrapped.world._native for env in sync.envs]
        assert batch._batch.state_hashes() == [world.state_hash for world in worlds]
        actions = race_actions(batch, step)
        (_, *ours, our_info), (_, *theirs, their_info) = batch.step(actions), sync.step(actions)
        for mine, other in zip(ours, theirs):
            assert mine.dtype == other.dtype
            np.testing.assert_array_equal(mine, other)
        check_infos(our_info, their_info)
        done = ours[1] | ours[2]
        ends, rewards = ends + done.sum(), rewards + ours[0].clip(min=0.0).sum()
        if mode == AutoresetMode.DISABLED and done.any():
            masked_reset(batch, done), masked_reset(sync, done)
    assert ends > 0 and rewards > 100.0


def test_laps_are_finished_as_in_single_environments(blind):
    options = {"lap_complete_percent": 0.0}
    for mode in MODES:
        batch = vector.CarRacingVectorEnv(num_envs=2, autoreset_mode=mode, **options)
        sync = singles("CarRacing-v3", options, 2, mode)
        batch.reset(seed=1), sync.reset(seed=1)
        for _ in range(1 if mode == AutoresetMode.DISABLED else 3):
            ours, theirs = batch.step(np.zeros((2, 3))), sync.step(np.zeros((2, 3), dtype=np.float32))
            np.testing.assert_array_equal(ours[1:4], theirs[1:4])
            check_infos(ours[4], theirs[4])
    assert ours[4]["lap_finished"].all()


def check_pictures(ours, theirs):
    """Compares pictures with those of pygame: the scene, and the bar below it, whose digits are other ones."""
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    # Measured at most: 0.41, 1.4 % and 57 in the scene, 1.6, 3.3 % and 135 in the bar.
    for rows, mean, share, most in ((slice(0, 84), 0.45, 0.017, 70), (slice(84, 96), 1.9, 0.04, 160)):
        difference = np.abs(ours[:, rows].astype(int) - theirs[:, rows])
        assert (difference.mean(axis=(1, 2, 3)) < mean).all()
        assert ((difference.max(axis=-1) > 16).mean(axis=(1, 2)) < share).all()
        assert difference.max() < most


@pytest.mark.parametrize("name", RACES)
def test_pictures_agree_with_those_of_pygame(name):
    make, options = RACES[name]
    batch, sync = make(num_envs=3, **options), singles(name, options, 3, AutoresetMode.NEXT_STEP)
    ours, theirs = batch.reset(seed=5)[0], sync.reset(seed=5)[0]
    for step in range(70):
        if step % 10 == 0 or step < 3:
            check_pictures(ours, theirs)
        actions = race_actions(batch, step)
        with pytest.MonkeyPatch.context() as patch:
            if step % 10 < 9 and step > 2:
                patch.setattr(car_racing.CarRacing, "_render", lambda self, mode: theirs[0])
            (ours, *_), (theirs, *_) = batch.step(actions), sync.step(actions)
    ours, theirs = batch.reset(options={"randomize": False})[0], sync.reset(options={"randomize": False})[0]
    check_pictures(ours, theirs)


@pytest.mark.parametrize("name", CASES | RACES)
def test_results_do_not_depend_on_threads(name):
    make, options = (CASES | RACES)[name]
    digests = []
    for threads in (1, 2, 4):
        batch = make(num_envs=9, threads=threads, **options)
        seen = [batch.reset(seed=5)[0]]
        batch.action_space.seed(1)
        for _ in range(120):
            seen.append(batch.step(batch.action_space.sample())[0])
        digests.append(np.stack(seen).tobytes())
    assert digests[0] == digests[1] == digests[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forked_process_goes_on_without_the_helpers():
    envs = vector.BipedalWalkerVectorEnv(num_envs=16, threads=3)
    envs.reset(seed=4)
    actions = [np.random.default_rng(step).uniform(-1.0, 1.0, (16, 4)).astype(np.float32) for step in range(60)]
    for action in actions[:30]:
        envs.step(action)
    reader, writer = os.pipe()

    def last_observations():
        return [envs.step(action)[0] for action in actions[30:]][-1]

    child = os.fork()
    if child == 0:
        # The child is no process of pytest: it ends here, also after an error.
        try:
            os.write(writer, last_observations().tobytes())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        found = np.frombuffer(pipe.read(), np.float32)
    os.waitpid(child, 0)
    np.testing.assert_array_equal(found, last_observations().ravel())


def test_seeds_are_those_of_gymnasium():
    batch = vector.LunarLanderVectorEnv(num_envs=3)
    first, _ = batch.reset(seed=4)
    again, _ = batch.reset(seed=[4, None, 6])
    assert (first[[0, 2]] == again[[0, 2]]).all() and (first[1] != again[1]).any()
    assert (batch.reset()[0] != again).any()
    mask = np.array([True, False, False])
    third, _ = batch.reset(seed=9, options={"reset_mask": mask})
    np.testing.assert_array_equal(third[0], vector.LunarLanderVectorEnv(num_envs=1).reset(seed=9)[0][0])


def test_random_numbers_are_those_of_numpy():
    batch = vector.BipedalWalkerVectorEnv(num_envs=1, hardcore=True)
    batch.reset(seed=3)
    env = gym.make("BipedalWalker-v3", hardcore=True)
    env.reset(seed=3)
    state = env.unwrapped.np_random.bit_generator.state
    ((own, increment, half),) = batch._batch.generators()
    assert (own, increment) == (state["state"]["state"], state["state"]["inc"])
    assert half == (state["uinteger"] if state["has_uint32"] else None)


def test_random_tracks_and_colors_take_the_numbers_of_numpy(blind):
    batch, env = vector.CarRacingVectorEnv(domain_randomize=True), gym.make("CarRacing-v3", domain_randomize=True)
    batch.reset(seed=8), env.reset(seed=8)
    for keeps in (False, True, False):
        options = {"randomize": not keeps}
        batch.reset(options=options), env.reset(options=options)
        state = env.unwrapped.np_random.bit_generator.state
        ((own, increment, half),) = batch._batch.generators()
        assert (own, increment) == (state["state"]["state"], state["state"]["inc"])
        assert half == (state["uinteger"] if state["has_uint32"] else None)


def test_time_limit_truncates():
    batch = vector.BipedalWalkerVectorEnv(num_envs=2, max_episode_steps=5)
    batch.reset(seed=0)
    for step in range(1, 7):
        _, rewards, terminations, truncations, _ = batch.step(np.zeros((2, 4)))
        assert not terminations.any() and truncations.all() == (step == 5)
    assert not rewards.any()


def test_gymnasium_makes_the_batches():
    vector.register()
    vector.register()
    for name, shape in (("LunarLander-v3", (8,)), ("CarRacing-v3", (96, 96, 3))):
        envs = gym.make_vec(f"cairn2d/{name}", num_envs=5, threads=2)
        assert envs.reset(seed=1)[0].shape == (5, *shape)
        assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
        envs.close()


def races(**options):
    envs = vector.CarRacingVectorEnv(num_envs=2, **options)
    envs.reset(seed=1)
    return envs


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda e: e.step(np.array([0, 1])), cairn2d.InvalidValue),
        (lambda e: e.step(np.array([0, 1, 4])), cairn2d.InvalidValue),
        (lambda e: e.step(np.array([0, 1, -1])), cairn2d.InvalidValue),
        (lambda e: e.step(np.array([0, np.nan, 1])), cairn2d.InvalidValue),
        (lambda e: e.step(np.zeros((3, 2))), cairn2d.InvalidValue),
        (lambda e: e.step("left"), ValueError),
        (lambda e: e.reset(seed=[1]), ValueError),
        (lambda e: e.reset(seed="x"), (TypeError, ValueError, gym.error.Error)),
        (lambda e: e.reset(options={"reset_mask": np.zeros(3, dtype=bool)}), ValueError),
        (lambda e: e.reset(options={"reset_mask": [True]}), TypeError),
        (lambda e: vector.LunarLanderVectorEnv(num_envs=0), ValueError),
        (lambda e: vector.LunarLanderVectorEnv(num_envs=1, threads=0), ValueError),
        (lambda e: vector.LunarLanderVectorEnv(num_envs=1, substeps=0), ValueError),
        (lambda e: vector.BipedalWalkerVectorEnv(num_envs=1, substeps=65), ValueError),
        (lambda e: vector.LunarLanderVectorEnv(num_envs=1, gravity=3.0), ValueError),
        (lambda e: vector.LunarLanderVectorEnv(num_envs=1, wind_power=float("nan")), cairn2d.InvalidValue),
        (lambda e: vector.LunarLanderVectorEnv(num_envs=1).step([0]), cairn2d.InvalidValue),
        (lambda e: vector.CarRacingVectorEnv(num_envs=0), ValueError),
        (lambda e: vector.CarRacingVectorEnv(substeps=0), ValueError),
        (lambda e: vector.CarRacingVectorEnv(lap_complete_percent=float("nan")), cairn2d.InvalidValue),
        (lambda e: vector.CarRacingVectorEnv(lap_complete_percent="all"), TypeError),
        (lambda e: races().step(np.zeros((2, 2))), cairn2d.InvalidValue),
        (lambda e: races().step([[0, np.nan, 0], [0, 0, 0]]), cairn2d.InvalidValue),
        (lambda e: races(continuous=False).step([0, 5]), cairn2d.InvalidValue),
    ],
)
def test_bad_input_raises(call, error):
    envs = vector.LunarLanderVectorEnv(num_envs=3)
    envs.reset(seed=1)
    with pytest.raises(error):
        call(envs)
    envs.step(np.zeros(3))
