/* Checks of the test programs: each failure is printed, and the program fails at the end. */
#ifndef CHECK_H
#define CHECK_H

#include <cairn2d.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition);      \
            failures += 1;                                                                \
        }                                                                                 \
    } while (0)

/* Checks that a call has a result; the message of another one is printed. */
#define EXPECT(expected, call)                                                            \
    do {                                                                                  \
        cairn_result result_ = (call);                                                    \
        if (result_ != (expected)) {                                                      \
            fprintf(stderr, "%s:%d: %s is %s (%s)\n", __FILE__, __LINE__, #call,          \
                    cairn_result_name(result_), cairn_last_error());                      \
            failures += 1;                                                                \
        }                                                                                 \
    } while (0)

#define OK(call) EXPECT(CAIRN_OK, call)

static inline int near(double a, double b, double tolerance) {
    return a - b <= tolerance && b - a <= tolerance;
}

static inline cairn_world *new_world(void) {
    cairn_world *world = NULL;
    OK(cairn_world_create(NULL, &world));
    return world;
}

/* A body with one shape. */
static inline cairn_body_id new_body(cairn_world *world, cairn_body_kind kind, double x, double y,
                                     cairn_geometry geometry) {
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id body = {0};
    def.kind = kind;
    def.position.x = x;
    def.position.y = y;
    OK(cairn_body_create(world, &def, &body));
    OK(cairn_shape_create(world, body, &geometry, NULL, NULL));
    return body;
}

/* Ground whose top is at y = 0. */
static inline cairn_body_id new_ground(cairn_world *world) {
    return new_body(world, CAIRN_STATIC, 0.0, -1.0, cairn_make_rectangle(20.0f, 1.0f));
}

static inline void steps(cairn_world *world, int count) {
    for (int i = 0; i < count; i += 1) {
        OK(cairn_world_step(world, 1.0f / 60.0f));
    }
}

static inline cairn_body_state state_of(cairn_world *world, cairn_body_id body) {
    cairn_body_state state;
    memset(&state, 0, sizeof state);
    OK(cairn_body_get_state(world, body, &state));
    return state;
}

#endif
