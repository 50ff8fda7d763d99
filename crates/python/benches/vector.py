"""Steps per second of batches next to `SyncVectorEnv` and EnvPool, in one run: `python benches/vector.py`.

`SyncVectorEnv`, PettingZoo (in place of it, for Multiwalker) and EnvPool use the original Box2D, where it is installed; with `--compat`, `SyncVectorEnv` uses
`cairn2d.compat.Box2D`. Runs are interleaved; the figures are medians. Processor time for a step is steadier than steps per
second on a machine that does other work too.
"""

import argparse
import statistics
import time

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--envs", type=int, default=64)
parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=1.5)
parser.add_argument("--compat", action="store_true")
parser.add_argument("--only", nargs="*")
options = parser.parse_args()

if options.compat:
    import cairn2d.compat

    cairn2d.compat.install()

import gymnasium as gym  # noqa: E402

from cairn2d import pettingzoo, vector  # noqa: E402

BATCHES = {
    "CartPole-v1": vector.CartPoleVectorEnv,
    "LunarLander-v3": vector.LunarLanderVectorEnv,
    "BipedalWalker-v3": vector.BipedalWalkerVectorEnv,
    "CarRacing-v3": vector.CarRacingVectorEnv,
}


def envpool(name):
    """EnvPool's batch, if it is installed and has the environment."""
    try:
        import envpool

        names = [name, name.replace("v3", "v2")]
        known = [n for n in names if n in envpool.list_all_envs()]
        return envpool.make_gymnasium(known[0], num_envs=options.envs, num_threads=max(options.threads))
    except (ImportError, IndexError) as error:
        print(f"EnvPool is left out: {error!r}")
        return None


class Carriers:
    """Batch of Multiwalker, or PettingZoo's environments one after the other: actions are an array (envs, 3, 4)."""

    agents = [f"walker_{i}" for i in range(3)]
    action_space = gym.spaces.Box(-1.0, 1.0, (options.envs, 3, 4), dtype=np.float32)

    def __init__(self, batch=None):
        from pettingzoo.sisl import multiwalker_v9

        self.batch = batch
        self.envs = [multiwalker_v9.parallel_env() for _ in range(options.envs if batch is None else 0)]

    def reset(self):
        for env in [self.batch] if self.batch else self.envs:
            env.reset()

    def step(self, actions):
        if self.batch:
            self.batch.step({agent: actions[:, i] for i, agent in enumerate(self.agents)})
        for env, row in zip(self.envs, actions):
            if env.agents:
                env.step(dict(zip(self.agents, row)))
            else:
                env.reset()


def makers(name):
    if name == "Multiwalker":
        for threads in options.threads:
            yield f"cairn2d, {threads} threads", Carriers(pettingzoo.MultiwalkerBatch(options.envs, threads))
        yield "SyncVectorEnv", Carriers()
        return
    for threads in options.threads:
        yield f"cairn2d, {threads} threads", BATCHES[name](num_envs=options.envs, threads=threads)
    yield "SyncVectorEnv", gym.make_vec(name, num_envs=options.envs, vectorization_mode="sync")
    pool = envpool(name)
    if pool is not None:
        yield f"EnvPool, {max(options.threads)} threads", pool


def measure(envs, actions):
    """Steps of environments per second, and processor time for a step [us]."""
    steps, start, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - start < options.seconds:
        envs.step(actions[(steps // options.envs) % len(actions)])
        steps += options.envs
    return steps / (time.perf_counter() - start), (time.process_time() - cpu) / steps * 1e6


print("| environment | batch | steps/s | of SyncVectorEnv | processor time [us] | SyncVectorEnv's, of it |")
for name in options.only or [*BATCHES, "Multiwalker"]:
    entries = dict(makers(name))
    space = next(iter(entries.values())).action_space
    space.seed(0)
    actions = [space.sample() for _ in range(97)]
    rates = {key: [] for key in entries}
    for envs in entries.values():
        envs.reset()
    for _ in range(options.rounds):
        for key, envs in entries.items():
            rates[key].append(measure(envs, actions))
    medians = {key: [statistics.median(column) for column in zip(*values)] for key, values in rates.items()}
    sync = medians["SyncVectorEnv"]
    for key, (rate, cpu) in medians.items():
        times, cheaper = rate / sync[0], sync[1] / cpu
        print(
            f"| {name} | {key} | {rate:,.0f} | {times:.1f} | {cpu:.2f} | {cheaper:.1f} |",
            flush=True,
        )
