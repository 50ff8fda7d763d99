"""Serves RVO2 (the package pyrvo) to the bench: agents and obstacles from the input, then steps.

The input is a stream of 32-bit numbers: the step; the number of agents, and for each its place, radius, greatest speed,
range, horizons and neighbors; the number of obstacles, and for each its number of points and these; then, for each step,
the preferred velocity of each agent. After each step the output is the place and the velocity of each agent.
"""

import array
import sys

import pyrvo


def numbers(count):
    data = sys.stdin.buffer.read(4 * count)
    if len(data) < 4 * count:
        sys.exit()
    return array.array("f", data)


def main():
    simulator = pyrvo.RVOSimulator()
    step, count = numbers(2)
    simulator.set_time_step(step)
    agents = range(int(count))
    for _ in agents:
        x, y, radius, speed, reach, horizon, wall_horizon, neighbors = numbers(8)
        simulator.set_agent_defaults(reach, int(neighbors), horizon, wall_horizon, radius, speed, (0.0, 0.0))
        simulator.add_agent((x, y))
    for _ in range(int(numbers(1)[0])):
        points = numbers(2 * int(numbers(1)[0]))
        simulator.add_obstacle(list(zip(points[::2], points[1::2])))
    simulator.process_obstacles()
    while True:
        preferred = numbers(2 * len(agents))
        for agent in agents:
            simulator.set_agent_pref_velocity(agent, tuple(preferred[2 * agent : 2 * agent + 2]))
        simulator.do_step()
        motions = array.array("f")
        for agent in agents:
            place, velocity = simulator.get_agent_position(agent), simulator.get_agent_velocity(agent)
            motions.extend((place.x, place.y, velocity.x, velocity.y))
        sys.stdout.buffer.write(motions.tobytes())
        sys.stdout.buffer.flush()


main()
