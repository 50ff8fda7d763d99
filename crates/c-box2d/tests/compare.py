#!/usr/bin/env python3
"""Compares what scenes.c printed with Box2D and with this library: compare.py BOX2D OURS

Fails if a body of a quiet scene rests elsewhere by more than a millimeter or a milliradian. Times are printed only: they are noise on a
loaded machine.
"""

import sys
from pathlib import Path

# How far bodies may rest apart [m, rad].
LIMIT = 1.0e-3


def read(path):
    times, poses = {}, {}
    for line in Path(path).read_text().splitlines():
        kind, scene, *rest = line.split()
        if kind == "time":
            times[scene] = float(rest[0]), int(rest[2])
        else:
            poses.setdefault(scene, []).append([float(number) for number in rest[1:]])
    return times, poses


def main():
    (box2d_times, box2d_poses), (times, poses) = map(read, sys.argv[1:3])
    failed = False
    print(f"{'scene':16} {'Box2D ms':>9} {'ours ms':>9} {'ratio':>6} contacts")
    for scene, (time, contacts) in times.items():
        other, other_contacts = box2d_times[scene]
        print(f"{scene:16} {other:9.3f} {time:9.3f} {time / other:6.2f} {other_contacts}, {contacts}")
    for scene, found in poses.items():
        pairs = zip(found, box2d_poses[scene])
        worst = max(abs(a - b) for pose, other in pairs for a, b in zip(pose, other))
        print(f"{scene}: poses differ by at most {1000 * worst:.2f} mm or mrad")
        failed |= not worst <= LIMIT
    return failed


if __name__ == "__main__":
    sys.exit(main())
