"""Scores of the environments on cairn2d and on the original Box2D: `python benches/scores.py` prints a table for docs/python.md.

Each engine runs in a process of its own. `--engine` runs one of them, and `--json` prints its numbers. `--exchange` instead starts
the walker on each engine from states of both: the first steps decide how its heuristic fares.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

PARTS = ["lander", "walker", "walker-random", "walker-actions", "car", "multiwalker", "masses"]
parser = argparse.ArgumentParser()
parser.add_argument("--engine", choices=["cairn2d", "box2d"])
parser.add_argument("--json", action="store_true")
parser.add_argument("--seeds", type=int, default=100)
parser.add_argument("--only", nargs="*", default=PARTS)
parser.add_argument("--exchange", action="store_true")
parser.add_argument("--save", help="file for the states of the walker after --steps")
parser.add_argument("--load", help="file of such states to go on from; with --steps, prints angles and places of so many steps")
parser.add_argument("--steps", type=int, default=0)
options = parser.parse_args()


def run(engine, *more):
    """Runs this program with one engine, and returns what it printed."""
    command = [sys.executable, __file__, "--engine", engine, "--json", "--seeds", str(options.seeds), *more]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


if options.exchange:
    with tempfile.TemporaryDirectory() as folder:
        states = os.path.join(folder, "states.json")
        for owner, steps in [("cairn2d", 0), ("box2d", 3), ("box2d", 10), ("box2d", 40)]:
            run(owner, "--save", states, "--steps", str(steps))
            ours, theirs = (run(engine, "--load", states) for engine in ("cairn2d", "box2d"))
            figures = [f"{t['mean reward']:.0f} ± {t['standard error']:.0f}, {t['mean length']:.0f} steps" for t in (ours, theirs)]
            print(f"| {owner}, after {steps} steps | {figures[0]} | {figures[1]} |", flush=True)
    raise SystemExit

if options.engine is None:
    tables = {}
    for engine in ("cairn2d", "box2d"):
        tables[engine] = run(engine, "--only", *options.only)
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
from gymnasium.envs.box2d import bipedal_walker  # noqa: E402
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


def walker_bodies(env):
    return [env.hull, *env.legs]


def save_walker():
    """Writes the state of each walker, and of its heuristic, after some steps."""
    env, states = gym.make("BipedalWalker-v3"), []
    for seed in range(options.seeds):
        policy, (observation, _), total = BipedalWalkerHeuristics(), env.reset(seed=seed), 0.0
        for _ in range(options.steps):
            observation, reward, *_ = env.step(policy.step_heuristic(observation))
            total += float(reward)
        walker = env.unwrapped
        bodies = [[*b.position, b.angle, *b.linearVelocity, b.angularVelocity] for b in walker_bodies(walker)]
        contacts = [bool(leg.ground_contact) for leg in walker.legs[1::2]]
        own = {name: np.asarray(value).tolist() for name, value in vars(policy).items()}
        states.append([bodies, contacts, observation.tolist(), walker.prev_shaping, total, own])
    with open(options.save, "w") as file:
        json.dump(states, file, default=float)
    return {}


def place_walker(env, bodies):
    """Moves the parts of a walker; new joints replace joints that the moves opened."""
    for body, (x, y, angle, vx, vy, spin) in zip(walker_bodies(env), bodies):
        body.transform, body.linearVelocity, body.angularVelocity = ((x, y), angle), (vx, vy), spin
    for joint in env.joints:
        env.world.DestroyJoint(joint)
    env.joints, half = [], bipedal_walker.LEG_H / 2
    for side, (upper, lower) in zip((-1, +1), (env.legs[:2], env.legs[2:])):
        hip = dict(bodyA=env.hull, bodyB=upper, localAnchorA=(0, bipedal_walker.LEG_DOWN), lowerAngle=-0.8, upperAngle=1.1)
        knee = dict(bodyA=upper, bodyB=lower, localAnchorA=(0, -half), lowerAngle=-1.6, upperAngle=-0.1)
        for fields, angle in ((hip, 0.05 * side), (knee, 0.0)):
            env.joints.append(env.world.CreateRevoluteJoint(
                localAnchorB=(0, half), referenceAngle=angle, enableLimit=True, enableMotor=True, maxMotorTorque=80, **fields
            ))


def walker_from_states():
    """The heuristic, from states that were saved: a summary, or the first steps of each episode."""
    env, runs, traces = gym.make("BipedalWalker-v3"), [], []
    with open(options.load) as file:
        states = json.load(file)
    for seed, (bodies, contacts, observation, shaping, total, own) in enumerate(states):
        env.reset(seed=seed)
        place_walker(env.unwrapped, bodies)
        for leg, contact in zip(env.unwrapped.legs[1::2], contacts):
            leg.ground_contact = contact
        env.unwrapped.prev_shaping = shaping
        policy, steps, done = BipedalWalkerHeuristics(), 0, False
        for name, value in own.items():
            setattr(policy, name, np.array(value) if isinstance(value, list) else value)
        observation = np.array(observation)
        traces.append([])
        while not done and (options.steps == 0 or steps < options.steps):
            walker = env.unwrapped
            traces[-1].append([*(joint.angle for joint in walker.joints), walker.hull.angle, *walker.hull.position])
            observation, reward, terminated, truncated, _ = env.step(policy.step_heuristic(observation))
            total, steps, done = total + float(reward), steps + 1, terminated or truncated
        runs.append((total, steps))
    return traces if options.steps else summary(runs)


def walker_random():
    """The heuristic after five random actions, which differ from seed to seed."""
    env, runs = gym.make("BipedalWalker-v3"), []
    for seed in range(options.seeds):
        rng, policy, count = np.random.default_rng(seed), BipedalWalkerHeuristics(), iter(range(10**6))
        runs.append(episode(env, lambda s: rng.uniform(-1, 1, 4) if next(count) < 5 else policy.step_heuristic(s), seed))
    return summary(runs)


def walker_actions():
    """Random actions alone."""
    env, runs = gym.make("BipedalWalker-v3"), []
    for seed in range(options.seeds):
        rng = np.random.default_rng(seed)
        runs.append(episode(env, lambda _: rng.uniform(-1, 1, 4).astype(np.float32), seed))
    steps = np.array([count for _, count in runs])
    error = steps.std() / np.sqrt(len(steps))
    return summary(runs, **{"error of length": error, "median length": float(np.median(steps)), "to the end": float((steps >= 1600).mean())})


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


FUNCTIONS = dict(zip(PARTS, [lander, walker, walker_random, walker_actions, car, multiwalker, masses]))
if options.save or options.load:
    print(json.dumps(save_walker() if options.save else walker_from_states(), default=float))
    raise SystemExit
print(json.dumps({part: FUNCTIONS[part]() for part in options.only}, default=float))
