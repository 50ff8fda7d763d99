// Saves a world, loads it, and compares: C++17 with handles that destroy themselves.
#include <cairn2d.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct Destroy {
    void operator()(cairn_world *world) const { cairn_world_destroy(world); }
    void operator()(cairn_bytes *bytes) const { cairn_bytes_destroy(bytes); }
};

using World = std::unique_ptr<cairn_world, Destroy>;
using Bytes = std::unique_ptr<cairn_bytes, Destroy>;

void must(cairn_result result) {
    if (result != CAIRN_OK) {
        std::fprintf(stderr, "%s: %s\n", cairn_result_name(result), cairn_last_error());
        std::exit(1);
    }
}

World new_world() {
    cairn_world *world = nullptr;
    must(cairn_world_create(nullptr, &world));
    return World(world);
}

World load(const std::vector<std::uint8_t> &save) {
    cairn_world *world = nullptr;
    must(cairn_world_load(save.data(), save.size(), &world));
    return World(world);
}

void add(const World &world, cairn_body_kind kind, double x, double y, const cairn_geometry &geometry) {
    cairn_body_def def = cairn_default_body_def();
    def.kind = kind;
    def.position = {x, y};
    cairn_body_id body;
    must(cairn_body_create(world.get(), &def, &body));
    must(cairn_shape_create(world.get(), body, &geometry, nullptr, nullptr));
}

std::uint64_t hash_after(const World &world, int steps) {
    for (int i = 0; i < steps; i += 1) {
        must(cairn_world_step(world.get(), 1.0f / 60.0f));
    }
    std::uint64_t hash = 0;
    must(cairn_world_get_hash(world.get(), &hash));
    return hash;
}

} // namespace

int main() {
    const World world = new_world();
    add(world, CAIRN_STATIC, 0.0, -1.0, cairn_make_rectangle(20.0f, 1.0f));
    for (int i = 0; i < 8; i += 1) {
        add(world, CAIRN_DYNAMIC, 0.05 * i, 0.5 + 1.01 * i, cairn_make_rectangle(0.5f, 0.5f));
    }
    hash_after(world, 60);

    cairn_bytes *made = nullptr;
    must(cairn_bytes_create(&made));
    const Bytes bytes(made);
    must(cairn_world_save(world.get(), bytes.get()));
    const std::uint8_t *data = cairn_bytes_data(bytes.get());
    const std::vector<std::uint8_t> file(data, data + cairn_bytes_size(bytes.get()));

    const World loaded = load(file);
    const bool same = hash_after(world, 120) == hash_after(loaded, 120);
    std::printf("a save of %zu bytes continues with %s bits\n", file.size(), same ? "the same" : "OTHER");
    return same ? 0 : 1;
}
