/* Characters. */
#include "check.h"

static void a_character_walks_and_is_stopped_by_a_wall(void) {
    cairn_world *world = new_world();
    cairn_body_id ground = new_ground(world);
    cairn_body_id wall = new_body(world, CAIRN_STATIC, 3.0, 2.0, cairn_make_rectangle(0.5f, 2.0f));
    cairn_body_id crate = new_body(world, CAIRN_DYNAMIC, -3.0, 0.3, cairn_make_rectangle(0.3f, 0.3f));
    cairn_body_id hero = new_body(world, CAIRN_KINEMATIC, 0.0, 1.0, cairn_make_capsule(0.0f, -0.4f, 0.0f, 0.4f, 0.4f));
    cairn_character_def def = cairn_default_character_def();
    const float dt = 1.0f / 60.0f;
    cairn_character_move walk;
    cairn_character_hit hits[4];
    size_t count = 0, wall_hits = 0;
    for (int i = 0; i < 120; i += 1) {
        OK(cairn_character_move_body(world, &def, hero, 3.0f * dt, -2.0f * dt, dt, &walk, hits, 4, &count));
        for (size_t k = 0; k < count; k += 1) {
            wall_hits += hits[k].body.bits == wall.bits;
        }
        steps(world, 1);
    }
    CHECK(walk.footing == CAIRN_GROUND && walk.ground_body.bits == ground.bits && wall_hits > 0);
    CHECK(near(state_of(world, hero).position.x, 2.1, 0.05) && near(state_of(world, hero).position.y, 0.8, 0.05));
    def.push_mass = 80.0f;
    for (int i = 0; i < 150; i += 1) {
        OK(cairn_character_move_body(world, &def, hero, -3.0f * dt, -2.0f * dt, dt, &walk, NULL, 0, &count));
        steps(world, 1);
    }
    CHECK(state_of(world, crate).position.x < -3.2);

    cairn_geometry shape = cairn_make_circle(0.0f, 0.0f, 0.4f);
    OK(cairn_character_walk(world, &def, &shape, 0.0, 3.0, 0.0f, 0.1f, 0.0f, dt, &walk));
    CHECK(walk.footing == CAIRN_AIR && walk.ground_shape.bits == 0 && near(walk.translation.x, 0.1, 1e-5));
    EXPECT(CAIRN_INVALID_VALUE, cairn_character_move_body(world, &def, ground, 0.0f, 0.0f, dt, &walk, NULL, 0, &count));
    def.step_onto = 8;
    EXPECT(CAIRN_INVALID_VALUE, cairn_character_walk(world, &def, &shape, 0.0, 3.0, 0.0f, 0.1f, 0.0f, dt, &walk));
    OK(cairn_world_destroy(world));
}

int main(void) {
    a_character_walks_and_is_stopped_by_a_wall();
    return failures != 0;
}
