/* Bad input of all groups: each call fails with a code and a message, and changes nothing. */
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define NULL_POINTER(call) EXPECT(CAIRN_INVALID_POINTER, call)
#define INVALID(call) EXPECT(CAIRN_INVALID_VALUE, call)
#define STALE(call) EXPECT(CAIRN_STALE_ID, call)

static uint64_t hash_of(const cairn_world *world) {
    uint64_t hash = 0;
    OK(cairn_world_get_hash(world, &hash));
    return hash;
}

static void null_pointers_and_handles(cairn_world *world, cairn_body_id body) {
    cairn_world *none = NULL;
    cairn_body_def body_def = cairn_default_body_def();
    cairn_geometry circle = cairn_make_circle(0.0f, 0.0f, 1.0f);
    cairn_hit hit;
    size_t count = 0;
    NULL_POINTER(cairn_world_create(NULL, NULL));
    NULL_POINTER(cairn_world_step(NULL, 0.1f));
    CHECK(strcmp(cairn_last_error(), "world is null") == 0);
    NULL_POINTER(cairn_world_get_def(NULL, NULL));
    NULL_POINTER(cairn_world_get_def(world, NULL));
    NULL_POINTER(cairn_world_set_def(world, NULL));
    NULL_POINTER(cairn_world_clone(NULL, &none));
    NULL_POINTER(cairn_world_clone(world, NULL));
    NULL_POINTER(cairn_world_get_hash(world, NULL));
    NULL_POINTER(cairn_body_create(world, NULL, &body));
    NULL_POINTER(cairn_body_create(world, &body_def, NULL));
    NULL_POINTER(cairn_body_get_state(world, body, NULL));
    NULL_POINTER(cairn_world_get_poses(world, NULL, 0, NULL));
    NULL_POINTER(cairn_world_get_poses(world, NULL, 5, &count));
    NULL_POINTER(cairn_world_get_poses_of(world, NULL, 1, NULL));
    NULL_POINTER(cairn_world_get_poses_of(world, &body, 1, NULL));
    NULL_POINTER(cairn_world_apply_forces(world, NULL, 3));
    NULL_POINTER(cairn_shape_create(world, body, NULL, NULL, NULL));
    NULL_POINTER(cairn_shape_create(NULL, body, &circle, NULL, NULL));
    NULL_POINTER(cairn_shape_create_chain(world, body, CAIRN_CHAIN_OPEN, NULL, 4, NULL, NULL, 0, &count));
    NULL_POINTER(cairn_joint_create(world, NULL, NULL));
    NULL_POINTER(cairn_joint_def_at(world, NULL, 0.0, 0.0, 0.0f));
    NULL_POINTER(cairn_world_cast_ray(world, NULL, NULL, &hit));
    NULL_POINTER(cairn_world_cast_rays(world, NULL, 2, NULL, &hit));
    NULL_POINTER(cairn_world_contact_begins(world, NULL, 0, NULL));
    NULL_POINTER(cairn_character_move_body(world, NULL, body, 0.0f, 0.0f, 0.1f, NULL, NULL, 0, &count));
    NULL_POINTER(cairn_world_save(world, NULL));
    NULL_POINTER(cairn_world_load(NULL, 10, &none));
    NULL_POINTER(cairn_base_save_create(world, NULL));
    NULL_POINTER(cairn_player_create(NULL, 10, NULL));
    NULL_POINTER(cairn_world_draw(world, NULL, NULL));
    NULL_POINTER(cairn_world_draw_vertices(world, NULL, NULL, 0, NULL, NULL, 0, NULL));
    NULL_POINTER(cairn_crowd_create(NULL, NULL));
    NULL_POINTER(cairn_crowd_step(NULL, 0.1f));
    NULL_POINTER(cairn_crowd_create_agent(NULL, NULL, NULL));
    CHECK(cairn_bytes_data(NULL) == NULL && cairn_bytes_size(NULL) == 0);
    cairn_geometry polygon = cairn_make_polygon(NULL, 3, 0.0f);
    NULL_POINTER(cairn_shape_create(world, body, &polygon, NULL, NULL));
    cairn_crowd *crowd = NULL;
    OK(cairn_crowd_create(NULL, &crowd));
    INVALID(cairn_crowd_step(crowd, NAN));
    INVALID(cairn_crowd_step(crowd, 1e20f));
    INVALID(cairn_crowd_update(crowd, world, 1e20f));
    OK(cairn_crowd_destroy(crowd));
    OK(cairn_world_destroy(NULL));
    OK(cairn_bytes_destroy(NULL));
    OK(cairn_crowd_destroy(NULL));
    OK(cairn_player_destroy(NULL));
    OK(cairn_base_save_destroy(NULL));
}

static void misaligned_pointers_and_lying_counts(cairn_world *world, cairn_body_id body) {
    uint64_t room[8] = {0};
    uint8_t *odd = (uint8_t *)room + 1;
    size_t count = 0;
    cairn_body_pose pose;
    NULL_POINTER(cairn_world_get_hash(world, (uint64_t *)(void *)odd));
    NULL_POINTER(cairn_body_create(world, (const cairn_body_def *)(const void *)odd, &body));
    NULL_POINTER(cairn_world_step((cairn_world *)(void *)odd, 0.1f));
    INVALID(cairn_world_get_poses(world, &pose, SIZE_MAX, &count));
    INVALID(cairn_world_get_poses(world, &pose, SIZE_MAX / 2, &count));
    INVALID(cairn_world_get_poses_of(world, &body, SIZE_MAX / sizeof body, &pose));
    INVALID(cairn_world_load(odd, SIZE_MAX, &world));
    cairn_vec2 corners[3] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}};
    INVALID(cairn_shape_create_chain(world, body, CAIRN_CHAIN_OPEN, corners, SIZE_MAX / 4, NULL, NULL, 0, &count));
    INVALID(cairn_shape_create_chain(world, body, CAIRN_CHAIN_OPEN, corners, 1, NULL, NULL, 0, &count));
    INVALID(cairn_shape_create_chain(world, body, 99, corners, 3, NULL, NULL, 0, &count));
    cairn_geometry polygon = cairn_make_polygon(corners, 2, 0.0f);
    INVALID(cairn_shape_create(world, body, &polygon, NULL, NULL));
}

static void numbers(cairn_world *world, cairn_body_id body) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i += 1) {
        float value = bad[i];
        cairn_world_def world_def = cairn_default_world_def();
        cairn_body_def body_def = cairn_default_body_def();
        cairn_shape_def shape_def = cairn_default_shape_def();
        cairn_geometry circle = cairn_make_circle(0.0f, 0.0f, value), fine = cairn_make_circle(0.0f, 0.0f, 1.0f);
        cairn_geometry box = cairn_make_rectangle(1.0f, 1.0f);
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_REVOLUTE_JOINT, body, body);
        cairn_world *made = NULL;
        cairn_body_id other;
        cairn_hit hit;
        cairn_nearest nearest;
        cairn_ray ray = {{0.0, 0.0}, {value, 0.0f}};
        cairn_shape_id shape;
        size_t count = 0;
        world_def.gravity.x = value;
        INVALID(cairn_world_create(&world_def, &made));
        INVALID(cairn_world_set_def(world, &world_def));
        INVALID(cairn_world_step(world, value));
        INVALID(cairn_world_set_gravity(world, 0.0f, value));
        INVALID(cairn_world_shift_origin(world, value, 0.0));
        body_def.position.y = value;
        INVALID(cairn_body_create(world, &body_def, &other));
        INVALID(cairn_body_set_pose(world, body, value, 0.0, 0.0f));
        INVALID(cairn_body_set_pose(world, body, 0.0, 0.0, value));
        INVALID(cairn_body_move_to(world, body, 0.0, 0.0, 0.0f, value));
        INVALID(cairn_body_set_velocity(world, body, value, 0.0f));
        INVALID(cairn_body_apply_force(world, body, 0.0f, value));
        INVALID(cairn_body_apply_impulse_at(world, body, 0.0f, 0.0f, value, 0.0));
        INVALID(cairn_body_apply_torque(world, body, value));
        INVALID(cairn_body_set_gravity_scale(world, body, value));
        INVALID(cairn_shape_create(world, body, &circle, NULL, NULL));
        box.angle = value;
        INVALID(cairn_shape_create(world, body, &box, NULL, NULL));
        box.radius = 0.1f;
        INVALID(cairn_shape_create(world, body, &box, NULL, NULL));
        shape_def.density = value;
        INVALID(cairn_shape_create(world, body, &fine, &shape_def, NULL));
        joint.frame_a.anchor.x = value;
        INVALID(cairn_joint_create(world, &joint, NULL));
        INVALID(cairn_joint_def_at(world, &joint, 0.0, value, 0.0f));
        INVALID(cairn_world_cast_ray(world, &ray, NULL, &hit));
        INVALID(cairn_world_cast_shape(world, &fine, 0.0, 0.0, value, 1.0f, 0.0f, NULL, &hit));
        INVALID(cairn_world_overlap_shape(world, &fine, value, 0.0, 0.0f, NULL, &shape, 1, &count));
        INVALID(cairn_world_shapes_at(world, 0.0, value, NULL, &shape, 1, &count));
        INVALID(cairn_world_closest_shape(world, 0.0, 0.0, value, NULL, &nearest));
        INVALID(cairn_world_get_placements(world, value, NULL, 0, &count));
    }
    cairn_box upside_down = {{1.0f, 1.0f}, {0.0f, 0.0f}};
    size_t count = 0;
    INVALID(cairn_world_shapes_in(world, &upside_down, NULL, NULL, 0, &count));
    INVALID(cairn_world_step(world, -1.0f));
}

static void unknown_values(cairn_world *world, cairn_body_id body) {
    cairn_world_def world_def = cairn_default_world_def();
    cairn_world *made = NULL;
    world_def.broad_phase = 77;
    INVALID(cairn_world_create(&world_def, &made));
    world_def = cairn_default_world_def();
    world_def.threads = 0;
    INVALID(cairn_world_create(&world_def, &made));
    world_def.threads = 1;
    world_def.id_mark = 65536;
    INVALID(cairn_world_create(&world_def, &made));
    CHECK(made == NULL);
    cairn_body_def body_def = cairn_default_body_def();
    cairn_body_id other;
    body_def.kind = 3;
    INVALID(cairn_body_create(world, &body_def, &other));
    CHECK(strstr(cairn_last_error(), "kind is 3") != NULL);
    INVALID(cairn_body_set_kind(world, body, UINT32_MAX));
    INVALID(cairn_body_set_continuous(world, body, 9, 0, 0));
    cairn_geometry geometry = cairn_make_circle(0.0f, 0.0f, 1.0f);
    geometry.kind = CAIRN_CHAIN_SEGMENT;
    INVALID(cairn_shape_create(world, body, &geometry, NULL, NULL));
    geometry.kind = CAIRN_CIRCLE;
    cairn_shape_def shape_def = cairn_default_shape_def();
    shape_def.material.friction_rule = 6;
    INVALID(cairn_shape_create(world, body, &geometry, &shape_def, NULL));
    cairn_joint_def joint = cairn_default_joint_def(55, body, body);
    INVALID(cairn_joint_create(world, &joint, NULL));
    joint.kind = CAIRN_WELD_JOINT;
    INVALID(cairn_joint_create(world, &joint, NULL)); /* a body with itself */
    cairn_query_filter filter = cairn_default_query_filter();
    cairn_ray ray = {{0.0, 0.0}, {1.0f, 0.0f}};
    cairn_hit hit;
    filter.kinds = 8;
    INVALID(cairn_world_cast_ray(world, &ray, &filter, &hit));
}

static void stale_ids(cairn_world *world, cairn_body_id body) {
    cairn_world_def def = cairn_default_world_def();
    cairn_world *other = NULL;
    def.id_mark = 9;
    OK(cairn_world_create(&def, &other));
    cairn_body_id foreign = new_ground(other);
    cairn_geometry circle = cairn_make_circle(0.0f, 0.0f, 1.0f);
    cairn_body_id none = {0}, wild = {UINT64_MAX};
    cairn_shape_id no_shape = {12345};
    cairn_joint_id no_joint = {0};
    cairn_body_id ids[3] = {none, wild, foreign};
    cairn_body_pose poses[2];
    cairn_body_id pair[2] = {body, foreign};
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_REVOLUTE_JOINT, body, foreign);
    for (int i = 0; i < 3; i += 1) {
        cairn_body_state state;
        STALE(cairn_body_get_state(world, ids[i], &state));
        STALE(cairn_body_set_velocity(world, ids[i], 1.0f, 0.0f));
        STALE(cairn_shape_create(world, ids[i], &circle, NULL, NULL));
        STALE(cairn_body_destroy(world, ids[i]));
        STALE(cairn_world_ignore_pair(world, body, ids[i], 1.0f));
    }
    STALE(cairn_world_get_poses_of(world, pair, 2, poses));
    STALE(cairn_joint_create(world, &joint, NULL));
    STALE(cairn_joint_def_at(world, &joint, 0.0, 0.0, 0.0f));
    STALE(cairn_shape_set_enabled(world, no_shape, 1));
    STALE(cairn_joint_set_motor_speed(world, no_joint, 1.0f));
    OK(cairn_world_destroy(other));
}

int main(void) {
    cairn_world *world = new_world();
    cairn_body_id body = new_body(world, CAIRN_DYNAMIC, 0.0, 3.0, cairn_make_circle(0.0f, 0.0f, 0.5f));
    steps(world, 1);
    uint64_t before = hash_of(world);
    null_pointers_and_handles(world, body);
    misaligned_pointers_and_lying_counts(world, body);
    numbers(world, body);
    unknown_values(world, body);
    stale_ids(world, body);
    CHECK(hash_of(world) == before);
    CHECK(strcmp(cairn_result_name(CAIRN_STALE_ID), "CAIRN_STALE_ID") == 0);
    CHECK(strcmp(cairn_result_name(12345), "unknown result") == 0);
    OK(cairn_world_destroy(world));
    return failures != 0;
}
