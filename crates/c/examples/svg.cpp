// Draws a world to an SVG file with the callbacks of debug drawing: C++17. Argument: the name of the file.
#include <cairn2d.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

void must(cairn_result result) {
    if (result != CAIRN_OK) {
        std::fprintf(stderr, "%s: %s\n", cairn_result_name(result), cairn_last_error());
        std::exit(1);
    }
}

constexpr double SCALE = 40.0;

double px(double x) { return 400.0 + SCALE * x; }
double py(double y) { return 400.0 - SCALE * y; }

std::string paint(const char *attribute, const cairn_color &color) {
    char text[96];
    std::snprintf(text, sizeof text, " %s=\"rgb(%d,%d,%d)\" %s-opacity=\"%.2f\"", attribute, color.r, color.g, color.b,
                  attribute, color.a / 255.0);
    return text;
}

// Callbacks must not throw: a stream that fails only sets its state.
void polygon(void *context, const cairn_position *corners, std::size_t count, const cairn_draw_style *style) {
    auto &svg = *static_cast<std::ofstream *>(context);
    svg << "<polygon points=\"";
    for (std::size_t i = 0; i < count; i += 1) {
        svg << px(corners[i].x) << ',' << py(corners[i].y) << ' ';
    }
    svg << '"' << paint("fill", style->fill) << paint("stroke", style->line) << " stroke-width=\"" << style->width << "\"/>\n";
}

void segment(void *context, const cairn_position *a, const cairn_position *b, const cairn_draw_style *style) {
    auto &svg = *static_cast<std::ofstream *>(context);
    svg << "<line x1=\"" << px(a->x) << "\" y1=\"" << py(a->y) << "\" x2=\"" << px(b->x) << "\" y2=\"" << py(b->y) << '"'
        << paint("stroke", style->line) << " stroke-width=\"" << style->width << "\"/>\n";
}

void point(void *context, const cairn_position *at, float size, const cairn_color *color) {
    auto &svg = *static_cast<std::ofstream *>(context);
    svg << "<circle cx=\"" << px(at->x) << "\" cy=\"" << py(at->y) << "\" r=\"" << 0.5f * size << '"' << paint("fill", *color)
        << "/>\n";
}

cairn_body_id add(cairn_world *world, cairn_body_kind kind, double x, double y, const cairn_geometry &geometry) {
    cairn_body_def def = cairn_default_body_def();
    def.kind = kind;
    def.position = {x, y};
    cairn_body_id body;
    must(cairn_body_create(world, &def, &body));
    must(cairn_shape_create(world, body, &geometry, nullptr, nullptr));
    return body;
}

} // namespace

int main(int count, char **arguments) {
    const char *path = count > 1 ? arguments[1] : "cairn2d.svg";
    cairn_world *world = nullptr;
    must(cairn_world_create(nullptr, &world));
    add(world, CAIRN_STATIC, 0.0, -1.0, cairn_make_rectangle(9.0f, 1.0f));
    const cairn_body_id hook = add(world, CAIRN_STATIC, 4.0, 6.0, cairn_make_circle(0.0f, 0.0f, 0.2f));
    const cairn_body_id ball = add(world, CAIRN_DYNAMIC, 7.0, 6.0, cairn_make_circle(0.0f, 0.0f, 0.6f));
    for (int i = 0; i < 5; i += 1) {
        add(world, CAIRN_DYNAMIC, 0.0, 0.5 + i, cairn_make_rectangle(0.5f, 0.5f));
    }
    cairn_joint_def rope = cairn_default_joint_def(CAIRN_DISTANCE_JOINT, hook, ball);
    must(cairn_joint_def_between(world, &rope, 4.0, 6.0, 7.0, 6.0));
    must(cairn_joint_create(world, &rope, nullptr));
    for (int i = 0; i < 90; i += 1) {
        must(cairn_world_step(world, 1.0f / 60.0f));
    }

    std::ofstream svg(path);
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"480\">\n";
    cairn_draw_def def = cairn_default_draw_def();
    def.pixels_per_meter = static_cast<float>(SCALE);
    def.layers = CAIRN_DRAW_SHAPES | CAIRN_DRAW_JOINTS | CAIRN_DRAW_CONTACTS;
    const cairn_draw_callbacks callbacks = {&svg, polygon, segment, point, nullptr};
    must(cairn_world_draw(world, &def, &callbacks));
    svg << "</svg>\n";
    must(cairn_world_destroy(world));
    return svg.good() ? 0 : 1;
}
