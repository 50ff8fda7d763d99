#!/usr/bin/env python3
"""Compares what scenes.c printed with Box2D and with this library: compare.py BOX2D OURS

Fails if a body of a quiet scene rests elsewhere than it would with rigid contacts and joints, by more than a millimeter or a
milliradian. Box2D's contacts yield more than that, so how far its bodies are from there is printed only. So are times: they are noise on
a loaded machine.
"""

import sys
from pathlib import Path

# How far a body may be from where it would rest [m, rad].
LIMIT = 1.0e-3


def read(path):
    times, poses = {}, {"rest": {}, "pose": {}}
    for line in Path(path).read_text().splitlines():
        kind, scene, *rest = line.split()
        if kind == "time":
            times[scene] = float(rest[0]), int(rest[2])
        else:
            poses[kind].setdefault(scene, []).append([float(number) for number in rest[1:]])
    return times, poses


def farthest(poses, scene):
    """Largest distance of a body from where it would rest."""
    pairs = zip(poses["rest"][scene], poses["pose"][scene])
    return max(abs(a - b) for rest, pose in pairs for a, b in zip(rest, pose))


def main():
    (box2d_times, box2d_poses), (times, poses) = map(read, sys.argv[1:3])
    failed = False
    print(f"{'scene':16} {'Box2D ms':>9} {'ours ms':>9} {'ratio':>6} contacts")
    for scene, (time, contacts) in times.items():
        other, other_contacts = box2d_times[scene]
        print(f"{scene:16} {other:9.3f} {time:9.3f} {time / other:6.2f} {other_contacts}, {contacts}")
    for scene in poses["rest"]:
        ours, box2d = farthest(poses, scene), farthest(box2d_poses, scene)
        print(f"{scene}: off by {1000 * ours:.3f} mm or mrad, with Box2D {1000 * box2d:.3f}")
        failed |= not ours <= LIMIT
    return failed


if __name__ == "__main__":
    sys.exit(main())
