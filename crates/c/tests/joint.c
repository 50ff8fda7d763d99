/* Joints of all kinds. */
#include "check.h"

static void each_kind_is_created_and_read_back(void) {
    cairn_world *world = new_world();
    cairn_body_id a = new_body(world, CAIRN_STATIC, 0.0, 5.0, cairn_make_circle(0.0f, 0.0f, 0.1f));
    cairn_body_id b = new_body(world, CAIRN_DYNAMIC, 1.0, 5.0, cairn_make_circle(0.0f, 0.0f, 0.1f));
    cairn_body_id c = new_body(world, CAIRN_DYNAMIC, -1.0, 5.0, cairn_make_circle(0.0f, 0.0f, 0.1f));
    cairn_joint_id hinges[2] = {{0}, {0}};
    for (cairn_joint_kind kind = CAIRN_DISTANCE_JOINT; kind <= CAIRN_FILTER_JOINT; kind += 1) {
        cairn_joint_def def = cairn_default_joint_def(kind, a, b);
        CHECK(def.kind == kind && def.body_b.bits == b.bits);
        OK(cairn_joint_def_at(world, &def, 0.0, 5.0, 0.0f));
        CHECK(near(def.frame_b.anchor.x, -1.0, 1e-6));
        if (kind == CAIRN_DISTANCE_JOINT) {
            OK(cairn_joint_def_between(world, &def, 0.0, 5.0, 1.0, 5.0));
            CHECK(near(def.length, 1.0, 1e-6));
        }
        if (kind == CAIRN_GEAR_JOINT) {
            cairn_joint_def other = cairn_default_joint_def(CAIRN_REVOLUTE_JOINT, a, c);
            OK(cairn_joint_create(world, &other, &hinges[1]));
            def.body_a = b;
            def.body_b = c;
            def.joint_a = hinges[0];
            def.joint_b = hinges[1];
        }
        def.user_data = 40 + kind;
        cairn_joint_id joint = {0};
        OK(cairn_joint_create(world, &def, &joint));
        if (kind == CAIRN_REVOLUTE_JOINT) {
            hinges[0] = joint;
        }
        cairn_joint_def now;
        OK(cairn_joint_get_def(world, joint, &now));
        CHECK(now.kind == kind && now.user_data == 40 + kind && now.ratio == def.ratio);
        now.break_force = 1e9f;
        OK(cairn_joint_set_def(world, joint, &now));
        cairn_joint_state state;
        OK(cairn_joint_get_state(world, joint, &state));
        CHECK(state.enabled == 1 && state.user_data == 40 + kind);
    }
    cairn_joint_id joints[16];
    size_t count = 0;
    OK(cairn_world_get_joints(world, joints, 16, &count));
    CHECK(count == 11);
    OK(cairn_body_get_joints(world, c, joints, 16, &count));
    CHECK(count == 2);
    OK(cairn_world_destroy(world));
}

static void a_motor_turns_a_hinge_up_to_its_limit(void) {
    cairn_world *world = new_world();
    OK(cairn_world_set_gravity(world, 0.0f, 0.0f));
    cairn_body_id a = new_body(world, CAIRN_STATIC, 0.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.1f));
    cairn_body_id b = new_body(world, CAIRN_DYNAMIC, 0.5, 0.0, cairn_make_rectangle(0.5f, 0.1f));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_REVOLUTE_JOINT, a, b);
    OK(cairn_joint_def_at(world, &def, 0.0, 0.0, 0.0f));
    def.motor.enabled = 1;
    def.motor.speed = 2.0f;
    def.motor.max_effort = 100.0f;
    def.limit.enabled = 1;
    def.limit.lower = -1.0f;
    def.limit.upper = 0.5f;
    cairn_joint_id joint;
    OK(cairn_joint_create(world, &def, &joint));
    steps(world, 10);
    cairn_joint_state state;
    OK(cairn_joint_get_state(world, joint, &state));
    CHECK(near(state.angular_speed, 2.0, 0.05) && near(state.angle, 2.0 / 6.0, 0.02));
    steps(world, 60);
    OK(cairn_joint_get_state(world, joint, &state));
    CHECK(near(state.angle, 0.5, 0.02));
    OK(cairn_joint_set_motor_speed(world, joint, -3.0f));
    cairn_limit none = {0, 0.0f, 0.0f};
    OK(cairn_joint_set_limit(world, joint, &none));
    cairn_motor motor = {1, -2.0f, 10.0f};
    OK(cairn_joint_set_motor(world, joint, &motor));
    cairn_spring spring = {1, 2.0f, 0.5f, 0.0f};
    OK(cairn_joint_set_spring(world, joint, &spring));
    OK(cairn_joint_get_def(world, joint, &def));
    CHECK(def.limit.enabled == 0 && def.motor.speed == -2.0f && def.spring.hertz == 2.0f);
    OK(cairn_joint_set_enabled(world, joint, 0));
    OK(cairn_joint_set_enabled(world, joint, 1));
    EXPECT(CAIRN_INVALID_VALUE, cairn_joint_set_length(world, joint, 2.0f));
    EXPECT(CAIRN_INVALID_VALUE, cairn_joint_set_target(world, joint, 2.0, 0.0));
    OK(cairn_joint_destroy(world, joint));
    cairn_bool exists = 1;
    OK(cairn_joint_exists(world, joint, &exists));
    CHECK(exists == 0);
    EXPECT(CAIRN_STALE_ID, cairn_joint_get_state(world, joint, &state));
    OK(cairn_world_destroy(world));
}

static void a_weak_joint_breaks(void) {
    cairn_world *world = new_world();
    cairn_body_id a = new_body(world, CAIRN_STATIC, 0.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.1f));
    cairn_body_id b = new_body(world, CAIRN_DYNAMIC, 0.0, -1.0, cairn_make_rectangle(0.5f, 0.5f));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_WELD_JOINT, a, b);
    OK(cairn_joint_def_at(world, &def, 0.0, 0.0, 0.0f));
    def.break_force = 5.0f;
    cairn_joint_id joint;
    OK(cairn_joint_create(world, &def, &joint));
    cairn_joint_break breaks[2];
    size_t count = 0;
    for (int i = 0; i < 10 && count == 0; i += 1) {
        steps(world, 1);
        OK(cairn_world_joint_breaks(world, breaks, 2, &count));
    }
    CHECK(count == 1 && breaks[0].joint.bits == joint.bits && breaks[0].force.y > 5.0f);
    OK(cairn_world_destroy(world));
}

/* A load of 400 kg on a spring of 40 kN/m. */
static void a_spring_of_a_stiffness_sinks_by_weight_over_stiffness(void) {
    cairn_world *world = new_world();
    cairn_body_id ground = new_body(world, CAIRN_STATIC, 0.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.4f));
    cairn_body_id load = new_body(world, CAIRN_DYNAMIC, 0.0, 2.0, cairn_make_rectangle(0.5f, 0.5f));
    cairn_mass mass = {400.0f, 50.0f, {0.0f, 0.0f}};
    OK(cairn_body_set_mass(world, load, &mass));
    cairn_joint_def def = cairn_default_joint_def(CAIRN_PRISMATIC_JOINT, ground, load);
    OK(cairn_joint_def_at(world, &def, 0.0, 2.0, 1.57079633f));
    cairn_joint_id joint;
    OK(cairn_joint_create(world, &def, &joint));
    float moved = -1.0f;
    EXPECT(CAIRN_INVALID_VALUE, cairn_joint_get_spring_mass(world, joint, &moved));
    cairn_spring spring = {1, 1.0f, 1.0f, 0.0f};
    OK(cairn_joint_set_spring(world, joint, &spring));
    EXPECT(CAIRN_INVALID_POINTER, cairn_joint_get_spring_mass(world, joint, NULL));
    OK(cairn_joint_get_spring_mass(world, joint, &moved));
    CHECK(near(moved, 400.0, 0.01));
    OK(cairn_spring_from_stiffness(40000.0f, 4000.0f, moved, &spring));
    /* The frequency is sqrt(k/m) / 2 pi, the damping ratio c / (2 sqrt(k m)). */
    CHECK(spring.enabled == 1 && near(spring.hertz, 1.591549, 1e-4) && near(spring.damping_ratio, 0.5, 1e-4));
    OK(cairn_joint_set_spring(world, joint, &spring));
    steps(world, 300);
    cairn_joint_state state;
    OK(cairn_joint_get_state(world, joint, &state));
    CHECK(near(state.translation, -400.0 * 10.0 / 40000.0, 0.001));
    EXPECT(CAIRN_INVALID_VALUE, cairn_spring_from_stiffness(0.0f, 1.0f, 1.0f, &spring));
    EXPECT(CAIRN_INVALID_VALUE, cairn_spring_from_stiffness(1.0f, -1.0f, 1.0f, &spring));
    EXPECT(CAIRN_INVALID_VALUE, cairn_spring_from_stiffness(1.0f, 1.0f, 0.0f, &spring));
    EXPECT(CAIRN_INVALID_VALUE, cairn_spring_from_stiffness(3e38f, 1.0f, 1e-38f, &spring));
    EXPECT(CAIRN_INVALID_POINTER, cairn_spring_from_stiffness(1.0f, 1.0f, 1.0f, NULL));
    OK(cairn_world_destroy(world));
}

int main(void) {
    a_spring_of_a_stiffness_sinks_by_weight_over_stiffness();
    each_kind_is_created_and_read_back();
    a_motor_turns_a_hinge_up_to_its_limit();
    a_weak_joint_breaks();
    return failures != 0;
}
