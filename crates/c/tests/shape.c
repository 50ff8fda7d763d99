/* Shapes: geometry and settings. */
#include "check.h"

static void each_geometry_is_read_back(void) {
    cairn_world *world = new_world();
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id body;
    OK(cairn_body_create(world, &def, &body));
    const cairn_vec2 corners[3] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}};
    cairn_geometry rounded = cairn_make_rectangle(1.0f, 0.5f);
    rounded.a.x = 3.0f;
    rounded.angle = 0.5f;
    rounded.radius = 0.1f;
    const cairn_geometry geometries[] = {
        cairn_make_circle(1.0f, 2.0f, 0.5f),      cairn_make_capsule(0.0f, 0.0f, 1.0f, 0.0f, 0.3f),
        cairn_make_segment(0.0f, 0.0f, 1.0f, 1.0f), cairn_make_polygon(corners, 3, 0.05f),
        cairn_make_rectangle(1.0f, 2.0f),         cairn_make_ellipse(0.0f, 0.0f, 2.0f, 1.0f, 0.3f),
        cairn_make_half_space(0.0f, -9.0f, 0.0f, 1.0f), rounded,
    };
    const cairn_geometry_kind kinds[] = {CAIRN_CIRCLE,  CAIRN_CAPSULE, CAIRN_SEGMENT,    CAIRN_POLYGON,
                                         CAIRN_POLYGON, CAIRN_ELLIPSE, CAIRN_HALF_SPACE, CAIRN_POLYGON};
    const size_t counts[] = {0, 0, 0, 3, 4, 0, 0, 4};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i += 1) {
        cairn_shape_id shape;
        cairn_geometry now;
        cairn_vec2 points[8];
        size_t count = 9;
        OK(cairn_shape_create(world, body, &geometries[i], NULL, &shape));
        OK(cairn_shape_get_geometry(world, shape, &now, points, 8, &count));
        CHECK(now.kind == kinds[i] && count == counts[i] && now.point_count == count);
        if (geometries[i].kind != CAIRN_RECTANGLE) {
            CHECK(near(now.radius, geometries[i].radius, 1e-6) && now.a.x == geometries[i].a.x);
        } else {
            CHECK(now.points == points);
        }
        OK(cairn_shape_set_geometry(world, shape, &geometries[0]));
        OK(cairn_shape_get_geometry(world, shape, &now, NULL, 0, &count));
        CHECK(now.kind == CAIRN_CIRCLE && count == 0);
    }
    cairn_shape_id shapes[8];
    size_t count = 0;
    OK(cairn_body_get_shapes(world, body, shapes, 8, &count));
    CHECK(count == 8);
    OK(cairn_world_destroy(world));
}

static void settings_are_read_back(void) {
    cairn_world *world = new_world();
    cairn_body_id ground = new_ground(world);
    cairn_shape_def def = cairn_default_shape_def();
    CHECK(def.density == 1.0f && def.sensor == 0);
    def.density = 2.0f;
    def.material.friction = 0.3f;
    def.material.restitution_rule = CAIRN_MIX_AVERAGE;
    def.material.one_way.y = 1.0f;
    def.filter.category = 4;
    def.user_data = UINT64_MAX;
    cairn_geometry circle = cairn_make_circle(0.0f, 0.0f, 1.0f);
    cairn_shape_id shape;
    OK(cairn_shape_create(world, ground, &circle, &def, &shape));
    cairn_shape_def now;
    OK(cairn_shape_get_def(world, shape, &now));
    CHECK(now.density == 2.0f && now.material.friction == 0.3f && now.material.one_way.y == 1.0f);
    CHECK(now.material.restitution_rule == CAIRN_MIX_AVERAGE && now.material.friction_rule == CAIRN_MIX_DEFAULT);
    CHECK(now.filter.category == 4 && now.user_data == UINT64_MAX);
    now.sensor = 1;
    now.density = 0.5f;
    now.filter.mask = 2;
    OK(cairn_shape_set_def(world, shape, &now));
    OK(cairn_shape_get_def(world, shape, &def));
    CHECK(def.sensor == 1 && def.density == 0.5f && def.filter.mask == 2);
    now.material.friction = -1.0f;
    now.density = 3.0f;
    EXPECT(CAIRN_INVALID_VALUE, cairn_shape_set_def(world, shape, &now));
    OK(cairn_shape_get_def(world, shape, &def));
    CHECK(def.density == 0.5f); /* a refused call changes nothing */
    cairn_body_id owner;
    OK(cairn_shape_get_body(world, shape, &owner));
    CHECK(owner.bits == ground.bits);
    cairn_box box;
    OK(cairn_shape_get_box(world, shape, &box));
    CHECK(near(box.max.y, 0.0, 0.1));
    OK(cairn_shape_set_enabled(world, shape, 0));
    OK(cairn_shape_set_enabled(world, shape, 1));
    OK(cairn_shape_destroy(world, shape));
    cairn_bool exists = 1;
    OK(cairn_shape_exists(world, shape, &exists));
    CHECK(exists == 0);
    EXPECT(CAIRN_STALE_ID, cairn_shape_destroy(world, shape));
    OK(cairn_world_destroy(world));
}

static void a_ball_rolls_over_a_chain(void) {
    cairn_world *world = new_world();
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id ground;
    OK(cairn_body_create(world, &def, &ground));
    const cairn_vec2 points[4] = {{-5.0f, 0.0f}, {0.0f, 0.0f}, {2.0f, 0.0f}, {5.0f, 0.0f}};
    cairn_shape_id segments[3];
    size_t count = 0;
    OK(cairn_shape_create_chain(world, ground, CAIRN_CHAIN_GROUND, points, 4, NULL, segments, 3, &count));
    CHECK(count == 3);
    cairn_body_id ball = new_body(world, CAIRN_DYNAMIC, -1.0, 0.6, cairn_make_circle(0.0f, 0.0f, 0.5f));
    OK(cairn_body_set_velocity(world, ball, 1.0f, 0.0f));
    steps(world, 60);
    CHECK(near(state_of(world, ball).position.y, 0.5, 0.01) && state_of(world, ball).position.x > -0.5);
    const cairn_vec2 square[4] = {{-9.0f, -9.0f}, {9.0f, -9.0f}, {9.0f, 9.0f}, {-9.0f, 9.0f}};
    OK(cairn_shape_create_chain(world, ground, CAIRN_CHAIN_LOOP, square, 4, NULL, NULL, 0, &count));
    CHECK(count == 4);
    OK(cairn_shape_create_chain(world, ground, CAIRN_CHAIN_OPEN, square, 3, NULL, NULL, 0, &count));
    OK(cairn_shape_create_chain(world, ground, CAIRN_CHAIN_TWO_SIDED, square, 3, NULL, NULL, 0, &count));
    OK(cairn_world_destroy(world));
}

int main(void) {
    each_geometry_is_read_back();
    settings_are_read_back();
    a_ball_rolls_over_a_chain();
    return failures != 0;
}
