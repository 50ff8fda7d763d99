"""Reads a world through the C interface with ctypes alone. Argument: the shared library.

Structures come from the header, so this also tests that the declarations of bindings.py agree with the library.
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import bindings  # noqa: E402


def main():
    library = ctypes.CDLL(sys.argv[1])
    header = bindings.Header()
    types, declare = bindings.ctypes_of(header)
    declare(library)

    def must(result):
        if result:
            raise RuntimeError(library.cairn_last_error().decode())

    world = ctypes.c_void_p()
    must(library.cairn_world_create(None, ctypes.byref(world)))
    bodies = []
    for index in range(50):
        definition = library.cairn_default_body_def()
        definition.kind = header.constants["CAIRN_DYNAMIC" if index else "CAIRN_STATIC"]
        definition.position.x, definition.position.y = index / 2, 2.0 * bool(index)
        definition.user_data = index
        body = types["cairn_body_id"]()
        must(library.cairn_body_create(world, ctypes.byref(definition), ctypes.byref(body)))
        shape = library.cairn_make_circle(0, 0, 0.2) if index else library.cairn_make_half_space(0, 0, 0, 1)
        must(library.cairn_shape_create(world, body, ctypes.byref(shape), None, None))
        bodies.append(body)
    for _ in range(120):
        must(library.cairn_world_step(world, 1 / 60))

    poses, count = (types["cairn_body_pose"] * 64)(), ctypes.c_size_t()
    must(library.cairn_world_get_poses(world, poses, len(poses), ctypes.byref(count)))
    assert count.value == 50
    for index, pose in enumerate(poses[: count.value]):
        assert pose.user_data == index and pose.body.bits == bodies[index].bits
        assert abs(pose.position.x - index / 2) < 0.1, (index, pose.position.x)
        assert abs(pose.position.y - 0.2 * bool(index)) < 0.01, (index, pose.position.y)
        assert abs(pose.rotation.cos**2 + pose.rotation.sin**2 - 1) < 1e-5

    state = types["cairn_body_state"]()
    must(library.cairn_body_get_state(world, bodies[7], ctypes.byref(state)))
    assert state.user_data == 7 and state.kind == header.constants["CAIRN_DYNAMIC"]

    stale = types["cairn_body_id"](0)
    assert library.cairn_body_destroy(world, stale) == header.constants["CAIRN_STALE_ID"]
    assert b"body" in library.cairn_last_error()
    must(library.cairn_world_destroy(world))


if __name__ == "__main__":
    main()
