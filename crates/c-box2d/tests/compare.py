#!/usr/bin/env python3
"""Runs scenes with Box2D and with this library, in turn, and prints a table for docs/from-box2d-c.md.

compare.py BOX2D_PROGRAM OUR_PROGRAM [--rounds N] [--steps N] [--scenes NAME,NAME]

Fails if a body of a quiet scene rests elsewhere than it would with rigid contacts and joints, by more than a millimeter or a
milliradian: Box2D's contacts and joints yield more than that, so how far its bodies are from there is printed only. Fails if
many more or fewer contacts touch than with Box2D. Does not fail for KNOWN, which it prints. Times are medians of the rounds, of the
processor; they are printed only.
"""

import argparse
import statistics
import subprocess
import sys

# How far a body may be from where it would rest [m, rad].
LIMIT = 1.0e-3
# Scenes are chaotic, so numbers of contacts that touch are equal up to a part and a few.
PART, FEW = 0.15, 4
# What is known not to be so, and why.
KNOWN = {
    "large_pyramid": "with Box2D half of the boxes that stand side by side move apart by more than a millimeter",
    "lift": "boxes on what a joint holds rest on contacts that yield",
    "smash": "with Box2D bricks that are created asleep have no contacts, and pushes of overlaps blow them apart",
}
# A scene of few bodies takes microseconds a step, so it is run several times at once.
REPEATS = 20
LARGE = "compounds joint_grid junkyard large_pyramid many_pyramids rain smash spinner tumbler washer".split()
SMALL = (
    "vertical_stack small_pyramid beam circle_stack arch hanging_chain cantilever seesaw shelf lift "
    "bridge ball_and_chain car ragdolls card_house dominoes conveyor ramp bullets soft_ring"
).split()


class Run:
    """What a program printed of a scene."""

    def __init__(self, program, scene, steps):
        repeats = 1 if scene in LARGE else REPEATS
        output = subprocess.run([program, scene, str(steps), str(repeats)], capture_output=True, text=True, check=True).stdout
        self.poses = {"rest": [], "pose": []}
        for line in output.splitlines():
            kind, _, *rest = line.split()
            numbers = [float(number) for number in rest]
            if kind in self.poses:
                self.poses[kind].append(numbers[1:])
            elif kind == "end":
                self.bodies, self.touching, self.awake = map(int, numbers[:3])
            else:
                self.mean, self.slowest = numbers
        if not hasattr(self, "mean"):
            sys.exit(f"{program} has no scene {scene}")

    def off(self):
        """Largest distance of a body from where it would rest [m, rad]; None if the scene is not quiet."""
        pairs = list(zip(self.poses["rest"], self.poses["pose"]))
        return max(abs(a - b) for rest, pose in pairs for a, b in zip(rest, pose)) if pairs else None


def figures(number):
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"


def times(runs, unit):
    mean, slowest = statistics.median(run.mean for run in runs), max(run.slowest for run in runs)
    return figures(unit * mean) + (f", {figures(unit * slowest)}" if slowest else "")


def row(scene, box2d, ours):
    # Milliseconds for large scenes, microseconds for small ones.
    unit = 1.0 if scene in LARGE else 1000.0
    ratio = statistics.median(run.mean for run in box2d) / statistics.median(run.mean for run in ours)
    cells = [scene, str(ours[0].bodies), times(box2d, unit), times(ours, unit), f"{ratio:.2f}"]
    cells.append(f"{box2d[0].touching}, {ours[0].touching}")
    if scene in SMALL:
        offs = [box2d[0].off(), ours[0].off()]
        cells.append(", ".join(f"{1000.0 * off:.3f}" for off in offs) if offs[0] is not None else "")
    return f"| {' | '.join(cells)} |", ratio


def faults(scene, box2d, ours):
    """What is wrong with a run of our library."""
    if ours.off() is not None and not ours.off() <= LIMIT:
        yield f"{scene}: a body rests {1000.0 * ours.off():.3f} mm or mrad away"
    if abs(ours.touching - box2d.touching) > FEW + PART * box2d.touching:
        yield f"{scene}: {ours.touching} contacts touch, {box2d.touching} with Box2D"
    if ours.bodies != box2d.bodies:
        yield f"{scene}: {ours.bodies} bodies, {box2d.bodies} with Box2D"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("box2d")
    parser.add_argument("ours")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="at most so many steps of the large scenes; 0: all")
    parser.add_argument("--scenes", default=",".join(LARGE + SMALL))
    options = parser.parse_args()
    wanted = options.scenes.split(",")
    notes, failed = [], False
    heads = "Box2D, mean and slowest step [ms]", "Box2D, mean step [us]"
    for group, head, last in ((LARGE, heads[0], ""), (SMALL, heads[1], " off by, Box2D, ours [mm, mrad] |")):
        ratios = []
        print(f"\n| scene | bodies | {head} | ours | Box2D / ours | touching, Box2D, ours |{last}")
        print("|---|---:|---:|---:|---:|---:|" + ("---:|" if last else ""))
        for scene in (scene for scene in group if scene in wanted):
            steps = options.steps if scene in LARGE else 0
            programs = (options.box2d, options.ours)
            runs = [[Run(program, scene, steps) for program in programs] for _ in range(options.rounds)]
            box2d, ours = zip(*runs)
            text, ratio = row(scene, box2d, ours)
            print(text, flush=True)
            ratios.append(ratio)
            for fault in faults(scene, box2d[0], ours[0]):
                notes.append(f"{fault}{': known, ' + KNOWN[scene] if scene in KNOWN else ''}")
                failed |= scene not in KNOWN
        if ratios:
            print(f"\ngeometric mean: {statistics.geometric_mean(ratios):.2f}")
    print("\n".join(["", *notes]))
    return failed


if __name__ == "__main__":
    sys.exit(main())
