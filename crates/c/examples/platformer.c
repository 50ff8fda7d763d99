/* The loop of a platformer: a character runs, jumps onto a ledge and pushes a crate. */
#include <cairn2d.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float DT = 1.0f / 60.0f;

static void must(cairn_result result) {
    if (result != CAIRN_OK) {
        fprintf(stderr, "%s: %s\n", cairn_result_name(result), cairn_last_error());
        exit(1);
    }
}

static cairn_body_id add(cairn_world *world, cairn_body_kind kind, double x, double y, cairn_geometry geometry) {
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id body;
    def.kind = kind;
    def.position.x = x;
    def.position.y = y;
    must(cairn_body_create(world, &def, &body));
    must(cairn_shape_create(world, body, &geometry, NULL, NULL));
    return body;
}

int main(void) {
    cairn_world *world = NULL;
    must(cairn_world_create(NULL, &world));
    add(world, CAIRN_STATIC, 0.0, -1.0, cairn_make_rectangle(20.0f, 1.0f));
    add(world, CAIRN_STATIC, 8.0, 0.5, cairn_make_rectangle(3.0f, 0.5f));
    cairn_body_id crate = add(world, CAIRN_DYNAMIC, 8.0, 1.4, cairn_make_rectangle(0.4f, 0.4f));
    cairn_body_id hero = add(world, CAIRN_KINEMATIC, 0.0, 0.9, cairn_make_capsule(0.0f, -0.4f, 0.0f, 0.4f, 0.4f));

    cairn_character_def character = cairn_default_character_def();
    character.push_mass = 80.0f;
    cairn_vec2 velocity = {0.0f, 0.0f};
    cairn_character_move walk;
    walk.footing = CAIRN_AIR;

    for (int frame = 0; frame < 240; frame += 1) {
        /* Input: always to the right; a jump in front of the ledge. */
        int grounded = walk.footing == CAIRN_GROUND;
        velocity.x = 4.0f;
        velocity.y = grounded ? 0.0f : velocity.y - 20.0f * DT;
        if (grounded && frame == 45) {
            velocity.y = 8.0f;
            walk.footing = CAIRN_AIR;
        }

        size_t hit_count = 0;
        cairn_character_hit hits[8];
        cairn_result result = cairn_character_move_body(world, &character, hero, velocity.x * DT, velocity.y * DT, DT,
                                                        &walk, hits, 8, &hit_count);
        must(result == CAIRN_BUFFER_TOO_SMALL ? CAIRN_OK : result);
        must(cairn_world_step(world, DT));
    }

    cairn_body_state at, pushed;
    must(cairn_body_get_state(world, hero, &at));
    must(cairn_body_get_state(world, crate, &pushed));
    printf("the character is at (%.1f, %.1f), the crate at x = %.1f\n", at.position.x, at.position.y, pushed.position.x);
    must(cairn_world_destroy(world));
    return pushed.position.x > 9.0 && at.position.x > 8.0 ? 0 : 1;
}
