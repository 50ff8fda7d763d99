"""Batches of environments: `VectorEnv`s of Gymnasium whose environments are stepped in Rust, on threads, by one call.

>>> import cairn2d.vector
>>> envs = cairn2d.vector.LunarLanderVectorEnv(num_envs=64, threads=2)
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape
(64, 8)

Observations, rewards and ends are those of `gymnasium.vector.SyncVectorEnv` of the same environments on
`cairn2d.compat.Box2D`, from the same seeds; the thread count changes nothing. The pictures of car racing are drawn without pygame,
and differ from its pictures by a few levels at edges. `substeps` and `solver_budget` of lander, walker and car are those of `b2World`
of that module. `register()` lets `gymnasium.make_vec("cairn2d/LunarLander-v3", num_envs=64)` make them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cairn2d._native import _BOX2D_SOLVER_BUDGET, _BOX2D_SUBSTEPS, Geometry, World, _Batch

MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class SeededBatch:
    """What all batches have: seeds of their environments, resets of some of them, and pictures."""

    num_envs: int
    render_mode: str | None
    _batch: _Batch

    # Size of a picture [px], of what it shows [m], and its middle [m]; without one it follows the first body.
    PICTURE = (600, 400)
    SPAN: tuple[float, float] = (20.0, 40.0 / 3.0)
    MIDDLE: tuple[float, float] | None = None

    def _begin(self, num_envs: int, render_mode: str | None, batch: _Batch) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, which is not 'rgb_array' or None")
        self.num_envs, self.render_mode, self._batch = num_envs, render_mode, batch
        self._has_generators = False

    def _reset(self, seed: int | Sequence[int | None] | None, options: dict[str, Any] | None) -> NDArray[Any]:
        """Starts an episode in each environment, or in those of `options["reset_mask"]`."""
        mask = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            mask = options["reset_mask"]
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
                raise TypeError(f"options['reset_mask'] must be an array of bools, not {mask!r}")
            if mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(f"options['reset_mask'] must have the shape ({self.num_envs},) and a True value")
        self._seed(seed, mask)
        keep_colors = not (options or {}).get("randomize", True)
        return self._batch.reset(np.ascontiguousarray(mask), keep_colors)

    def _seed(self, seed: int | Sequence[int | None] | None, mask: NDArray[np.bool_]) -> None:
        """Seeds the generators of the masked environments; those without a seed go on, or start at random."""
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        states = self._batch.generators()
        for i, one in enumerate(seeds):
            if not self._has_generators or (mask[i] and one is not None):
                generator, _ = seeding.np_random(one)
                state = generator.bit_generator.state["state"]
                states[i] = (state["state"], state["inc"], None)
        self._batch.set_generators(states)
        self._has_generators = True

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture (height, width, 3) of each environment, if the mode is "rgb_array": its bodies, without decoration."""
        if self.render_mode is None:
            return None
        return tuple(self._picture(i) for i in range(self.num_envs))

    def _picture(self, index: int) -> NDArray[np.uint8]:
        picture = self._batch.render(index, *self.PICTURE, self.SPAN, self.MIDDLE)
        assert picture is not None
        return picture


class BatchVectorEnv(SeededBatch, VectorEnv):
    """Base of the batches; `threads` is the number of threads that step the environments."""

    kind: str

    def __init__(
        self,
        num_envs: int,
        threads: int,
        max_episode_steps: int,
        autoreset_mode: AutoresetMode | str,
        observation_space: spaces.Box,
        action_space: spaces.Space,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["rgb_array"], "render_fps": 50}
        self.single_observation_space = observation_space
        self.single_action_space = action_space
        self.observation_space = batch_space(observation_space, num_envs)
        self.action_space = batch_space(action_space, num_envs)
        self._begin(num_envs, render_mode, _Batch(self.kind, num_envs, threads, max_episode_steps, **options))

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts an episode in each environment, or in those of `options["reset_mask"]`.

        `seed` is one seed, from which environment i takes `seed + i`, or one for each environment. Random colors of car racing
        stay with `options["randomize"] = False`.
        """
        return self._reset(seed, options), {}

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Steps all environments; `actions` has one action for each."""
        rows = np.asarray(actions, dtype=np.float32)
        rows = rows[:, None] if rows.ndim == 1 else rows
        mode = self.autoreset_mode
        results = self._batch.step(np.ascontiguousarray(rows), MODES[mode])
        observations, rewards, terminations, truncations, last, laps = results
        infos: dict[str, Any] = {} if laps is None else {"lap_finished": laps[0], "_lap_finished": laps[1]}
        if last is not None:
            done = terminations | truncations
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(done):
                final[i] = last[i]
            infos = {"final_obs": final, "_final_obs": done, "final_info": infos, "_final_info": done.copy()}
        return observations, rewards, terminations, truncations, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Holds nothing that would have to be closed."""


class CartPoleVectorEnv(BatchVectorEnv):
    """A batch of `CartPole-v1`."""

    kind = "cart_pole"

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        max_episode_steps: int = 500,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        sutton_barto_reward: bool = False,
        render_mode: str | None = None,
    ) -> None:
        high = np.array([4.8, np.inf, 12 * 2 * math.pi / 360 * 2, np.inf], dtype=np.float32)
        space = spaces.Box(-high, high, dtype=np.float32)
        super().__init__(
            num_envs, threads, max_episode_steps, autoreset_mode, space, spaces.Discrete(2), render_mode,
            sutton_barto_reward=sutton_barto_reward,
        )
        self._states = np.zeros((num_envs, 4), dtype=np.float32)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        results = super().reset(seed=seed, options=options)
        self._states = results[0]
        return results

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        results = super().step(actions)
        self._states = results[0]
        return results

    def _picture(self, index: int) -> NDArray[np.uint8]:
        """Cart and pole as a world of their own: the environment has none."""
        x, _, angle, _ = map(float, self._states[index])
        world = World(gravity=(0.0, 0.0))
        cart = world.create_body(position=(x, 0.0))
        cart.create_shape(Geometry.rectangle(0.36, 0.22))
        pole = world.create_body(position=(x, 0.1), angle=-angle)
        pole.create_shape(Geometry.rectangle(0.07, 0.5, center=(0.0, 0.5)))
        world.create_body().create_shape(Geometry.segment((-2.4, -0.22), (2.4, -0.22)))
        return world.render(*self.PICTURE, view=(-2.4, -1.2, 2.4, 2.0))


class LunarLanderVectorEnv(BatchVectorEnv):
    """A batch of `LunarLander-v3`."""

    kind = "lunar_lander"
    MIDDLE = (10.0, 20.0 / 3.0)

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        max_episode_steps: int = 1000,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        continuous: bool = False,
        gravity: float = -10.0,
        enable_wind: bool = False,
        wind_power: float = 15.0,
        turbulence_power: float = 1.5,
        substeps: int = _BOX2D_SUBSTEPS,
        solver_budget: int = _BOX2D_SOLVER_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        if not -12.0 < gravity < 0.0:
            raise ValueError(f"gravity is {gravity}, which is not between -12 and 0")
        high = np.array([2.5, 2.5, 10.0, 10.0, 2 * math.pi, 10.0, 1.0, 1.0], dtype=np.float32)
        low = -high
        low[6:] = 0.0
        actions = spaces.Box(-1, +1, (2,), dtype=np.float32) if continuous else spaces.Discrete(4)
        super().__init__(
            num_envs, threads, max_episode_steps, autoreset_mode, spaces.Box(low, high), actions, render_mode,
            continuous=continuous, gravity=gravity, enable_wind=enable_wind, wind_power=wind_power,
            turbulence_power=turbulence_power, substeps=substeps, solver_budget=solver_budget,
        )


class BipedalWalkerVectorEnv(BatchVectorEnv):
    """A batch of `BipedalWalker-v3`, or of `BipedalWalkerHardcore-v3`."""

    kind = "bipedal_walker"

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        hardcore: bool = False,
        substeps: int = _BOX2D_SUBSTEPS,
        solver_budget: int = _BOX2D_SOLVER_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        leg = [math.pi, 5.0, math.pi, 5.0, 5.0]
        high = np.array([math.pi, 5.0, 5.0, 5.0, *leg, *leg, *[1.0] * 10], dtype=np.float32)
        low = -high
        low[[8, 13]] = 0.0
        low[14:] = -1.0
        steps = max_episode_steps or (2000 if hardcore else 1600)
        actions = spaces.Box(-1.0, 1.0, (4,), dtype=np.float32)
        super().__init__(
            num_envs, threads, steps, autoreset_mode, spaces.Box(low, high), actions, render_mode,
            hardcore=hardcore, substeps=substeps, solver_budget=solver_budget,
        )


class CarRacingVectorEnv(BatchVectorEnv):
    """A batch of `CarRacing-v3`.

    Observations have the shape (num_envs, 96, 96, 3): red, green and blue, from 0 to 255, rows from the top. Actions are steering
    (-1: left, 1: right), gas and brake (0 to 1); without `continuous` 0: nothing, 1: right, 2: left, 3: gas, 4: brake. The lap is
    complete at the start once more than the share `lap_complete_percent` of the tiles was visited, or with the last tile;
    `infos["lap_finished"]` then has it. With `domain_randomize` each episode has random colors.
    """

    kind = "car_racing"
    SPAN = (60.0, 40.0)

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        max_episode_steps: int = 1000,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        lap_complete_percent: float = 0.95,
        domain_randomize: bool = False,
        continuous: bool = True,
        substeps: int = _BOX2D_SUBSTEPS,
        solver_budget: int = _BOX2D_SOLVER_BUDGET,
        render_mode: str | None = None,
    ) -> None:
        low, high = np.array([-1, 0, 0], dtype=np.float32), np.array([1, 1, 1], dtype=np.float32)
        actions = spaces.Box(low, high) if continuous else spaces.Discrete(5)
        super().__init__(
            num_envs, threads, max_episode_steps, autoreset_mode, spaces.Box(0, 255, (96, 96, 3), np.uint8), actions, render_mode,
            lap_complete_percent=lap_complete_percent, domain_randomize=domain_randomize, continuous=continuous,
            substeps=substeps, solver_budget=solver_budget,
        )


IDS = {
    "cairn2d/CartPole-v1": (CartPoleVectorEnv, {}),
    "cairn2d/LunarLander-v3": (LunarLanderVectorEnv, {}),
    "cairn2d/LunarLanderContinuous-v3": (LunarLanderVectorEnv, {"continuous": True}),
    "cairn2d/BipedalWalker-v3": (BipedalWalkerVectorEnv, {}),
    "cairn2d/BipedalWalkerHardcore-v3": (BipedalWalkerVectorEnv, {"hardcore": True}),
    "cairn2d/CarRacing-v3": (CarRacingVectorEnv, {}),
}


def register() -> None:
    """Registers the batches with Gymnasium, for `gymnasium.make_vec`; a second call changes nothing."""
    for name, (batch, options) in IDS.items():
        if name not in gym.registry:
            gym.register(name, vector_entry_point=batch, kwargs=options)
