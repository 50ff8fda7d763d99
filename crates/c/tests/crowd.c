/* Crowds, with and without bodies. */
#include "check.h"

static void two_agents_pass_each_other(void) {
    cairn_crowd_def def = cairn_default_crowd_def();
    def.id_mark = 3;
    cairn_crowd *crowd = NULL;
    OK(cairn_crowd_create(&def, &crowd));
    cairn_agent_id agents[2];
    for (int i = 0; i < 2; i += 1) {
        cairn_agent_def agent = cairn_default_agent_def();
        agent.position.x = i == 0 ? -4.0 : 4.0;
        OK(cairn_crowd_create_agent(crowd, &agent, &agents[i]));
        cairn_target target = {{i == 0 ? 4.0 : -4.0, 0.1}, 0.2f, 1.3f};
        OK(cairn_agent_set_target(crowd, agents[i], &target));
    }
    const cairn_vec2 corners[4] = {{-1.0f, 2.0f}, {1.0f, 2.0f}, {1.0f, 3.0f}, {-1.0f, 3.0f}};
    cairn_obstacle_def wall = cairn_default_obstacle_def(corners, 4);
    cairn_obstacle_id obstacle;
    OK(cairn_crowd_create_obstacle(crowd, &wall, &obstacle));
    wall.position.y = 1.0;
    OK(cairn_obstacle_set_motion(crowd, obstacle, &wall));
    int arrived = 0;
    size_t count = 0;
    for (int i = 0; i < 600; i += 1) {
        cairn_agent_event events[4];
        OK(cairn_crowd_step(crowd, 1.0f / 60.0f));
        OK(cairn_crowd_agent_events(crowd, events, 4, &count));
        for (size_t k = 0; k < count; k += 1) {
            arrived += events[k].kind == CAIRN_ARRIVED;
        }
    }
    CHECK(arrived == 2);
    cairn_agent_state states[2];
    OK(cairn_crowd_get_agents(crowd, states, 2, &count));
    CHECK(count == 2 && states[0].agent.bits == agents[0].bits && states[0].arrived == 1 && near(states[0].position.x, 4.0, 0.3));
    cairn_agent_def now;
    OK(cairn_agent_get_def(crowd, agents[1], &now));
    CHECK(now.has_target == 1 && near(now.position.x, -4.0, 0.3));
    now.radius = 0.5f;
    OK(cairn_agent_set_def(crowd, agents[1], &now));
    OK(cairn_agent_set_target(crowd, agents[1], NULL));
    OK(cairn_agent_set_preferred_velocity(crowd, agents[1], 1.0f, 0.0f));
    OK(cairn_crowd_destroy_agent(crowd, agents[0]));
    EXPECT(CAIRN_STALE_ID, cairn_crowd_destroy_agent(crowd, agents[0]));
    EXPECT(CAIRN_STALE_ID, cairn_agent_get_def(crowd, agents[0], &now));
    OK(cairn_crowd_destroy_obstacle(crowd, obstacle));
    EXPECT(CAIRN_STALE_ID, cairn_crowd_destroy_obstacle(crowd, obstacle));
    now.model = 9;
    EXPECT(CAIRN_INVALID_VALUE, cairn_crowd_create_agent(crowd, &now, &agents[0]));
    OK(cairn_crowd_destroy(crowd));
}

static void a_body_walks_along_a_route(void) {
    cairn_world *world = new_world();
    OK(cairn_world_set_gravity(world, 0.0f, 0.0f));
    cairn_body_id body = new_body(world, CAIRN_DYNAMIC, 0.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.3f));
    cairn_crowd *crowd = NULL;
    OK(cairn_crowd_create(NULL, &crowd));
    cairn_walker_def def;
    OK(cairn_walker_def_around(world, body, &def));
    CHECK(def.agent.radius >= 0.29f);
    cairn_agent_id agent;
    OK(cairn_crowd_attach(crowd, world, body, &def, &agent));
    EXPECT(CAIRN_INVALID_VALUE, cairn_crowd_attach(crowd, world, body, &def, &agent));
    const cairn_position route[2] = {{2.0, 0.0}, {2.0, 2.0}};
    OK(cairn_walker_follow(crowd, agent, route, 2, 1.4f, 0.2f));
    for (int i = 0; i < 300; i += 1) {
        OK(cairn_crowd_update(crowd, world, 1.0f / 60.0f));
        steps(world, 1);
    }
    CHECK(near(state_of(world, body).position.x, 2.0, 0.3) && near(state_of(world, body).position.y, 2.0, 0.3));
    OK(cairn_walker_halt(crowd, agent));
    OK(cairn_body_destroy(world, body));
    OK(cairn_crowd_update(crowd, world, 1.0f / 60.0f));
    cairn_walker_event events[2];
    size_t count = 0;
    OK(cairn_crowd_walker_events(crowd, events, 2, &count));
    CHECK(count == 1 && events[0].kind == CAIRN_BODY_GONE && events[0].agent.bits == agent.bits);
    EXPECT(CAIRN_STALE_ID, cairn_crowd_detach(crowd, world, agent));
    EXPECT(CAIRN_STALE_ID, cairn_walker_follow(crowd, agent, route, 2, 1.4f, 0.2f));
    EXPECT(CAIRN_STALE_ID, cairn_walker_def_around(world, body, &def));

    cairn_body_id other = new_body(world, CAIRN_DYNAMIC, 0.0, 0.0, cairn_make_circle(0.0f, 0.0f, 0.3f));
    OK(cairn_walker_def_around(world, other, &def));
    OK(cairn_crowd_attach(crowd, world, other, &def, &agent));
    OK(cairn_crowd_detach(crowd, world, agent));
    OK(cairn_crowd_destroy(crowd));
    OK(cairn_world_destroy(world));
}

int main(void) {
    two_agents_pass_each_other();
    a_body_walks_along_a_route();
    return failures != 0;
}
