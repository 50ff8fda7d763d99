"""Batches for learners: pictures, the interface of stable-baselines3, and workers that are spawned."""

import abc
import importlib
import sys
import types

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import cairn2d.compat
import cairn2d.sb3
from cairn2d.vector import BipedalWalkerVectorEnv, CarRacingVectorEnv, CartPoleVectorEnv, LunarLanderVectorEnv

BATCHES = [CartPoleVectorEnv, LunarLanderVectorEnv, BipedalWalkerVectorEnv, CarRacingVectorEnv]


@pytest.mark.parametrize("batch", BATCHES)
def test_batches_render_pictures_that_move(batch):
    envs = batch(num_envs=2, render_mode="rgb_array")
    envs.reset(seed=1)
    before = envs.render()
    envs.action_space.seed(1)
    for _ in range(20):
        envs.step(envs.action_space.sample())
    after = envs.render()
    assert len(before) == len(after) == 2
    for one, other in zip(before, after):
        assert one.shape == other.shape == (400, 600, 3) and one.dtype == np.uint8
        assert len(np.unique(one.reshape(-1, 3), axis=0)) >= 3 and (one != other).any()


def test_render_mode_is_checked_and_off_by_default():
    assert CartPoleVectorEnv(num_envs=1).render() is None
    with pytest.raises(ValueError, match="render_mode"):
        CartPoleVectorEnv(num_envs=1, render_mode="human")


@pytest.fixture
def interface(monkeypatch):
    """The module `cairn2d.sb3` on the interface of stable-baselines3: its abstract methods, and what its constructor does."""

    class VecEnv(abc.ABC):
        def __init__(self, num_envs, observation_space, action_space):
            self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
            self.reset_infos = [{} for _ in range(num_envs)]
            self._seeds = [None for _ in range(num_envs)]
            self._options = [{} for _ in range(num_envs)]
            modes = self.get_attr("render_mode")
            assert all(mode == modes[0] for mode in modes)
            self.render_mode = modes[0]

        def step(self, actions):
            self.step_async(actions)
            return self.step_wait()

    for name in ("reset", "step_async", "step_wait", "close", "get_attr", "set_attr", "env_method", "env_is_wrapped"):
        setattr(VecEnv, name, abc.abstractmethod(lambda self, *args, **kwargs: None))
        VecEnv.__abstractmethods__ |= {name}
    try:
        from stable_baselines3.common.vec_env import VecEnv  # noqa: F811
    except ImportError:
        modules = ["stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"]
        for name in modules:
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        sys.modules[modules[-1]].VecEnv = VecEnv
    yield importlib.reload(cairn2d.sb3), VecEnv
    monkeypatch.undo()
    importlib.reload(cairn2d.sb3)


def test_batch_is_a_vec_env_of_stable_baselines3(interface):
    module, base = interface
    envs = module.BatchVecEnv(CartPoleVectorEnv(num_envs=3, max_episode_steps=30, autoreset_mode="SameStep"))
    assert isinstance(envs, base) and envs.num_envs == 3 and envs.action_space == gym.spaces.Discrete(2)
    assert envs.seed(5) == [5, 6, 7]
    observations = envs.reset()
    assert observations.shape == (3, 4)
    ended, cut = 0, 0
    for step in range(120):
        before = observations
        # Balanced by its angle, a pole stands for the 30 steps of some episodes.
        actions = (before[:, 2] + 0.3 * before[:, 3] > 0.0).astype(int) if step < 60 else np.ones(3, dtype=int)
        observations, rewards, dones, infos = envs.step(actions)
        assert rewards.dtype == np.float32 and dones.dtype == np.bool_ and len(infos) == 3
        for done, info, observation in zip(dones, infos, observations):
            assert ("terminal_observation" in info) == done
            if done:
                ended, cut = ended + 1, cut + info["TimeLimit.truncated"]
                assert (info["terminal_observation"] != observation).any()
    assert ended > cut > 0
    assert envs.get_attr("kind", [0, 2]) == ["cart_pole"] * 2 and envs.env_is_wrapped(gym.Wrapper) == [False] * 3
    with pytest.raises(AttributeError):
        envs.set_attr("gravity", 1.0)
    with pytest.raises(AttributeError):
        envs.env_method("reset")
    assert list(envs.get_images()) == [None] * 3
    envs.close()


def test_other_modes_of_reset_are_refused():
    with pytest.raises(ValueError, match="SAME_STEP"):
        cairn2d.sb3.BatchVecEnv(CartPoleVectorEnv(num_envs=1))


def test_spawned_workers_of_gymnasium_give_the_numbers_of_the_batch():
    """Without the stand-in in the workers these would use the original, and differ from the first step on."""
    cairn2d.compat.install()
    workers = gym.vector.AsyncVectorEnv([lambda: gym.make("LunarLander-v3")] * 2, context="spawn")
    batch = LunarLanderVectorEnv(num_envs=2)
    try:
        assert (workers.reset(seed=3)[0] == batch.reset(seed=3)[0]).all()
        for action in [0, 1, 2, 3] * 5:
            theirs, ours = workers.step(np.full(2, action)), batch.step(np.full(2, action))
            assert (theirs[0] == ours[0]).all() and (theirs[1] == ours[1]).all()
    finally:
        workers.close()


BOX2D_ENVIRONMENTS = ["BipedalWalker-v3", "BipedalWalkerHardcore-v3", "CarRacing-v3", "LunarLander-v3", "LunarLanderContinuous-v3"]


@pytest.mark.parametrize("name", BOX2D_ENVIRONMENTS)
def test_checker_of_gymnasium_accepts_environments_on_the_stand_in(name):
    """It resets one environment twice with a seed, so that its world is emptied and built again, and compares the observations."""
    cairn2d.compat.install()
    env = gym.make(name).unwrapped
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("batch", BATCHES)
def test_resets_of_a_batch_with_a_seed_repeat_to_the_bit(batch):
    envs = batch(num_envs=3)
    envs.action_space.seed(1)
    actions = [envs.action_space.sample() for _ in range(30)]
    runs = []
    for seed in (123, None, 123):
        observations = [envs.reset(seed=seed)[0]]
        runs.append(observations + [envs.step(action)[0] for action in actions])
    first, other, again = map(np.array, runs)
    assert (first == again).all() and (first != other).any()
