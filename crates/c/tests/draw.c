/* Debug drawing. */
#include "check.h"

struct drawn {
    int polygons, segments, points, texts;
};

static void polygon(void *context, const cairn_position *corners, size_t count, const cairn_draw_style *style) {
    ((struct drawn *)context)->polygons += 1;
    CHECK(count >= 3 && corners[0].x == corners[0].x && style->width >= 0.0f);
}

static void segment(void *context, const cairn_position *a, const cairn_position *b, const cairn_draw_style *style) {
    ((struct drawn *)context)->segments += a != b && style != NULL;
}

static void point(void *context, const cairn_position *at, float size, const cairn_color *color) {
    ((struct drawn *)context)->points += at != NULL && size > 0.0f && color->a > 0;
}

static void text(void *context, const cairn_position *at, const char *text, const cairn_color *color) {
    ((struct drawn *)context)->texts += at != NULL && strlen(text) > 0 && color != NULL;
}

int main(void) {
    cairn_world *world = new_world();
    new_ground(world);
    new_body(world, CAIRN_DYNAMIC, 0.0, 0.5, cairn_make_rectangle(0.5f, 0.5f));
    new_body(world, CAIRN_DYNAMIC, 3.0, 0.5, cairn_make_circle(0.0f, 0.0f, 0.5f));
    steps(world, 10);
    cairn_draw_def def = cairn_default_draw_def();
    CHECK(def.layers & CAIRN_DRAW_SHAPES);
    def.layers = CAIRN_DRAW_ALL;
    struct drawn drawn = {0, 0, 0, 0};
    cairn_draw_callbacks callbacks = {&drawn, polygon, segment, point, text};
    OK(cairn_world_draw(world, &def, &callbacks));
    CHECK(drawn.polygons >= 3 && drawn.segments > 0 && drawn.points > 0 && drawn.texts == 2);
    cairn_draw_callbacks nothing = {NULL, NULL, NULL, NULL, NULL};
    OK(cairn_world_draw(world, NULL, &nothing));

    def.layers = CAIRN_DRAW_SHAPES;
    cairn_draw_vertex triangles[300], lines[300];
    size_t triangle_count = 0, line_count = 0;
    OK(cairn_world_draw_vertices(world, &def, triangles, 300, &triangle_count, lines, 300, &line_count));
    CHECK(triangle_count > 12 && triangle_count % 3 == 0 && line_count % 2 == 0 && line_count > 8);
    cairn_draw_vertex some[3];
    size_t all = 0;
    EXPECT(CAIRN_BUFFER_TOO_SMALL, cairn_world_draw_vertices(world, &def, some, 3, &all, lines, 300, &line_count));
    CHECK(all == triangle_count && some[2].x == triangles[2].x);
    def.origin.x = 100.0;
    OK(cairn_world_draw_vertices(world, &def, triangles, 300, &triangle_count, NULL, 0, &line_count));
    CHECK(near(triangles[2].x, some[2].x - 100.0, 1e-4));
    def.has_view = 1;
    def.view.min.x = def.view.min.y = 50.0f;
    def.view.max.x = def.view.max.y = 51.0f;
    OK(cairn_world_draw_vertices(world, &def, NULL, 0, &triangle_count, NULL, 0, &line_count));
    CHECK(triangle_count == 0);
    def.layers = 1u << 31;
    EXPECT(CAIRN_INVALID_VALUE, cairn_world_draw(world, &def, &nothing));
    def = cairn_default_draw_def();
    def.pixels_per_meter = 0.0f;
    EXPECT(CAIRN_INVALID_VALUE, cairn_world_draw(world, &def, &nothing));

    cairn_crowd *crowd = NULL;
    cairn_agent_def agent = cairn_default_agent_def();
    cairn_agent_id id;
    OK(cairn_crowd_create(NULL, &crowd));
    OK(cairn_crowd_create_agent(crowd, &agent, &id));
    drawn.polygons = 0;
    OK(cairn_crowd_draw(crowd, NULL, &callbacks));
    CHECK(drawn.polygons > 0);
    OK(cairn_crowd_destroy(crowd));
    OK(cairn_world_destroy(world));
    return failures != 0;
}
