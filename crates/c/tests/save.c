/* Saves, differences and recordings. */
#include "check.h"
#include <stdlib.h>

static uint64_t hash_of(const cairn_world *world) {
    uint64_t hash = 0;
    OK(cairn_world_get_hash(world, &hash));
    return hash;
}

static cairn_world *new_scene(void) {
    cairn_world *world = new_world();
    new_ground(world);
    for (int i = 0; i < 5; i += 1) {
        new_body(world, CAIRN_DYNAMIC, 0.1 * i, 1.0 + 1.1 * i, cairn_make_rectangle(0.5f, 0.5f));
    }
    return world;
}

static void a_loaded_world_continues_with_the_same_bits(void) {
    cairn_world *world = new_scene(), *loaded = NULL;
    cairn_bytes *bytes = NULL;
    OK(cairn_bytes_create(&bytes));
    steps(world, 30);
    OK(cairn_world_save(world, bytes));
    CHECK(cairn_bytes_size(bytes) > 100);
    OK(cairn_world_load(cairn_bytes_data(bytes), cairn_bytes_size(bytes), &loaded));
    steps(world, 30);
    steps(loaded, 30);
    CHECK(hash_of(world) == hash_of(loaded));
    OK(cairn_world_destroy(loaded));
    OK(cairn_world_destroy(world));

    /* Damaged bytes are refused, and the place for the world stays as it was. */
    size_t size = cairn_bytes_size(bytes);
    uint8_t *damaged = malloc(size);
    loaded = NULL;
    for (size_t i = 0; i < size; i += 97) {
        memcpy(damaged, cairn_bytes_data(bytes), size);
        damaged[i] ^= 0x5a;
        EXPECT(CAIRN_INVALID_DATA, cairn_world_load(damaged, size, &loaded));
        EXPECT(CAIRN_INVALID_DATA, cairn_world_load(cairn_bytes_data(bytes), i, &loaded));
    }
    CHECK(loaded == NULL);
    free(damaged);
    OK(cairn_bytes_destroy(bytes));
}

static void a_difference_gives_the_world_back(void) {
    cairn_world *world = new_scene(), *loaded = NULL;
    cairn_base_save *base = NULL;
    cairn_bytes *whole = NULL, *delta = NULL;
    OK(cairn_bytes_create(&whole));
    OK(cairn_bytes_create(&delta));
    OK(cairn_base_save_create(world, &base));
    OK(cairn_base_save_get(base, whole));
    steps(world, 10);
    OK(cairn_world_save_delta(world, base, delta));
    OK(cairn_world_load_delta(cairn_bytes_data(whole), cairn_bytes_size(whole), cairn_bytes_data(delta),
                              cairn_bytes_size(delta), &loaded));
    CHECK(hash_of(world) == hash_of(loaded));
    OK(cairn_world_destroy(loaded));
    EXPECT(CAIRN_INVALID_DATA, cairn_world_load_delta(cairn_bytes_data(whole), cairn_bytes_size(whole), NULL, 0, &loaded));
    OK(cairn_base_save_destroy(base));
    OK(cairn_bytes_destroy(whole));
    OK(cairn_bytes_destroy(delta));
    OK(cairn_world_destroy(world));
}

static void the_base_may_be_of_another_kind_of_world(void) {
    const cairn_broad_phase kinds[] = {CAIRN_TREE, CAIRN_SWEEP_AND_PRUNE, CAIRN_GRID};
    for (int i = 0; i < 9; i += 1) {
        cairn_world_def def = cairn_default_world_def();
        cairn_world *worlds[2] = {NULL, NULL}, *loaded = NULL;
        def.broad_phase = kinds[i / 3];
        OK(cairn_world_create(&def, &worlds[0]));
        def.broad_phase = kinds[i % 3];
        OK(cairn_world_create(&def, &worlds[1]));
        new_ground(worlds[0]);
        new_ground(worlds[1]);
        new_body(worlds[1], CAIRN_DYNAMIC, 0.0, 1.0, cairn_make_circle(0.0f, 0.0f, 0.5f));
        cairn_base_save *base = NULL;
        cairn_bytes *whole = NULL, *delta = NULL;
        OK(cairn_bytes_create(&whole));
        OK(cairn_bytes_create(&delta));
        OK(cairn_base_save_create(worlds[0], &base));
        OK(cairn_base_save_get(base, whole));
        OK(cairn_world_save_delta(worlds[1], base, delta));
        OK(cairn_world_load_delta(cairn_bytes_data(whole), cairn_bytes_size(whole), cairn_bytes_data(delta),
                                  cairn_bytes_size(delta), &loaded));
        CHECK(hash_of(loaded) == hash_of(worlds[1]));
        OK(cairn_world_destroy(loaded));
        OK(cairn_world_destroy(worlds[0]));
        OK(cairn_world_destroy(worlds[1]));
        OK(cairn_base_save_destroy(base));
        OK(cairn_bytes_destroy(whole));
        OK(cairn_bytes_destroy(delta));
    }
}

static void a_recording_is_played(void) {
    cairn_world *world = new_scene(), *copy = NULL;
    cairn_bytes *bytes = NULL;
    OK(cairn_bytes_create(&bytes));
    EXPECT(CAIRN_WRONG_STATE, cairn_world_stop_recording(world, bytes));
    OK(cairn_world_start_recording(world));
    EXPECT(CAIRN_WRONG_STATE, cairn_world_start_recording(world));
    steps(world, 20);
    uint64_t middle = hash_of(world);
    steps(world, 20);
    OK(cairn_world_stop_recording(world, bytes));
    cairn_player *player = NULL;
    OK(cairn_player_create(cairn_bytes_data(bytes), cairn_bytes_size(bytes), &player));
    cairn_bool advanced = 1;
    int count = -1;
    while (advanced) {
        OK(cairn_player_advance(player, &advanced));
        count += 1;
    }
    uint64_t step = 0, step_count = 0;
    OK(cairn_player_get_steps(player, &step, &step_count));
    CHECK(count == 40 && step == 40 && step_count == 40);
    OK(cairn_player_copy_world(player, &copy));
    CHECK(hash_of(copy) == hash_of(world));
    OK(cairn_world_destroy(copy));
    OK(cairn_player_seek(player, 20));
    OK(cairn_player_copy_world(player, &copy));
    CHECK(hash_of(copy) == middle);
    OK(cairn_world_destroy(copy));
    OK(cairn_player_destroy(player));
    EXPECT(CAIRN_INVALID_DATA, cairn_player_create((const uint8_t *)"nonsense", 8, &player));
    OK(cairn_bytes_destroy(bytes));
    OK(cairn_world_destroy(world));
}

int main(void) {
    a_loaded_world_continues_with_the_same_bits();
    a_difference_gives_the_world_back();
    the_base_may_be_of_another_kind_of_world();
    a_recording_is_played();
    return failures != 0;
}
