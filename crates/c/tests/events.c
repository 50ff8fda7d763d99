/* Events, contacts and the callbacks of a step. */
#include "check.h"

static void a_landing_is_reported(void) {
    cairn_world_def settings = cairn_default_world_def();
    settings.tuning.hit_event_threshold = 1.0f;
    settings.has_bounds = 1;
    settings.bounds.min.x = settings.bounds.min.y = -30.0f;
    settings.bounds.max.x = settings.bounds.max.y = 30.0f;
    cairn_world *world = NULL;
    OK(cairn_world_create(&settings, &world));
    cairn_body_id ground = new_ground(world);
    cairn_geometry box = cairn_make_rectangle(1.0f, 1.0f);
    box.a.y = 1.5f;
    cairn_shape_def def = cairn_default_shape_def();
    def.sensor = 1;
    cairn_shape_id sensor;
    OK(cairn_shape_create(world, ground, &box, &def, &sensor));
    cairn_body_id ball = new_body(world, CAIRN_DYNAMIC, 0.0, 3.0, cairn_make_circle(0.0f, 0.0f, 0.5f));
    cairn_body_id lost = new_body(world, CAIRN_DYNAMIC, 29.8, 3.0, cairn_make_circle(0.0f, 0.0f, 0.1f));
    OK(cairn_body_set_velocity(world, lost, 50.0f, 0.0f));
    cairn_shape_id shape;
    size_t count = 0;
    OK(cairn_body_get_shapes(world, ball, &shape, 1, &count));
    OK(cairn_shape_get_def(world, shape, &def));
    def.force_event_threshold = 1.0f;
    OK(cairn_shape_set_def(world, shape, &def));

    int begins = 0, hits = 0, forces = 0, entered = 0, fell_asleep = 0, left = 0;
    for (int i = 0; i < 240; i += 1) {
        cairn_contact_event events[8];
        cairn_sensor_event visits[8];
        cairn_body_event changes[8];
        steps(world, 1);
        OK(cairn_world_contact_begins(world, events, 8, &count));
        for (size_t k = 0; k < count; k += 1) {
            CHECK(events[k].approach_speed > 1.0f && events[k].contact.bits != 0);
            CHECK(events[k].body_a.bits == ball.bits || events[k].body_b.bits == ball.bits);
        }
        begins += (int)count;
        OK(cairn_world_contact_hits(world, events, 8, &count));
        hits += (int)count;
        OK(cairn_world_contact_forces(world, events, 8, &count));
        forces += (int)count;
        OK(cairn_world_sensor_begins(world, visits, 8, &count));
        entered += (int)count;
        CHECK(count == 0 || (visits[0].sensor.bits == sensor.bits && visits[0].visitor_body.bits == ball.bits));
        OK(cairn_world_body_events(world, changes, 8, &count));
        for (size_t k = 0; k < count; k += 1) {
            fell_asleep += changes[k].kind == CAIRN_FELL_ASLEEP && changes[k].body.bits == ball.bits;
            left += changes[k].kind == CAIRN_LEFT_BOUNDS && changes[k].body.bits == lost.bits;
        }
    }
    CHECK(begins == 1 && hits == 1 && forces > 0 && entered == 1 && fell_asleep == 1 && left == 1);

    cairn_contact contacts[4];
    OK(cairn_world_get_contacts(world, contacts, 4, &count));
    CHECK(count == 1 && contacts[0].point_count == 1 && contacts[0].points[0].separation < 0.01f);
    OK(cairn_body_get_contacts(world, ball, contacts, 4, &count));
    CHECK(count == 1);
    OK(cairn_shape_get_overlaps(world, sensor, &shape, 1, &count));
    CHECK(count == 1);

    OK(cairn_body_destroy(world, ball));
    steps(world, 1);
    cairn_contact_end ends[4];
    cairn_sensor_event visits[4];
    OK(cairn_world_contact_ends(world, ends, 4, &count));
    CHECK(count == 1 && (ends[0].body_a.bits == ball.bits || ends[0].body_b.bits == ball.bits));
    OK(cairn_world_sensor_ends(world, visits, 4, &count));
    CHECK(count == 1);
    OK(cairn_world_destroy(world));
}

struct hooks {
    cairn_world *world;
    int filtered;
    int solved;
};

static cairn_bool filter(void *context, const cairn_hook_shape *a, const cairn_hook_shape *b) {
    struct hooks *hooks = context;
    hooks->filtered += 1;
    EXPECT(CAIRN_BUSY, cairn_world_set_gravity(hooks->world, 0.0f, 0.0f));
    return a->body_user_data != 13 && b->body_user_data != 13;
}

static void pre_solve(void *context, cairn_pre_solve *contact) {
    struct hooks *hooks = context;
    hooks->solved += 1;
    CHECK(contact->point_count >= 1 && contact->normal.y * contact->normal.y > 0.99f);
    contact->friction = 0.0f / 0.0f; /* out of range: ignored */
    contact->ignore = 1;
}

static void callbacks_decide_what_collides(void) {
    cairn_world *world = new_world();
    new_ground(world);
    cairn_body_id ghost = new_body(world, CAIRN_DYNAMIC, -3.0, 0.6, cairn_make_circle(0.0f, 0.0f, 0.5f));
    OK(cairn_body_set_user_data(world, ghost, 13));
    cairn_body_id ball = new_body(world, CAIRN_DYNAMIC, 3.0, 0.6, cairn_make_circle(0.0f, 0.0f, 0.5f));
    cairn_shape_id shape;
    size_t count = 0;
    cairn_shape_def def;
    OK(cairn_body_get_shapes(world, ball, &shape, 1, &count));
    OK(cairn_shape_get_def(world, shape, &def));
    def.pre_solve = 1;
    OK(cairn_shape_set_def(world, shape, &def));
    struct hooks hooks = {world, 0, 0};
    OK(cairn_world_set_pair_filter(world, filter, &hooks));
    OK(cairn_world_set_pre_solve(world, pre_solve, &hooks));
    steps(world, 60);
    CHECK(hooks.filtered > 0 && hooks.solved > 0);
    CHECK(state_of(world, ghost).position.y < -1.0 && state_of(world, ball).position.y < -1.0);
    OK(cairn_world_set_pair_filter(world, NULL, NULL));
    OK(cairn_world_set_pre_solve(world, NULL, NULL));
    steps(world, 1);
    OK(cairn_world_destroy(world));
}

int main(void) {
    a_landing_is_reported();
    callbacks_decide_what_collides();
    return failures != 0;
}
