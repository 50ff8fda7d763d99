"""Robotics: equations of motion of linkages, efforts of motors apart from those of limits, springs by stiffness."""

import math

import numpy as np
import pytest

import cairn2d
from cairn2d import Geometry, Linkage

DT = 1e-3


def arm(angles, speeds=(0.0, 0.0)):
    """A double pendulum of point-like balls of 2 and 3 kg on rods of 1 and 0.7 m."""
    world = cairn2d.World(gravity=(0.0, -10.0))
    base = world.create_body("static")
    bodies, joints, place, turn, velocity, spin = [base], [], np.zeros(2), 0.0, np.zeros(2), 0.0
    for angle, speed, length, mass in zip(angles, speeds, (1.0, 0.7), (2.0, 3.0)):
        turn, spin, anchor = turn + angle, spin + speed, place
        direction = np.array([math.sin(turn), -math.cos(turn)])
        place = place + length * direction
        velocity = velocity + length * spin * np.array([-direction[1], direction[0]])
        body = world.create_body("dynamic", position=place, angle=turn, velocity=velocity, angular_velocity=spin, can_sleep=False)
        body.create_shape(Geometry.circle(0.1), density=0.0)
        body.set_mass(mass, 0.004 * mass)
        joints.append(world.create_joint("revolute", bodies[-1], body, anchor=anchor))
        # The angle of the joint is that of the bodies.
        joints[-1].configure(frame_a={"anchor": joints[-1].definition["base"]["frame_a"]["anchor"], "angle": 0.0},
                             frame_b={"anchor": joints[-1].definition["base"]["frame_b"]["anchor"], "angle": 0.0})
        bodies.append(body)
    return world, Linkage(base, joints)


def test_mass_matrix_and_bias_are_those_of_the_double_pendulum():
    q, v = np.array([0.4, 0.9]), np.array([1.5, -2.0])
    _, linkage = arm(q, v)
    assert linkage.coordinate_count == 2
    np.testing.assert_allclose(linkage.positions(), q, atol=1e-5)
    np.testing.assert_allclose(linkage.velocities(), v, atol=1e-5)
    (l1, l2), (m1, m2), (i1, i2) = (1.0, 0.7), (2.0, 3.0), (0.008, 0.012)
    c, s = l1 * l2 * m2 * math.cos(q[1]), l1 * l2 * m2 * math.sin(q[1])
    corner = i2 + m2 * l2 * l2
    matrix = [[i1 + m1 * l1 * l1 + m2 * l1 * l1 + corner + 2 * c, corner + c], [corner + c, corner]]
    np.testing.assert_allclose(linkage.mass_matrix(), matrix, rtol=1e-5)
    far = m2 * 10.0 * l2 * math.sin(q[0] + q[1])
    near = (m1 + m2) * 10.0 * l1 * math.sin(q[0])
    bias = [-s * (2 * v[0] * v[1] + v[1] ** 2) + near + far, s * v[0] ** 2 + far]
    np.testing.assert_allclose(linkage.bias_forces(), bias, rtol=1e-5)


def test_efforts_of_inverse_dynamics_give_the_accelerations():
    world, linkage = arm((0.4, 0.9), (1.5, -2.0))
    wanted = np.array([3.0, -4.0])
    efforts = linkage.inverse_dynamics(wanted)
    np.testing.assert_allclose(efforts, linkage.mass_matrix() @ wanted + linkage.bias_forces())
    before = linkage.velocities()
    linkage.apply_efforts(efforts)
    world.step(DT)
    np.testing.assert_allclose((linkage.velocities() - before) / DT, wanted, rtol=0.02)


def test_linkages_refuse_what_is_no_tree_and_stale_joints():
    world, linkage = arm((0.0, 0.0))
    joints = world.joints()
    with pytest.raises(cairn2d.InvalidValue, match="not connect|no joint connects"):
        Linkage(world.bodies()[0], joints[1:])
    with pytest.raises(cairn2d.InvalidValue, match="shape"):
        linkage.inverse_dynamics([1.0])
    with pytest.raises(cairn2d.InvalidValue):
        linkage.apply_efforts([1e300, 0.0])
    joints[1].destroy()
    for call in (linkage.positions, linkage.mass_matrix, lambda: linkage.apply_efforts([0.0, 0.0])):
        with pytest.raises(cairn2d.StaleHandle):
            call()


def test_efforts_of_motor_and_limit_are_apart():
    world = cairn2d.World(gravity=(0.0, -10.0))
    base = world.create_body("static")
    bar = world.create_body("dynamic", position=(1.0, 0.0), can_sleep=False)
    bar.create_shape(Geometry.rectangle(1.0, 0.1), density=2.0)  # 0.8 kg: 8 N m about the hinge
    hinge = world.create_joint("revolute", base, bar, anchor=(0.0, 0.0), motor=(1.0, 3.0), limit=(0.0, 1.0))
    world.step(1 / 60, 60)
    spring, motor, limit = hinge.efforts
    assert (spring, motor, limit) == (0.0, pytest.approx(3.0, rel=0.01), pytest.approx(5.0, rel=0.01))
    assert hinge.reaction[2] == pytest.approx(8.0, rel=0.01)
    assert world.create_joint("weld", base, bar, anchor=(0.0, 0.0)).efforts is None


def test_springs_by_stiffness_sag_by_the_load_over_it():
    world = cairn2d.World(gravity=(0.0, -10.0))
    base = world.create_body("static", position=(0.0, 5.0))
    load = world.create_body("dynamic", position=(0.0, 4.0), can_sleep=False)
    load.create_shape(Geometry.rectangle(0.5, 0.5), density=3.0)
    slider = world.create_joint("prismatic", base, load, anchor=(0.0, 4.0), axis=(0.0, 1.0))
    assert slider.spring_mass is None
    slider.spring = (1.0, 1.0)
    assert slider.spring_mass == pytest.approx(3.0)
    slider.spring = cairn2d.spring_of_stiffness(200.0, 40.0, slider.spring_mass)
    hertz, ratio, target = slider.spring
    assert hertz == pytest.approx(math.sqrt(200.0 / 3.0) / (2.0 * math.pi)) and target == 0.0
    assert ratio == pytest.approx(20.0 / math.sqrt(600.0))
    world.step(1 / 60, 300)
    assert slider.translation == pytest.approx(-3.0 * 10.0 / 200.0, rel=1e-3)
    assert slider.efforts[0] == pytest.approx(30.0, rel=1e-3)
    for wrong in [(0.0, 1.0, 1.0), (1.0, 1.0, 0.0), (math.nan, 1.0, 1.0)]:
        with pytest.raises(cairn2d.InvalidValue):
            cairn2d.spring_of_stiffness(*wrong)
