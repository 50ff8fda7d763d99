"""Trains LunarLander by an evolution strategy: workers of a Ray cluster roll out batches of perturbed policies.

    python examples/ray_evolution.py --workers 2 --generations 60

Each worker steps one batch of environments (`cairn2d.vector`) in Rust; each environment of the batch runs a policy of its own.
The driver draws seeds, collects returns and updates the weights. A worker that dies is replaced, and its share is computed
again: a share depends on its seed alone, so training continues with the same numbers.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass

import numpy as np
import ray
from numpy.typing import NDArray

from cairn2d.vector import LunarLanderVectorEnv

OBSERVATIONS, ACTIONS = 8, 4
WEIGHTS = (OBSERVATIONS + 1) * ACTIONS
MAX_STEPS = 400


@dataclass(frozen=True)
class Share:
    """The work of one worker in a generation: pairs of mirrored perturbations from one seed."""

    seed: int
    pairs: int


def act(weights: NDArray[np.float64], observations: NDArray[np.float32]) -> NDArray[np.int64]:
    """Best action of each linear policy for its observation: rows of weights, rows of observations."""
    matrices = weights.reshape(-1, OBSERVATIONS + 1, ACTIONS)
    scores = np.einsum("ni,nia->na", observations.astype(np.float64), matrices[:, :-1]) + matrices[:, -1]
    return scores.argmax(axis=1)


def returns(weights: NDArray[np.float64], seed: int, threads: int = 1, episodes: int = 1) -> NDArray[np.float64]:
    """Mean return of each row of weights; all rows meet the same moons."""
    count = len(weights)
    envs = LunarLanderVectorEnv(count, threads, max_episode_steps=MAX_STEPS)
    total = np.zeros(count)
    for episode in range(episodes):
        observations, _ = envs.reset(seed=[seed + episode] * count)
        alive = np.ones(count, dtype=bool)
        while alive.any():
            observations, rewards, terminations, truncations, _ = envs.step(act(weights, observations))
            total += np.where(alive, rewards, 0.0)
            alive &= ~(terminations | truncations)
    return total / episodes


def perturbations(share: Share) -> NDArray[np.float64]:
    """The directions of a share, (pairs, weights): the driver draws the same ones."""
    return np.random.default_rng(share.seed).standard_normal((share.pairs, WEIGHTS))


@ray.remote
class Worker:
    """Rolls out shares, one batch at a time."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def pid(self) -> int:
        """Process of the worker: the test kills it."""
        return os.getpid()

    def run(self, weights: NDArray[np.float64], share: Share, sigma: float, moon: int) -> NDArray[np.float64]:
        """Returns of the mirrored perturbations of a share, (2, pairs)."""
        steps = sigma * perturbations(share)
        both = np.concatenate([weights + steps, weights - steps])
        return returns(both, moon, self.threads, episodes=2).reshape(2, share.pairs)


class Pool:
    """Workers that are replaced when they die."""

    def __init__(self, count: int, threads: int = 1) -> None:
        self.threads = threads
        self.workers = [Worker.remote(threads) for _ in range(count)]
        self.replaced = 0

    def run(self, weights: NDArray[np.float64], shares: list[Share], sigma: float, moon: int) -> list[NDArray[np.float64]]:
        """Results of all shares, in their order; share i goes to worker i."""
        reference = ray.put(weights)
        tasks = [worker.run.remote(reference, share, sigma, moon) for worker, share in zip(self.workers, shares)]
        results = []
        for i, task in enumerate(tasks):
            while True:
                try:
                    results.append(ray.get(task))
                    break
                except ray.exceptions.RayActorError:
                    self.replaced += 1
                    self.workers[i] = Worker.remote(self.threads)
                    task = self.workers[i].run.remote(reference, shares[i], sigma, moon)
        return results


@dataclass
class Strategy:
    """Weights and settings of the evolution strategy, with momentum."""

    seed: int = 0
    pairs: int = 32
    sigma: float = 0.2
    rate: float = 0.4
    momentum: float = 0.8

    def __post_init__(self) -> None:
        self.weights = np.zeros(WEIGHTS)
        self.velocity = np.zeros(WEIGHTS)
        self.generation = 0

    def step(self, pool: Pool) -> float:
        """One generation; returns the mean return of the perturbed policies."""
        first = 1000 * (self.seed + 1) + 1_000_000 * self.generation
        count = len(pool.workers)
        shares = [Share(first + i, self.pairs // count) for i in range(count)]
        results = pool.run(self.weights, shares, self.sigma, moon=first % 2**31)
        scores = np.concatenate(results, axis=1)
        ranks = scores.ravel().argsort().argsort().reshape(scores.shape) / (scores.size - 1) - 0.5
        directions = np.concatenate([perturbations(share) for share in shares])
        gradient = (ranks[0] - ranks[1]) @ directions / (len(directions) * self.sigma)
        self.velocity = self.momentum * self.velocity + self.rate * gradient
        self.weights = self.weights + self.velocity
        self.generation += 1
        return float(scores.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=32)
    parser.add_argument("--address", help="address of a running cluster; a local one by default")
    options = parser.parse_args()
    ray.init(address=options.address, num_cpus=None if options.address else options.workers, include_dashboard=False)
    pool, strategy = Pool(options.workers), Strategy(pairs=options.pairs)
    for generation in range(options.generations):
        mean = strategy.step(pool)
        if generation % 5 == 0 or generation == options.generations - 1:
            score = returns(strategy.weights[None], seed=10**6, episodes=20)[0]
            print(f"generation {generation:3}: mean of the perturbed {mean:8.1f}, policy over 20 moons {score:8.1f}", flush=True)
    ray.shutdown()


if __name__ == "__main__":
    main()
