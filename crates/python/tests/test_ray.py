"""The Ray example on a local cluster with two workers: results do not depend on workers, and survive the death of one."""

import os
import pathlib
import signal
import sys

import numpy as np
import pytest
import ray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "examples"))
import ray_evolution as es  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    path = str(pathlib.Path(es.__file__).parent)
    environment = {"env_vars": {"PYTHONPATH": path + os.pathsep + os.environ.get("PYTHONPATH", "")}}
    ray.init(num_cpus=2, include_dashboard=False, runtime_env=environment, log_to_driver=False)
    yield
    ray.shutdown()


def test_returns_on_workers_equal_those_of_the_driver(cluster):
    pool = es.Pool(2)
    shares = [es.Share(seed, 3) for seed in (5, 6)]
    weights = np.random.default_rng(1).standard_normal(es.WEIGHTS)
    results = pool.run(weights, shares, 0.2, moon=7)
    for share, result in zip(shares, results):
        steps = 0.2 * es.perturbations(share)
        both = np.concatenate([weights + steps, weights - steps])
        np.testing.assert_array_equal(result, es.returns(both, 7, episodes=2).reshape(2, 3))


def test_training_survives_the_death_of_a_worker_with_the_same_numbers(cluster):
    calm, struck = es.Strategy(pairs=8), es.Strategy(pairs=8)
    pool = es.Pool(2)
    for _ in range(2):
        calm.step(pool)
    pool = es.Pool(2)
    struck.step(pool)
    os.kill(ray.get(pool.workers[1].pid.remote()), signal.SIGKILL)
    struck.step(pool)
    assert pool.replaced == 1
    np.testing.assert_array_equal(struck.weights, calm.weights)


def test_strategy_learns(cluster):
    """The mean return of the perturbed policies rises from about -490 in the first generation to about -50."""
    strategy, pool = es.Strategy(), es.Pool(2)
    means = [strategy.step(pool) for _ in range(8)]
    assert np.mean(means[-3:]) > means[0] + 200.0, means
