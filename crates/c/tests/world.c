/* Worlds: settings, counts, clones, hashes. */
#include "check.h"

static void settings_are_read_back(void) {
    cairn_world_def def = cairn_default_world_def();
    CHECK(def.gravity.y < -9.0f && def.substeps == 4 && def.sleeping == 1);
    def.gravity.x = 1.0f;
    def.threads = 2;
    def.broad_phase = CAIRN_GRID;
    def.id_mark = 7;
    def.profiling = 255; /* every number but 0 is true */
    def.has_bounds = 1;
    def.bounds.min.x = def.bounds.min.y = -50.0f;
    def.bounds.max.x = def.bounds.max.y = 50.0f;
    cairn_world *world = NULL;
    OK(cairn_world_create(&def, &world));
    cairn_world_def now;
    OK(cairn_world_get_def(world, &now));
    CHECK(now.gravity.x == 1.0f && now.threads == 2 && now.broad_phase == CAIRN_GRID && now.id_mark == 7);
    CHECK(now.profiling == 1 && now.has_bounds == 1 && now.bounds.max.y == 50.0f);
    now.substeps = 8;
    OK(cairn_world_set_def(world, &now));
    OK(cairn_world_set_gravity(world, 0.0f, -1.0f));
    OK(cairn_world_get_def(world, &now));
    CHECK(now.substeps == 8 && now.gravity.y == -1.0f);
    new_ground(world);
    steps(world, 2);
    cairn_profile profile;
    OK(cairn_world_get_profile(world, &profile));
    CHECK(profile.step > 0);
    OK(cairn_world_destroy(world));
}

static void a_clone_continues_with_the_same_bits(void) {
    cairn_world *world = new_world(), *copy = NULL;
    new_ground(world);
    new_body(world, CAIRN_DYNAMIC, 0.1, 3.0, cairn_make_circle(0.0f, 0.0f, 0.5f));
    steps(world, 20);
    OK(cairn_world_clone(world, &copy));
    steps(world, 40);
    steps(copy, 40);
    uint64_t hash = 0, hash_of_copy = 1;
    OK(cairn_world_get_hash(world, &hash));
    OK(cairn_world_get_hash(copy, &hash_of_copy));
    CHECK(hash == hash_of_copy);
    double kinetic = -1.0;
    OK(cairn_world_get_energy(world, &kinetic, NULL));
    CHECK(kinetic >= 0.0);
    OK(cairn_world_destroy(copy));
    OK(cairn_world_clear(world));
    cairn_counts counts;
    OK(cairn_world_get_counts(world, &counts));
    CHECK(counts.bodies == 0 && counts.shapes == 0 && counts.steps == 60);
    OK(cairn_world_destroy(world));
}

static void warnings_name_a_body_without_mass(void) {
    cairn_world *world = new_world();
    cairn_body_def def = cairn_default_body_def();
    def.kind = CAIRN_DYNAMIC;
    cairn_body_id body;
    OK(cairn_body_create(world, &def, &body));
    steps(world, 1);
    char text[512];
    size_t count = 0;
    OK(cairn_world_get_warnings(world, text, sizeof text, &count));
    CHECK(count > 10 && count < sizeof text);
    size_t again = 0;
    OK(cairn_world_get_warnings(world, NULL, 0, &again));
    CHECK(again == count);
    EXPECT(CAIRN_BUFFER_TOO_SMALL, cairn_world_get_warnings(world, text, 3, &again));
    CHECK(again == count);
    OK(cairn_world_destroy(world));
}

static void forces_of_explosions_fluids_and_wind_move_bodies(void) {
    cairn_world *world = new_world();
    OK(cairn_world_set_gravity(world, 0.0f, 0.0f));
    cairn_body_id ball = new_body(world, CAIRN_DYNAMIC, 1.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.25f));
    cairn_explosion_def explosion = cairn_default_explosion_def();
    OK(cairn_world_explode(world, &explosion));
    CHECK(state_of(world, ball).velocity.x > 0.1f);
    OK(cairn_body_set_velocity(world, ball, 0.0f, 0.0f));
    cairn_wind wind = cairn_default_wind_def(-5.0f, 0.0f);
    wind.density = 1.0f;
    OK(cairn_body_apply_wind(world, ball, &wind));
    steps(world, 1);
    CHECK(state_of(world, ball).velocity.x < 0.0f);
    OK(cairn_world_set_gravity(world, 0.0f, -9.8f));
    OK(cairn_body_set_pose(world, ball, 0.0, -3.0, 0.0f));
    cairn_fluid fluid = cairn_default_fluid_def();
    fluid.density = 3.0f;
    for (int i = 0; i < 30; i += 1) {
        OK(cairn_world_apply_fluid(world, &fluid));
        OK(cairn_world_step(world, 1.0f / 60.0f));
    }
    CHECK(state_of(world, ball).position.y > -3.0);
    OK(cairn_world_shift_origin(world, 0.0, -10.0));
    CHECK(state_of(world, ball).position.y > 7.0);
    OK(cairn_world_destroy(world));
}

static void an_ignored_pair_passes_through(void) {
    cairn_world *world = new_world();
    cairn_body_id ground = new_ground(world);
    cairn_body_id ball = new_body(world, CAIRN_DYNAMIC, 0.0, 0.6, cairn_make_circle(0.0f, 0.0f, 0.5f));
    OK(cairn_world_ignore_pair(world, ground, ball, 1.0f / 0.0f));
    steps(world, 60);
    CHECK(state_of(world, ball).position.y < -1.0);
    OK(cairn_world_unignore_pair(world, ground, ball));
    OK(cairn_world_reserve(world, 10, 10, 10, 10));
    OK(cairn_world_destroy(world));
}

int main(void) {
    CHECK(cairn_abi_version() == CAIRN_ABI_VERSION);
    settings_are_read_back();
    a_clone_continues_with_the_same_bits();
    warnings_name_a_body_without_mass();
    forces_of_explosions_fluids_and_wind_move_bodies();
    an_ignored_pair_passes_through();
    return failures != 0;
}
