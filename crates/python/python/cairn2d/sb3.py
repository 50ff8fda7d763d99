"""Batches of environments for learners of stable-baselines3.

>>> import cairn2d.sb3, cairn2d.vector
>>> batch = cairn2d.vector.LunarLanderVectorEnv(num_envs=8, autoreset_mode="SameStep")
>>> envs = cairn2d.sb3.BatchVecEnv(batch)
>>> envs.seed(1)[:2]
[1, 2]
>>> envs.reset().shape
(8, 8)

`BatchVecEnv` is a `VecEnv` of stable-baselines3 if that is installed, and has the same methods else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from cairn2d.vector import BatchVectorEnv

if TYPE_CHECKING:
    VecEnv = object
else:
    try:
        from stable_baselines3.common.vec_env import VecEnv
    except ImportError:
        VecEnv = object

Indices = int | Iterable[int] | None


class BatchVecEnv(VecEnv):
    """A batch as a `VecEnv`: environments whose episodes end start the next one in the same step.

    `infos[i]["terminal_observation"]` is the last observation of such an episode, and `infos[i]["TimeLimit.truncated"]` tells whether
    it ended by the limit of steps alone.
    """

    def __init__(self, batch: BatchVectorEnv) -> None:
        if batch.autoreset_mode != AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset_mode is {batch.autoreset_mode}, and stable-baselines3 needs AutoresetMode.SAME_STEP")
        self.batch = batch
        self._seeds: list[int | None] = [None] * batch.num_envs
        self._actions: Any = None
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(batch.num_envs)]
        spaces = batch.single_observation_space, batch.single_action_space
        if VecEnv is object:
            self.num_envs, (self.observation_space, self.action_space) = batch.num_envs, spaces
            self.render_mode = batch.render_mode
        else:
            super().__init__(batch.num_envs, *spaces)  # type: ignore[call-arg]
        self.metadata = batch.metadata

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Sets the seeds of the next reset: environment i gets `seed + i`."""
        count = self.batch.num_envs
        self._seeds = [None if seed is None else seed + i for i in range(count)]
        return list(self._seeds)

    def reset(self) -> NDArray[Any]:
        """Starts an episode in each environment."""
        observations, _ = self.batch.reset(seed=self._seeds)
        self._seeds = [None] * self.batch.num_envs
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps all environments; returns observations, rewards, ends and infos."""
        observations, rewards, terminations, truncations, infos = self.batch.step(self._actions)
        dones = terminations | truncations
        out: list[dict[str, Any]] = [{} for _ in range(self.batch.num_envs)]
        for i in np.flatnonzero(dones):
            out[i]["terminal_observation"] = infos["final_obs"][i]
            out[i]["TimeLimit.truncated"] = bool(truncations[i] and not terminations[i])
        return observations, rewards.astype(np.float32), dones, out

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps all environments with their actions."""
        self.step_async(actions)
        return self.step_wait()

    def close(self) -> None:
        """Closes the batch."""
        self.batch.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of each environment, if the batch renders."""
        return self.batch.render() or [None] * self.batch.num_envs

    def _count(self, indices: Indices) -> int:
        if indices is None:
            return self.batch.num_envs
        return 1 if isinstance(indices, int) else len(list(indices))

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of the batch, for each environment: they have none of their own."""
        return [getattr(self.batch, attr_name)] * self._count(indices)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Is refused: the environments of a batch have no attributes of their own."""
        raise AttributeError(f"the environments of a batch share all settings: {attr_name} cannot be set")

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> list[Any]:
        """Is refused: the environments of a batch are no objects of Python."""
        raise AttributeError(f"the environments of a batch have no method {method_name}")

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """No environment is wrapped."""
        return [False] * self._count(indices)
