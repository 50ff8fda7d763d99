"""Scores of the environments on cairn2d and on the original Box2D: `python benches/scores.py` prints a table for docs/python.md.

Each engine runs in a process of its own. `--engine` runs one of them, and `--json` prints its numbers.
"""

import argparse
import json
import os
import subprocess
import sys

PARTS = ["lander", "walker", "walker-random", "car", "multiwalker", "masses"]
parser = argparse.ArgumentParser()
parser.add_argument("--engine", choices=["cairn2d", "box2d"])
parser.add_argument("--json", action="store_true")
parser.add_argument("--seeds", type=int, default=100)
parser.add_argument("--only", nargs="*", default=PARTS)
options = parser.parse_args()

if options.engine is None:
    tables = {}
    for engine in ("cairn2d", "box2d"):
        command = [sys.executable, __file__, "--engine", engine, "--json", "--seeds", str(options.seeds), "--only", *options.only]
        tables[engine] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    for part in options.only:
        if part == "masses":
            print(f"| masses and inertias | {tables['cairn2d'][part] == tables['box2d'][part]} |")
            continue
        for key, ours in tables["cairn2d"][part].items():
            print(f"| {part}: {key} | {ours:.3g} | {tables['box2d'][part][key]:.3g} |")
    raise SystemExit

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
if options.engine == "cairn2d":
    import cairn2d.compat

    cairn2d.compat.install()

import gymnasium as gym  # noqa: E402
import numpy as np  # noqa: E402
from gymnasium.envs.box2d.bipedal_walker import BipedalWalkerHeuristics  # noqa: E402
from gymnasium.envs.box2d.lunar_lander import heuristic  # noqa: E402


def episode(env, policy, seed, limit=10**6):
    observation, _ = env.reset(seed=seed)
    total, steps = 0.0, 0
    while steps < limit:
        observation, reward, terminated, truncated, _ = env.step(policy(observation))
        total, steps = total + float(reward), steps + 1
        if terminated or truncated:
            break
    return total, steps


def summary(runs, **more):
    scores, steps = np.array([r[0] for r in runs]), np.array([r[1] for r in runs])
    error = scores.std() / np.sqrt(len(scores))
    return {
        "mean reward": scores.mean(),
        "standard error": error,
        "median reward": float(np.median(scores)),
        "mean length": steps.mean(),
        **more,
    }


def lander():
    env, runs, landed = gym.make("LunarLander-v3"), [], 0
    for seed in range(options.seeds):
        runs.append(episode(env, lambda s: heuristic(env, s), seed))
        landed += not env.unwrapped.lander.awake
    solved = np.mean([score >= 200.0 for score, _ in runs])
    return summary(runs, landed=landed / options.seeds, solved=solved)


def walker():
    env, runs = gym.make("BipedalWalker-v3"), []
    for seed in range(options.seeds):
        runs.append(episode(env, BipedalWalkerHeuristics().step_heuristic, seed))
    return summary(runs)


def walker_random():
    """The heuristic after five random actions, which differ from seed to seed."""
    env, runs = gym.make("BipedalWalker-v3"), []
    for seed in range(options.seeds):
        rng, policy, count = np.random.default_rng(seed), BipedalWalkerHeuristics(), iter(range(10**6))
        runs.append(episode(env, lambda s: rng.uniform(-1, 1, 4) if next(count) < 5 else policy.step_heuristic(s), seed))
    return summary(runs)


def car():
    env, runs, tiles = gym.make("CarRacing-v3"), [], []
    for seed in range(max(1, options.seeds // 10)):
        runs.append(episode(env, lambda _: np.array([0.0, 0.15, 0.0], dtype=np.float32), seed, 200))
        tiles.append(env.unwrapped.tile_visited_count)
    return summary(runs, **{"tiles visited": float(np.mean(tiles))})


def multiwalker():
    from pettingzoo.sisl import multiwalker_v9

    env, runs = multiwalker_v9.parallel_env(), []
    for seed in range(options.seeds):
        env.reset(seed=seed)
        rng, total, steps = np.random.default_rng(seed), 0.0, 0
        while env.agents:
            rewards = env.step({a: rng.uniform(-1, 1, 4).astype(np.float32) for a in env.agents})[1]
            total, steps = total + float(sum(rewards.values())), steps + 1
        runs.append((total, steps))
    return summary(runs)


def masses():
    lander, walker, car = (gym.make(n).unwrapped for n in ("LunarLander-v3", "BipedalWalker-v3", "CarRacing-v3"))
    for env in (lander, walker, car):
        env.reset(seed=0)
    bodies = [lander.lander, *lander.legs, walker.hull, *walker.legs, car.car.hull, *car.car.wheels]
    return [[round(float(x), 5) + 0.0 for x in (b.mass, b.inertia, *b.localCenter)] for b in bodies]


FUNCTIONS = dict(zip(PARTS, [lander, walker, walker_random, car, multiwalker, masses]))
print(json.dumps({part: FUNCTIONS[part]() for part in options.only}, default=float))
