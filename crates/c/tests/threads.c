/* A world that is used from two threads: reading is shared, changing is exclusive, and messages belong to a thread. */
#include "check.h"
#include <pthread.h>

struct job {
    cairn_world *world;
    int done, busy, wrong;
};

static void *read_world(void *argument) {
    struct job *job = argument;
    for (int i = 0; i < 2000; i += 1) {
        cairn_body_pose poses[16];
        size_t count = 0;
        cairn_result result = cairn_world_get_poses(job->world, poses, 16, &count);
        job->done += result == CAIRN_OK && count == 11;
        job->busy += result == CAIRN_BUSY;
        job->wrong += result != CAIRN_OK && result != CAIRN_BUSY;
    }
    return NULL;
}

static void *fail_once(void *argument) {
    EXPECT(CAIRN_INVALID_POINTER, cairn_world_step(NULL, 0.1f));
    return argument;
}

int main(void) {
    cairn_world *world = new_world();
    new_ground(world);
    for (int i = 0; i < 10; i += 1) {
        new_body(world, CAIRN_DYNAMIC, i, 2.0, cairn_make_circle(0.0f, 0.0f, 0.4f));
    }
    struct job job = {world, 0, 0, 0};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, read_world, &job) == 0);
    int stepped = 0;
    for (int i = 0; i < 300; i += 1) {
        cairn_result result = cairn_world_step(world, 1.0f / 60.0f);
        stepped += result == CAIRN_OK;
        CHECK(result == CAIRN_OK || result == CAIRN_BUSY);
    }
    pthread_join(thread, NULL);
    CHECK(job.wrong == 0 && job.done + job.busy == 2000);
    steps(world, 1);
    cairn_counts counts;
    OK(cairn_world_get_counts(world, &counts));
    CHECK(counts.steps == (uint64_t)stepped + 1);

    EXPECT(CAIRN_INVALID_VALUE, cairn_world_step(world, -1.0f));
    char message[200];
    strncpy(message, cairn_last_error(), sizeof message - 1);
    message[sizeof message - 1] = 0;
    CHECK(pthread_create(&thread, NULL, fail_once, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(strcmp(message, cairn_last_error()) == 0);
    OK(cairn_world_destroy(world));
    return failures != 0;
}
