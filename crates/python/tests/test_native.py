"""The native interface: worlds, bodies, shapes, joints, events, queries, arrays, copies."""

import copy
import math
import pickle
import threading
import time

import numpy as np
import pytest

import cairn2d
from cairn2d import Geometry

DT = 1 / 60


def pile(**fields):
    world = cairn2d.World(**fields)
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(20.0, 1.0))
    for row in range(5):
        body = world.create_body("dynamic", position=(0.1 * row, 0.5 + 1.02 * row), user_data=row)
        body.create_shape(Geometry.rectangle(0.5, 0.5), friction=0.4)
    return world


def pendulum(world):
    pivot = world.create_body("static", position=(0.0, 4.0))
    bob = world.create_body("dynamic", position=(2.0, 4.0))
    bob.create_shape(Geometry.circle(0.2), density=3.0)
    return world.create_joint("revolute", pivot, bob, anchor=(0.0, 4.0), motor=(0.0, 0.1), limit=(-3.0, 3.0)), bob


def test_ball_comes_to_rest_on_the_ground():
    world = cairn2d.World()
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(20.0, 1.0))
    ball = world.create_body("dynamic", position=(0.0, 3.0))
    ball.create_shape(Geometry.circle(0.5), restitution=0.3)
    begins = []
    for _ in range(240):
        world.step(DT)
        begins += world.contact_begins()
    assert ball.position[1] == pytest.approx(0.5, abs=0.01)
    assert not ball.is_awake
    assert begins[0].approach_speed == pytest.approx(math.sqrt(2 * 10 * 2.5), rel=0.03)
    assert {begins[0].body_a, begins[0].body_b} == {ground, ball}
    assert world.step_count == 240


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w)),
                                   lambda w: cairn2d.World.load(w.save())])
def test_copies_continue_with_the_same_bits(clone):
    world = pile()
    pendulum(world)
    world.step(DT, 30)
    other = clone(world)
    for _ in range(60):
        world.step(DT)
        other.step(DT)
        assert world.state_hash == other.state_hash
    assert world.first_difference(other) is None
    other.bodies()[3].apply_impulse((1.0, 0.0))
    other.step(DT)
    assert world.state_hash != other.state_hash
    assert world.first_difference(other) is not None


def test_deep_copy_of_handles_leads_to_the_copied_world():
    world = pile()
    state = {"world": world, "box": world.bodies()[2]}
    for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other["box"].world is other["world"] and other["world"] is not world
        assert other["box"].position == state["box"].position
        other["world"].step(DT)
        assert other["box"].position != state["box"].position


def test_restore_is_a_reset_that_keeps_handles():
    world = pile()
    start, box = copy.copy(world), world.bodies()[1]
    world.step(DT, 20)
    world.restore(start)
    assert world.state_hash == start.state_hash and box.position == start.bodies()[1].position


def test_results_do_not_depend_on_threads():
    hashes = set()
    for threads in (1, 2):
        world = pile(threads=threads)
        world.step(DT, 100)
        hashes.add(world.state_hash)
    assert len(hashes) == 1


def test_arrays_have_one_row_for_each_body_and_agree_with_handles():
    world = pile()
    world.step(DT, 10)
    bodies = world.bodies()
    positions, angles, velocities = world.positions(), world.angles(), world.velocities()
    assert positions.shape == (6, 2) and positions.dtype == np.float64
    assert angles.shape == (6,) and velocities.shape == (6, 3)
    for row, body in enumerate(bodies):
        assert tuple(positions[row]) == body.position
        assert angles[row] == body.angle
        assert tuple(velocities[row]) == (*body.velocity, body.angular_velocity)
    assert tuple(world.masses()[1]) == (bodies[1].mass, bodies[1].inertia)
    bodies[2].destroy()
    assert world.positions().shape == (5, 2)


def test_forces_in_a_batch_equal_single_forces():
    world, other = pile(), pile()
    forces = np.zeros((6, 3))
    forces[3] = 5.0, 20.0, 0.5
    world.apply_forces(forces)
    body = other.bodies()[3]
    body.apply_force((5.0, 20.0))
    body.apply_torque(0.5)
    assert body.applied_force == (5.0, 20.0, 0.5)
    world.step(DT)
    other.step(DT)
    assert world.state_hash == other.state_hash
    world.set_velocities(np.zeros((6, 3)))
    assert not world.velocities().any()
    world.set_poses(other.positions() + 1.0, other.angles())
    assert np.allclose(world.positions(), other.positions() + 1.0)


def test_contact_arrays_carry_the_weight_of_the_pile():
    world = cairn2d.World()
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(20.0, 1.0))
    box = world.create_body("dynamic", position=(0.0, 0.5), can_sleep=False)
    box.create_shape(Geometry.rectangle(0.5, 0.5), density=2.0)
    world.step(DT, 120)
    contacts = world.contact_arrays(DT)
    assert contacts.bodies.shape == (2, 2) and contacts.forces.shape == (2, 2)
    assert set(contacts.bodies[0]) == {0, 1}
    assert contacts.forces[:, 0].sum() == pytest.approx(2.0 * 10.0, rel=1e-3)
    assert np.allclose(np.abs(contacts.normals), (0.0, 1.0))
    (contact,) = box.contacts()
    assert len(contact.points) == 2 and contact.friction == pytest.approx(0.6, abs=0.4)


def test_revolute_joint_turns_at_the_speed_of_its_motor():
    world = cairn2d.World(gravity=(0.0, 0.0))
    joint, bob = pendulum(world)
    joint.limit = None
    joint.motor = (2.0, 1000.0)
    world.step(DT, 60)
    assert joint.angular_speed == pytest.approx(2.0, rel=1e-3)
    assert joint.angle == pytest.approx(2.0, rel=0.05)
    assert world.joint_angles()[0, 0] == joint.angle
    assert joint.motor == (2.0, 1000.0) and joint.limit is None and joint.kind == "revolute"
    assert math.hypot(bob.position[0], bob.position[1] - 4.0) == pytest.approx(2.0, abs=1e-3)
    joint.configure(spring=(2.0, 0.7, 0.5), motor=None)
    assert joint.spring == pytest.approx((2.0, 0.7, 0.5)) and joint.motor is None
    joint.destroy()
    assert not joint.is_valid and bob.joints() == []


def test_all_kinds_of_joints_are_made_and_step():
    world = cairn2d.World()
    ground = world.create_body("static")
    boxes = []
    for i in range(12):
        box = world.create_body("dynamic", position=(2.0 * i, 0.0))
        box.create_shape(Geometry.rectangle(0.4, 0.4))
        boxes.append(box)
    at = [box.position for box in boxes]
    hinges = [world.create_joint("revolute", ground, boxes[i], anchor=at[i]) for i in range(2)]
    world.create_joint("prismatic", ground, boxes[2], anchor=at[2], axis=(0.0, 1.0), limit=(-1.0, 1.0), motor=(1.0, 50.0))
    rod = world.create_joint("distance", boxes[3], boxes[4], anchor=at[3], anchor_b=at[4])
    world.create_joint("weld", boxes[5], boxes[6], anchor=at[5], break_force=1e9)
    world.create_joint("wheel", boxes[6], boxes[7], anchor=at[7], axis=(0.0, 1.0), spring=(4.0, 0.7))
    world.create_joint("motor", ground, boxes[8], linear_velocity=(1.0, 0.0), max_velocity_force=100.0)
    mouse = world.create_joint("mouse", ground, boxes[9], max_force=500.0)
    mouse.target = (18.0, 3.0)
    world.create_joint("pulley", boxes[10], boxes[11], wheel_a=(20.0, 5.0), wheel_b=(22.0, 5.0), length=10.0)
    world.create_joint("gear", hinges[0].body_b, hinges[1].body_b, joint_a=hinges[0], joint_b=hinges[1], ratio=2.0)
    world.create_joint("filter", boxes[0], boxes[3])
    assert rod.length == pytest.approx(2.0)
    assert sorted({joint.kind for joint in world.joints()}) == sorted(
        ["revolute", "prismatic", "distance", "weld", "wheel", "motor", "mouse", "pulley", "gear", "filter"]
    )
    boxes[0].apply_torque(3.0)
    world.step(DT, 60)
    assert world.joints()[2].translation == pytest.approx(1.0, abs=0.02)
    assert world.joint_translations()[2, 0] == world.joints()[2].translation
    assert hinges[0].angle == pytest.approx(-2.0 * hinges[1].angle, abs=1e-2)
    assert np.isfinite(world.positions()).all()


def test_joint_breaks_and_its_event_names_the_bodies():
    world = cairn2d.World()
    hook = world.create_body("static")
    load = world.create_body("dynamic", position=(0.0, -1.0))
    load.create_shape(Geometry.circle(0.3), density=50.0)
    joint = world.create_joint("weld", hook, load, anchor=(0.0, 0.0), break_force=20.0, user_data=9)
    world.step(DT)
    (event,) = world.joint_breaks()
    assert event.joint == joint and event.body_b == load and event.user_data == 9
    with pytest.raises(cairn2d.StaleHandle):
        joint.angle


def test_sensor_events_and_overlaps():
    world = cairn2d.World(gravity=(0.0, 0.0))
    gate = world.create_body("static").create_shape(Geometry.rectangle(0.5, 2.0), sensor=True)
    ball = world.create_body("dynamic", position=(-3.0, 0.0), velocity=(6.0, 0.0))
    shape = ball.create_shape(Geometry.circle(0.2))
    begins, ends, inside = [], [], 0
    for _ in range(90):
        world.step(DT)
        begins += world.sensor_begins()
        ends += world.sensor_ends()
        inside += gate.overlaps() == [shape]
    assert [(e.sensor, e.visitor) for e in begins] == [(gate, shape)] == [(e.sensor, e.visitor) for e in ends]
    assert inside == pytest.approx((1.0 + 0.4) / 6.0 / DT, abs=2)


def test_queries():
    world = cairn2d.World()
    wall = world.create_body("static", position=(4.0, 0.0))
    shape = wall.create_shape(Geometry.rectangle(1.0, 1.0), category=2)
    far = world.create_body("static", position=(8.0, 0.0)).create_shape(Geometry.circle(1.0))
    hit = world.ray_cast((0.0, 0.0), (10.0, 0.0))
    assert hit.shape == shape and hit.body == wall
    assert hit.fraction == pytest.approx(0.3) and hit.normal == (-1.0, 0.0) and hit.point == pytest.approx((3.0, 0.0))
    assert [h.shape for h in world.ray_cast_all((0.0, 0.0), (10.0, 0.0))] == [shape, far]
    assert world.ray_cast((0.0, 0.0), (10.0, 0.0), exclude=wall).shape == far
    assert world.ray_cast((0.0, 0.0), (10.0, 0.0), mask=1).shape == far
    assert world.ray_cast((0.0, 0.0), (10.0, 0.0), accept=lambda s: s == far).shape == far
    assert world.ray_cast((0.0, 0.0), (10.0, 0.0), kinds=["dynamic"]) is None
    shapes, fractions, points, normals = world.ray_casts([(0, 0), (0, 5)], [(10, 0), (10, 0)])
    assert shapes == [shape, None] and fractions[0] == hit.fraction and fractions[1] == 1.0
    assert tuple(points[1]) == (10.0, 5.0) and tuple(normals[0]) == hit.normal
    assert world.shapes_at((4.5, 0.5)) == [shape] == world.shapes_in((2.0, -1.0), (5.0, 1.0))
    assert world.overlap_shape(Geometry.circle(0.5), (2.6, 0.0)) == [shape]
    near = world.closest_shape((2.0, 0.0), 5.0)
    assert near.shape == shape and near.distance == pytest.approx(1.0) and near.normal == (-1.0, 0.0)
    assert world.closest_shape((2.0, 0.0), 0.5) is None
    cast = world.shape_cast(Geometry.circle(0.5), (0.0, 0.0), (5.0, 0.0))
    assert cast.fraction == pytest.approx(0.5, abs=0.01)


def test_exception_of_a_predicate_reaches_the_caller():
    world = pile()

    def refuse(_shape):
        raise KeyError("no")

    with pytest.raises(KeyError):
        world.ray_cast((0.0, 9.0), (0.0, -20.0), accept=refuse)


def test_character_walks_and_stands():
    world = cairn2d.World()
    world.create_body("static", position=(0.0, -1.0)).create_shape(Geometry.rectangle(20.0, 1.0))
    hero = world.create_body("kinematic", position=(0.0, 2.0))
    hero.create_shape(Geometry.capsule((0.0, -0.5), (0.0, 0.5), 0.4))
    controller = cairn2d.CharacterController(max_step_height=0.3)
    fall = 0.0
    for _ in range(120):
        fall -= 10.0 * DT
        walk = controller.move_body(hero, (2.0 * DT, fall * DT), DT)
        if walk.is_grounded:
            fall = 0.0
        world.step(DT)
    assert walk.is_grounded and walk.ground.normal == (0.0, 1.0)
    assert hero.position[0] > 3.9 and hero.position[1] == pytest.approx(0.91, abs=2e-3)


def test_crowd_agents_pass_each_other():
    crowd = cairn2d.Crowd()
    a = crowd.create_agent(position=(0.0, 0.0), target=((8.0, 0.0), 0.1, 1.3))
    b = crowd.create_agent(position=(8.0, 0.0), target=((0.0, 0.0), 0.1, 1.3))
    crowd.create_obstacle([(-1.0, 3.0), (9.0, 3.0)], line=True)
    assert not crowd.is_visible((0.0, 2.0), (0.0, 4.0))
    twin = copy.deepcopy(crowd)
    gap, events = 9.0, []
    for _ in range(12 * 60):
        crowd.step(DT)
        events += crowd.events()
        gap = min(gap, np.linalg.norm(np.diff(crowd.positions(), axis=0)))
    assert a.has_arrived and b.has_arrived and gap >= 0.6 - 1e-3
    assert {(e.agent, e.kind) for e in events} >= {(a, "arrived"), (b, "arrived")}
    twin.step(DT, 12 * 60)
    assert twin.state_hash == crowd.state_hash
    crowd.set_preferred_velocities([(1.0, 0.0), (0.0, 0.0)])
    assert a.preferred_velocity == (1.0, 0.0)
    a.destroy()
    assert crowd.positions().shape == (1, 2)


def test_geometry_keeps_its_numbers_through_pickles():
    shapes = [
        Geometry.circle(0.5, (1.0, 2.0)),
        Geometry.rectangle(1.0, 0.5),
        Geometry.rectangle(1.0, 0.5, (0.3, 0.1), 0.7),
        Geometry.rectangle(1.0, 0.5, radius=0.1),
        Geometry.polygon([(0, 0), (2, 0), (1, 1.3)], 0.05),
        Geometry.capsule((0, 0), (1, 0.2), 0.3),
        Geometry.segment((0, 0), (3, 1)),
        Geometry.ellipse(2.0, 1.0, (0.1, 0.2), 0.3),
        Geometry.half_space((0.0, 0.1), (0.6, 0.8)),
    ]
    for shape in shapes:
        assert pickle.loads(pickle.dumps(shape)) == shape
        assert shape.vertices.shape[1] == 2
    assert shapes[1].mass(2.0).mass == pytest.approx(4.0)
    assert shapes[1].mass(2.0).inertia == pytest.approx(4.0 * (2.0**2 + 1.0**2) / 12)


def test_scene_is_a_dict():
    scene = {
        "world": {"gravity": [0, -9.81]},
        "bodies": [
            {"shapes": [{"shape": {"Polygon": {"half": [20, 0.5]}}}]},
            {"def": {"kind": "Dynamic", "position": [0, 3]}, "shapes": [{"shape": {"Circle": {"radius": 0.5}}}]},
        ],
    }
    world = cairn2d.World.from_scene(scene)
    assert world.body_count == 2 and world.gravity == pytest.approx((0.0, -9.81))


def test_other_threads_run_during_a_step():
    world = cairn2d.World()
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(100.0, 1.0))
    for i in range(300):
        world.create_body("dynamic", position=(0.1 * (i % 20), 1.0 + 1.1 * i)).create_shape(Geometry.circle(0.5))
    done = threading.Event()

    def run():
        world.step(DT, 200)
        done.set()

    thread = threading.Thread(target=run)
    start = time.perf_counter()
    thread.start()
    turns = busy = 0
    while not done.is_set():
        turns += 1
        try:
            world.body_count
        except cairn2d.WorldBusy:
            busy += 1
    thread.join()
    assert turns > 100 and busy > 0, (turns, busy, time.perf_counter() - start)
    assert world.step_count == 200


def test_settings_and_effects():
    world = pile()
    world.configure(substeps=8, sleeping=False)
    assert world.definition["substeps"] == 8 and not world.definition["sleeping"]
    world.gravity = (0.0, -1.0)
    box = world.bodies()[5]
    world.explode(box.position, 3.0, 5.0)
    world.apply_wind((5.0, 0.0))
    world.apply_fluid((0.0, 0.5), 2.0)
    world.step(DT)
    assert world.kinetic_energy > 0.0 and world.potential_energy > 0.0
    box.locks = (False, False, True)
    box.linear_damping = 0.5
    assert box.locks == (False, False, True) and box.linear_damping == 0.5 and box.angular_damping == 0.0
    box.set_mass(3.0, 2.0)
    assert (box.mass, box.kind) == (3.0, "dynamic")
    box.kind = "static"
    assert box.mass == 0.0
    shape = box.shapes()[0]
    shape.friction, shape.group, shape.is_sensor = 0.9, -2, True
    assert shape.friction == pytest.approx(0.9) and shape.group == -2 and shape.is_sensor and shape.body == box
    world.clear()
    assert world.body_count == world.shape_count == world.joint_count == 0
