"""Runs the unit tests and the examples of pybox2d on the stand-in for its module, and compares the examples with the original.

    python pybox2d_suite.py [FOLDER]

Both are fetched by pip into a folder (a temporary one, if none is given): the wheel `Box2D==2.3.10` has the tests and the original
engine, the source distribution `box2d-py==2.3.8` the examples. `test_pybox2d_suite.py` asserts what this prints.

An example is compared with the original, and with the refined original: of eight times the steps, and with a hundred iterations
in each. Where the stand-in is at the refined original, the difference is what 60 steps and 8 iterations are wrong by.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import types
import xml.etree.ElementTree
import zipfile

WHEEL, SOURCE = "Box2D==2.3.10", "box2d-py==2.3.8"
STEPS = 300
CHECKPOINTS = (60, 300)

# Steps of the refined original in one of the original, and the iterations of each.
REFINED_STEPS, REFINED_ITERATIONS = 8, 100

# An example is chaotic if such a displacement of its bodies at the start [m] moves one by more than this until the end [m].
DISTURBANCE, CHAOS = 1.0e-6, 0.01

# Not examples: the framework, and one that needs OpenCV and a camera. `hello` prints positions and has no framework.
NO_EXAMPLES = {"__init__", "framework", "settings", "simple_cv", "hello"}

# Keys that are pressed at these steps, in a run of its own on the stand-in. "d" destroys the first body, from which the mouse pulls.
KEYS = {
    "apply_force": {20: "w", 40: "a", 60: "d"},
    "body_types": {20: "k", 80: "s", 120: "d"},
    "box_cutter": {120: "c", 200: "c"},
    "breakable": {30: "b"},
    "car": {30: "d", 150: "s", 200: "q", 220: "e"},
    "cloth": {20: "w"},
    "confined": {10: "c", 20: "c"},
    "convex_hull": {10: "g", 20: "a"},
    "distance": {10: "a", 20: "w", 30: "q", 40: "e"},
    "edge_shapes": {10: "1", 20: "2", 30: "3", 40: "4", 50: "5", 297: "d"},
    "gish_tribute": {100: "w", 150: "d"},
    "liquid": {10: "b"},
    "motor_joint": {10: "g"},
    "pinball": {60: "a"},
    "raycast": {10: "1", 20: "2", 30: "3", 40: "4", 50: "5", 60: "m", 120: "m", 297: "d"},
    "rope": {60: "j", 120: "j"},
    "theo_jansen": {60: "a", 120: "m", 180: "d"},
    "top_down_car": {10: "w", 60: "a", 120: "s"},
    "vertical_stack": {30: "b"},
    "web": {60: "j", 120: "b"},
}


def fetch(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """Downloads both packages; returns the folder of the wheel's content and the one of the examples' package."""
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "-q", "--no-deps", "-d", str(folder)]
    wheel, source = folder / "wheel", folder / "source"
    if not wheel.exists():
        subprocess.run([*pip, "--only-binary", ":all:", WHEEL], check=True)
        # Its metadata would need a compiler: the archive is all that is wanted.
        subprocess.run([*pip, "--no-binary", ":all:", SOURCE], check=True)
        (archive,) = folder.glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extractall(source, filter="data")
        (archive,) = folder.glob("*.whl")
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(wheel)
    (examples,) = source.glob("*/examples")
    return wheel, examples.parent


def run_tests(wheel: pathlib.Path, folder: pathlib.Path) -> dict[str, str]:
    """Runs the unit tests of pybox2d on the stand-in; returns the outcome of each."""
    report = folder / "report.xml"
    script = (
        "import sys, cairn2d.compat, pytest; cairn2d.compat.install(); import Box2D;"
        "code = pytest.main(['-q', '-p', 'no:cacheprovider', *sys.argv[1:]]);"
        "sys.exit(code if sys.modules['Box2D'] is Box2D is cairn2d.compat.Box2D else 'the tests imported the original')"
    )
    # Within the package, pytest would import the package first: the original.
    tests = folder / "unit_tests"
    tests.mkdir(exist_ok=True)
    for path in (wheel / "Box2D" / "tests").glob("test_*.py"):
        shutil.copy(path, tests)
    arguments = ["--rootdir", str(tests), f"--junitxml={report}", str(tests)]
    report.unlink(missing_ok=True)
    done = subprocess.run([sys.executable, "-c", script, *arguments], cwd=folder, check=False, capture_output=True, text=True)
    # 1 is pytest's own, of tests that fail.
    if done.returncode not in (0, 1) or done.stderr:
        raise RuntimeError(f"the unit tests did not run: {done.stderr or done.stdout}")
    outcomes = {}
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        failed = case.find("failure") if case.find("failure") is not None else case.find("error")
        outcomes[f"{case.get('classname')}::{case.get('name')}"] = "" if failed is None else str(failed.get("message"))
    return outcomes


def example_names(source: pathlib.Path) -> list[str]:
    """Names of the examples."""
    return sorted({path.stem for path in (source / "examples").glob("*.py")} - NO_EXAMPLES)


def run_example(name: str, engine: str, wheel: pathlib.Path, source: pathlib.Path, keys: bool = False) -> dict:
    """Runs an example in a process of its own; returns the bodies after each step, or the error.

    The engine is "stand-in", "original", "disturbed" (the original from displaced bodies) or "refined".
    """
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    command = [sys.executable, __file__, "--example", name, engine, str(wheel), str(source), str(int(keys))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def difference(one: dict, other: dict) -> list[float]:
    """Greatest distance of a body between two runs after each step [m]; infinite if the bodies are not the same."""
    out = []
    for step in range(1, STEPS + 1):
        a, b = one[str(step)], other[str(step)]
        gaps = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for (x, y, _), (u, v, _) in zip(a, b)]
        out.append(max(gaps, default=0.0) if len(a) == len(b) else float("inf"))
    return out


def disturb(bodies: list) -> None:
    """Displaces the dynamic bodies a little, at least to the next number that their positions can have."""
    import random

    generator = random.Random(1)
    for body in bodies:
        if body.type == 2:
            least = [max(DISTURBANCE, abs(x) * 2.0**-23) for x in body.position]
            body.position = [x + generator.choice((-1.0, 1.0)) * dx for x, dx in zip(body.position, least)]


def refine(world_class: type) -> None:
    """Makes the worlds of the original take many small steps in each step; forces act in all of them."""
    step = world_class.Step

    def refined(world: object, dt: float, *_: int) -> None:
        world.autoClearForces = False  # type: ignore[attr-defined]
        for _ in range(REFINED_STEPS):
            step(world, dt / REFINED_STEPS, REFINED_ITERATIONS, REFINED_ITERATIONS)
        world.ClearForces()  # type: ignore[attr-defined]

    world_class.Step = refined  # type: ignore[attr-defined]


def simulate(name: str, engine: str, wheel: str, source: str, keys: bool) -> None:
    """Runs an example in this process, and prints its bodies after each step."""
    import importlib
    import random

    sys.argv = [name]
    if engine == "stand-in":
        import cairn2d.compat

        cairn2d.compat.install()
    else:
        sys.path.insert(0, wheel)
    sys.path.insert(0, source)
    import Box2D
    import pygame

    assert Box2D.b2World.__module__.startswith("cairn2d") == (engine == "stand-in")
    if engine == "refined":
        refine(Box2D.b2World)
    # The same random numbers on both engines.
    random.seed(1)
    generator = random.Random(1)
    Box2D.b2Random = lambda lower=-1.0, upper=1.0: generator.uniform(lower, upper)
    # The example waits for a clock in each step, and ends with its window.
    found: dict[int, list] = {}
    state = types.SimpleNamespace(step=0, test=None)

    class Clock:
        def tick(self, _hertz: float) -> None:
            state.step += 1
            bodies = sorted(state.test.world.bodies, key=lambda body: body.userData is None)
            found[state.step] = [(*body.position, body.angle) for body in bodies]
            key = KEYS.get(name, {}).get(state.step) if keys else None
            if key is not None:
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(key)))
            if keys and state.step % 50 == 25:
                body = state.test.world.bodies[-1].position
                state.test.MouseDown(Box2D.b2Vec2(*body))
                state.test.MouseMove(Box2D.b2Vec2(*body) + (1.0, 1.0))
            if keys and state.step % 50 == 45:
                state.test.MouseUp(Box2D.b2Vec2(0.0, 0.0))
            if state.step >= STEPS:
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        def get_fps(self) -> float:
            return 60.0

    pygame.time.Clock = Clock
    module = importlib.import_module(f"examples.{name}")
    (example,) = (
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, module.Framework) and one is not module.Framework
    )
    state.test = example()
    if engine == "disturbed":
        disturb(state.test.world.bodies)
    if keys:
        settings = state.test.settings
        settings.drawAABBs = settings.drawPairs = settings.drawCOMs = settings.drawContactPoints = True
        settings.drawContactNormals = name != "tiles"
    state.test.run()
    print(json.dumps(found))


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        folder.mkdir(exist_ok=True)
        wheel, source = fetch(folder)
        outcomes = run_tests(wheel, folder)
        for test, message in outcomes.items():
            if message:
                print(f"FAILED {test}: {message}")
        print(f"tests: {sum(not message for message in outcomes.values())} of {len(outcomes)} pass")
        names, ran, alike = example_names(source), 0, 0
        print("example: distances to the original, and of stand-in and original to the refined original")
        for name in names:
            runs = {engine: run_example(name, engine, wheel, source) for engine in ("stand-in", "original", "disturbed", "refined")}
            pressed = run_example(name, "stand-in", wheel, source, keys=True)
            errors = [result["error"] for result in (*runs.values(), pressed) if "error" in result]
            if errors:
                print(f"{name}: {errors}", flush=True)
                continue
            ran += 1
            own, chaos = (difference(runs[engine], runs["original"]) for engine in ("stand-in", "disturbed"))
            ours, theirs = (difference(runs[engine], runs["refined"]) for engine in ("stand-in", "original"))
            alike += own[-1] < 0.1
            gaps = [f"{own[t - 1]:.3f}, {ours[t - 1]:.3f} and {theirs[t - 1]:.3f} m after {t}" for t in CHECKPOINTS]
            print(f"{name}{' (chaotic)' if max(chaos) > CHAOS else ''}: " + "; ".join(gaps), flush=True)
        print(f"examples: {ran} of {len(names)} run; {alike} end within 0.1 m of the original")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--example"]:
        example, engine, wheel, source, keys = sys.argv[2:]
        simulate(example, engine, wheel, source, keys == "1")
    else:
        main()
