/* A box falls on the ground. */
#include <cairn2d.h>
#include <stdio.h>

static int check(cairn_result result) {
    if (result != CAIRN_OK) {
        fprintf(stderr, "%s: %s\n", cairn_result_name(result), cairn_last_error());
    }
    return result == CAIRN_OK;
}

int main(void) {
    cairn_world *world = NULL;
    if (!check(cairn_world_create(NULL, &world))) {
        return 1;
    }

    /* The ground: a static body whose top is at y = 0. */
    cairn_body_def def = cairn_default_body_def();
    cairn_geometry geometry = cairn_make_rectangle(20.0f, 1.0f);
    cairn_body_id ground, box;
    def.position.y = -1.0;
    check(cairn_body_create(world, &def, &ground));
    check(cairn_shape_create(world, ground, &geometry, NULL, NULL));

    /* A box of 1 m x 1 m, dropped from 4 m. */
    def = cairn_default_body_def();
    def.kind = CAIRN_DYNAMIC;
    def.position.y = 4.0;
    def.angle = 0.3f;
    geometry = cairn_make_rectangle(0.5f, 0.5f);
    check(cairn_body_create(world, &def, &box));
    check(cairn_shape_create(world, box, &geometry, NULL, NULL));

    for (int step = 0; step < 180; step += 1) {
        cairn_contact_event touches[8];
        size_t count = 0;
        check(cairn_world_step(world, 1.0f / 60.0f));
        check(cairn_world_contact_begins(world, touches, 8, &count));
        for (size_t i = 0; i < count && i < 8; i += 1) {
            printf("hit at %.1f m/s\n", touches[i].approach_speed);
        }
    }

    cairn_body_state state;
    check(cairn_body_get_state(world, box, &state));
    printf("the box rests at a height of %.2f m\n", state.position.y);
    check(cairn_world_destroy(world));
    return state.position.y > 0.49 && state.position.y < 0.51 ? 0 : 1;
}
