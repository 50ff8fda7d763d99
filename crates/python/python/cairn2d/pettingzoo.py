"""Multiwalker of PettingZoo in batches: its parallel API, with an array of many environments for each agent.

>>> import cairn2d.pettingzoo
>>> import numpy as np
>>> envs = cairn2d.pettingzoo.MultiwalkerBatch(num_envs=16, threads=2)
>>> observations, infos = envs.reset(seed=1)
>>> observations["walker_0"].shape
(16, 31)
>>> actions = {agent: np.zeros((16, 4)) for agent in envs.agents}
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
>>> rewards["walker_2"].shape
(16,)

Observations, rewards and ends are those of `multiwalker_v9.parallel_env()` on `cairn2d.compat.Box2D`, from the same seeds; the
thread count changes nothing. `MultiwalkerEnv` is one environment, and a `ParallelEnv` of PettingZoo if that is installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from cairn2d._native import _BOX2D_SOLVER_BUDGET, _BOX2D_SUBSTEPS, _Batch
from cairn2d.vector import MODES, SeededBatch

if TYPE_CHECKING:
    ParallelEnv = object
else:
    try:
        from pettingzoo import ParallelEnv
    except ImportError:
        ParallelEnv = object

Arrays = dict[str, NDArray[Any]]
Infos = dict[str, dict[str, Any]]


class MultiwalkerBatch(SeededBatch):
    """A batch of `multiwalker_v9`: `step` takes and returns an array for each agent, with a row for each environment.

    An environment starts its next episode when the episodes of all its agents have ended, as `autoreset_mode` says. Until then an
    agent that has ended, since its walker fell, has rewards of 0 and is not steered. `infos[agent]["alive"]` tells which agents
    took part in the step.

    As in PettingZoo, episodes of `max_cycles` are terminated, not truncated.
    """

    SPAN = (30.0, 20.0)

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        n_walkers: int = 3,
        position_noise: float = 1e-3,
        angle_noise: float = 1e-3,
        forward_reward: float = 1.0,
        terminate_reward: float = -100.0,
        fall_reward: float = -10.0,
        shared_reward: float = True,
        terminate_on_fall: bool = True,
        remove_on_fall: bool = True,
        terrain_length: int = 200,
        max_cycles: int = 500,
        render_mode: str | None = None,
        substeps: int = _BOX2D_SUBSTEPS,
        solver_budget: int = _BOX2D_SOLVER_BUDGET,
    ) -> None:
        batch = _Batch.of_walkers(
            num_envs, threads, n_walkers=n_walkers, position_noise=position_noise, angle_noise=angle_noise,
            forward_reward=forward_reward, terminate_reward=terminate_reward, fall_reward=fall_reward,
            shared_reward=float(shared_reward), terminate_on_fall=terminate_on_fall, remove_on_fall=remove_on_fall,
            terrain_length=terrain_length, max_cycles=max_cycles, substeps=substeps, solver_budget=solver_budget,
        )
        self._begin(num_envs, render_mode, batch)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata: dict[str, Any] = {"name": "multiwalker_v9", "render_modes": ["rgb_array"], "render_fps": 50}
        self.possible_agents = [f"walker_{i}" for i in range(n_walkers)]

    @property
    def agents(self) -> list[str]:
        """All agents: they end at different steps in different environments."""
        return self.possible_agents[:]

    def observation_space(self, agent: str) -> spaces.Box:
        """Space of the observations of an agent in one environment."""
        return spaces.Box(-np.inf, np.inf, (31,), dtype=np.float32)

    def action_space(self, agent: str) -> spaces.Box:
        """Space of the actions of an agent in one environment: speeds of hip and knee of both legs."""
        return spaces.Box(-1.0, 1.0, (4,), dtype=np.float32)

    def reset(
        self, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, Infos]:
        """Starts an episode in each environment, or in those of `options["reset_mask"]`; environment i takes `seed + i`."""
        observations = self._reset(seed, options)
        _, _, alive = self._batch.agents()
        return self._by_agent(observations), {agent: {"alive": alive[:, i]} for i, agent in enumerate(self.agents)}

    def step(self, actions: Mapping[str, ArrayLike]) -> tuple[Arrays, Arrays, Arrays, Arrays, Infos]:
        """Steps all environments; `actions` has an array (num_envs, 4) for each agent. Numbers beyond -1 to 1 are clipped."""
        rows = np.stack([np.asarray(actions[agent], dtype=np.float32) for agent in self.agents], axis=1)
        if rows.shape != (self.num_envs, len(self.agents), 4):
            raise ValueError(f"actions have the shape {rows[:, 0].shape}, which is not ({self.num_envs}, 4)")
        flat = np.clip(rows, -1.0, 1.0).reshape(self.num_envs, -1)
        observations, _, terminations, _, last, _ = self._batch.step(np.ascontiguousarray(flat), MODES[self.autoreset_mode])
        rewards, ends, alive = self._batch.agents()
        infos: Infos = {agent: {"alive": alive[:, i]} for i, agent in enumerate(self.agents)}
        if last is not None:
            for i, agent in enumerate(self.agents):
                infos[agent] |= {"final_obs": last[:, i], "_final_obs": terminations}
        cut = np.zeros_like(ends)
        return self._by_agent(observations), self._by_agent(rewards), self._by_agent(ends), self._by_agent(cut), infos

    def _by_agent(self, rows: NDArray[Any]) -> Arrays:
        return {agent: rows[:, i] for i, agent in enumerate(self.agents)}

    def close(self) -> None:
        """Holds nothing that would have to be closed."""


class MultiwalkerEnv(ParallelEnv):
    """One Multiwalker: the parallel API of PettingZoo, with the arguments of `multiwalker_v9.parallel_env`."""

    def __init__(self, render_mode: str | None = None, **arguments: Any) -> None:
        self._batch = MultiwalkerBatch(1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **arguments)
        self.metadata, self.render_mode = self._batch.metadata, render_mode
        self.possible_agents = self._batch.possible_agents
        self.agents: list[str] = []
        self._spaces = {agent: (self._batch.observation_space(agent), self._batch.action_space(agent)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Box:
        """Space of the observations of an agent."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Box:
        """Space of the actions of an agent: speeds of hip and knee of both legs."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, Infos]:
        """Starts an episode."""
        self.agents = self.possible_agents[:]
        observations, _ = self._batch.reset(seed)
        return {agent: observations[agent][0] for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, ArrayLike]
    ) -> tuple[Arrays, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Makes a step; `actions` has one action for each agent of `agents`."""
        idle = np.zeros((1, 4), dtype=np.float32)
        present = self.agents
        rows = {agent: np.asarray(actions[agent])[None] if agent in present else idle for agent in self.possible_agents}
        observations, rewards, ends, _, _ = self._batch.step(rows)
        terminations = {agent: bool(ends[agent][0]) for agent in present}
        self.agents = [agent for agent in present if not terminations[agent]]
        return (
            {agent: observations[agent][0] for agent in present},
            {agent: float(rewards[agent][0]) for agent in present},
            terminations,
            dict.fromkeys(present, False),
            {agent: {} for agent in present},
        )

    def render(self) -> NDArray[np.uint8] | None:
        """A picture (height, width, 3), if the mode is "rgb_array"."""
        pictures = self._batch.render()
        return None if pictures is None else pictures[0]

    def close(self) -> None:
        """Holds nothing that would have to be closed."""
