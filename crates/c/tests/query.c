/* Queries, with filters and callbacks. */
#include "check.h"

struct counter {
    cairn_world *world;
    int calls;
    cairn_shape_id refused;
};

static cairn_bool accept(void *context, cairn_shape_id shape) {
    struct counter *counter = context;
    counter->calls += 1;
    cairn_body_id body;
    OK(cairn_shape_get_body(counter->world, shape, &body)); /* reading is allowed */
    EXPECT(CAIRN_BUSY, cairn_world_step(counter->world, 0.1f)); /* changing is not */
    EXPECT(CAIRN_BUSY, cairn_world_destroy(counter->world));
    return shape.bits != counter->refused.bits;
}

static void rays_hit_the_nearest_shape(void) {
    cairn_world *world = new_world();
    cairn_body_id left = new_body(world, CAIRN_STATIC, 2.0, 0.0, cairn_make_rectangle(0.5f, 0.5f));
    cairn_body_id right = new_body(world, CAIRN_DYNAMIC, 5.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.5f));
    cairn_ray rays[2] = {{{0.0, 0.0}, {10.0f, 0.0f}}, {{0.0, 3.0}, {10.0f, 0.0f}}};
    cairn_hit hit, hits[4];
    OK(cairn_world_cast_ray(world, &rays[0], NULL, &hit));
    CHECK(hit.found == 1 && hit.body.bits == left.bits && near(hit.fraction, 0.15, 1e-5) && hit.normal.x < -0.99f);
    OK(cairn_world_cast_ray(world, &rays[1], NULL, &hit));
    CHECK(hit.found == 0 && hit.shape.bits == 0);
    size_t count = 0;
    OK(cairn_world_cast_ray_all(world, &rays[0], NULL, hits, 4, &count));
    CHECK(count == 2 && hits[1].body.bits == right.bits);
    OK(cairn_world_cast_rays(world, rays, 2, NULL, hits));
    CHECK(hits[0].body.bits == left.bits && hits[1].found == 0);

    cairn_query_filter filter = cairn_default_query_filter();
    filter.kinds = CAIRN_DYNAMIC_BODIES;
    OK(cairn_world_cast_ray(world, &rays[0], &filter, &hit));
    CHECK(hit.body.bits == right.bits);
    filter = cairn_default_query_filter();
    filter.exclude = left;
    OK(cairn_world_cast_ray(world, &rays[0], &filter, &hit));
    CHECK(hit.body.bits == right.bits);

    struct counter counter = {world, 0, hits[0].shape};
    filter = cairn_default_query_filter();
    filter.accept = accept;
    filter.context = &counter;
    OK(cairn_world_cast_ray(world, &rays[0], &filter, &hit));
    CHECK(hit.body.bits == right.bits && counter.calls >= 1);
    OK(cairn_world_destroy(world));
}

static void shapes_are_found(void) {
    cairn_world *world = new_world();
    cairn_body_id wall = new_body(world, CAIRN_STATIC, 2.0, 0.0, cairn_make_rectangle(0.5f, 0.5f));
    cairn_geometry ball = cairn_make_circle(0.0f, 0.0f, 0.5f);
    cairn_hit hit;
    OK(cairn_world_cast_shape(world, &ball, 0.0, 0.0, 0.0f, 4.0f, 0.0f, NULL, &hit));
    CHECK(hit.found == 1 && hit.body.bits == wall.bits && near(hit.fraction, 0.25, 0.01));
    cairn_shape_id found[4];
    size_t count = 0;
    OK(cairn_world_overlap_shape(world, &ball, 1.2, 0.0, 0.0f, NULL, found, 4, &count));
    CHECK(count == 1);
    OK(cairn_world_overlap_shape(world, &ball, 0.0, 0.0, 0.0f, NULL, found, 4, &count));
    CHECK(count == 0);
    OK(cairn_world_shapes_at(world, 2.1, 0.1, NULL, found, 4, &count));
    CHECK(count == 1);
    cairn_box area = {{-1.0f, -1.0f}, {1.6f, 1.0f}};
    OK(cairn_world_shapes_in(world, &area, NULL, found, 4, &count));
    CHECK(count == 1);
    cairn_nearest nearest;
    OK(cairn_world_closest_shape(world, 0.0, 0.0, 10.0f, NULL, &nearest));
    CHECK(nearest.found == 1 && near(nearest.distance, 1.5, 1e-4) && nearest.body.bits == wall.bits);
    OK(cairn_world_closest_shape(world, 0.0, 0.0, 1.0f, NULL, &nearest));
    CHECK(nearest.found == 0 && nearest.shape.bits == 0);
    OK(cairn_world_destroy(world));
}

int main(void) {
    rays_hit_the_nearest_shape();
    shapes_are_found();
    return failures != 0;
}
