/* Bodies: creation, states, changes, arrays of poses. */
#include "check.h"

static void a_ball_falls_and_rests(void) {
    cairn_world *world = new_world();
    new_ground(world);
    cairn_body_id ball = new_body(world, CAIRN_DYNAMIC, 0.0, 2.0, cairn_make_circle(0.0f, 0.0f, 0.5f));
    steps(world, 180);
    cairn_body_state state = state_of(world, ball);
    CHECK(near(state.position.y, 0.5, 0.01) && state.kind == CAIRN_DYNAMIC && state.enabled == 1);
    CHECK(near(state.mass, 3.14159 / 4.0, 0.01));
    OK(cairn_world_destroy(world));
}

static void all_poses_come_in_one_call(void) {
    cairn_world *world = new_world();
    cairn_body_id bodies[10];
    for (int i = 0; i < 10; i += 1) {
        bodies[i] = new_body(world, CAIRN_DYNAMIC, i, 0.0, cairn_make_rectangle(0.2f, 0.2f));
        OK(cairn_body_set_user_data(world, bodies[i], (uint64_t)i + 100));
    }
    steps(world, 1);
    cairn_body_pose poses[10];
    size_t count = 0;
    OK(cairn_world_get_poses(world, poses, 10, &count));
    CHECK(count == 10);
    for (int i = 0; i < 10; i += 1) {
        CHECK(poses[i].body.bits == bodies[i].bits && poses[i].user_data == (uint64_t)i + 100);
        CHECK(near(poses[i].position.x, i, 1e-6) && poses[i].rotation.cos == 1.0f);
    }
    poses[4].user_data = 0;
    EXPECT(CAIRN_BUFFER_TOO_SMALL, cairn_world_get_poses(world, poses, 4, &count));
    CHECK(count == 10 && poses[4].user_data == 0);
    OK(cairn_world_get_placements(world, 0.5f, poses, 10, &count));
    CHECK(count == 10 && poses[0].position.y < 0.0);
    cairn_body_motion motions[10];
    OK(cairn_world_get_motions(world, motions, 10, &count));
    CHECK(count == 10 && motions[9].velocity.y < -0.1f);
    OK(cairn_world_get_poses_of(world, bodies + 3, 2, poses));
    CHECK(poses[0].body.bits == bodies[3].bits && poses[1].body.bits == bodies[4].bits);
    cairn_body_force forces[2] = {{bodies[0], {0.0f, 100.0f}, 1.0f, 0}, {bodies[1], {50.0f, 0.0f}, 0.0f, 0}};
    OK(cairn_world_apply_forces(world, forces, 2));
    steps(world, 1);
    CHECK(state_of(world, bodies[0]).velocity.y > 0.0f && state_of(world, bodies[1]).velocity.x > 0.0f);
    OK(cairn_world_destroy(world));
}

static void settings_of_a_body_take_effect(void) {
    cairn_world *world = new_world();
    cairn_body_id body = new_body(world, CAIRN_DYNAMIC, 0.0, 0.0, cairn_make_rectangle(0.5f, 0.5f));
    OK(cairn_body_set_gravity_scale(world, body, 0.0f));
    OK(cairn_body_set_velocity(world, body, 1.0f, 2.0f));
    OK(cairn_body_set_angular_velocity(world, body, 0.5f));
    OK(cairn_body_apply_impulse(world, body, 1.0f, 0.0f));
    OK(cairn_body_apply_impulse_at(world, body, 0.0f, 1.0f, 0.5, 0.0));
    OK(cairn_body_apply_angular_impulse(world, body, 0.1f));
    OK(cairn_body_apply_force(world, body, 1.0f, 0.0f));
    OK(cairn_body_apply_force_at(world, body, 1.0f, 0.0f, 0.0, 0.5));
    OK(cairn_body_apply_torque(world, body, 1.0f));
    CHECK(state_of(world, body).velocity.x == 2.0f);
    cairn_mass mass = {3.0f, 1.0f, {0.0f, 0.0f}};
    OK(cairn_body_set_mass(world, body, &mass));
    CHECK(state_of(world, body).mass == 3.0f);
    OK(cairn_body_set_mass(world, body, NULL));
    CHECK(near(state_of(world, body).mass, 1.0, 1e-5));
    OK(cairn_body_set_damping(world, body, 0.1f, 0.1f));
    OK(cairn_body_set_max_linear_speed(world, body, 10.0f));
    OK(cairn_body_set_max_angular_speed(world, body, 10.0f));
    OK(cairn_body_set_sleeping(world, body, 0.1f, 0));
    OK(cairn_body_set_continuous(world, body, CAIRN_CONTINUOUS_SUBSTEP, 1, 1));
    OK(cairn_body_set_locks(world, body, 1, 0, 1));
    OK(cairn_body_set_awake(world, body, 0));
    OK(cairn_body_set_awake(world, body, 1));
    CHECK(state_of(world, body).awake == 1);
    OK(cairn_body_set_enabled(world, body, 0));
    CHECK(state_of(world, body).enabled == 0);
    OK(cairn_body_set_enabled(world, body, 1));
    OK(cairn_body_set_kind(world, body, CAIRN_KINEMATIC));
    OK(cairn_body_set_locks(world, body, 0, 0, 0));
    OK(cairn_body_move_to(world, body, 0.1, 0.0, 0.0f, 1.0f / 60.0f));
    steps(world, 1);
    CHECK(near(state_of(world, body).position.x, 0.1, 1e-3));
    OK(cairn_body_drop_through(world, body));
    cairn_box box;
    OK(cairn_body_get_box(world, body, &box));
    CHECK(near(box.min.x, -0.4, 0.01) && near(box.max.x, 0.6, 0.01));
    OK(cairn_world_destroy(world));
}

static void a_destroyed_body_is_stale(void) {
    cairn_world *world = new_world();
    cairn_body_id body = new_ground(world);
    cairn_bool exists = 0;
    OK(cairn_body_exists(world, body, &exists));
    CHECK(exists == 1);
    OK(cairn_body_destroy(world, body));
    OK(cairn_body_exists(world, body, &exists));
    CHECK(exists == 0);
    EXPECT(CAIRN_STALE_ID, cairn_body_destroy(world, body));
    EXPECT(CAIRN_STALE_ID, cairn_body_set_velocity(world, body, 0.0f, 0.0f));
    cairn_body_id none = {0};
    EXPECT(CAIRN_STALE_ID, cairn_body_set_awake(world, none, 1));
    CHECK(strstr(cairn_last_error(), "body") != NULL);
    OK(cairn_world_destroy(world));
}

int main(void) {
    a_ball_falls_and_rests();
    all_poses_come_in_one_call();
    settings_of_a_body_take_effect();
    a_destroyed_body_is_stale();
    return failures != 0;
}
