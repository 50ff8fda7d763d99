// A truck: wheels on springs with motors, hills, a bridge of planks, and cargo that should stay on.
import init, { World } from "cairn2d";
import { STEP, camera, corners, draw, keys, line, run, say, show } from "./stage.js";

await init();

const GOAL = 150;
const TOP_SPEED = 26;
const TORQUE = 60;
const BED = [[-2.2, -0.3], [2.2, -0.3], [2.2, 0.1], [-2.2, 0.1]];
const CAB = [[0.9, 0.1], [2.2, 0.1], [2.2, 0.7], [1.8, 1.3], [0.9, 1.3]];
const TAIL = [[-2.2, 0.1], [-2.05, 0.1], [-2.05, 1.1], [-2.2, 1.1]];
const [GAP_START, GAP_END] = [60, 76];

/** Height of the ground [m]: hills that grow, flat at the start, at the bridge and at the goal. */
function height(x) {
  const calm = Math.min(1, Math.max(0, (x - 8) / 20), Math.abs(x - 68) > 12 ? (Math.abs(x - 68) - 12) / 10 : 0, Math.max(0, (GOAL - 8 - x) / 10));
  return calm * (1.2 * Math.sin(x * 0.22) + 0.8 * Math.sin(x * 0.51) + x * 0.006 * Math.sin(x * 0.9));
}

const slope = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => [from + i, height(from + i)]);
const HILLS = [[[-16, 12], ...slope(-15, GAP_START), [GAP_START, -8]], [[GAP_END, -8], ...slope(GAP_END, GOAL + 30), [GOAL + 30, 12]]];

let world, truck, wheels, drives, cargo, planks, time;

function start() {
  world?.free();
  world = new World();
  const ground = world.createBody({ type: "static" });
  // The left side of a chain is solid, so the hills run from right to left.
  for (const hill of HILLS) world.createChain(ground, hill.toReversed(), false, { friction: 0.9 });

  truck = world.createBody({ position: [0, 1.6] });
  for (const points of [BED, CAB, TAIL]) world.createShape(truck, { type: "polygon", points }, { density: 1.5, friction: 0.7, group: -1 });
  wheels = [-1.4, 1.4].map((x) => {
    const wheel = world.createBody({ position: [x, 0.9] });
    world.createShape(wheel, { type: "circle", radius: 0.55 }, { density: 1.5, friction: 1.4, group: -1 });
    return wheel;
  });
  drives = wheels.map((wheel) => {
    const { x, y } = world.bodyState(wheel);
    return world.createJoint({
      type: "wheel", bodyA: truck, bodyB: wheel, anchor: [x, y], axis: [0, 1], limit: { lower: -0.25, upper: 0.25 },
      motor: { speed: 0, maxEffort: TORQUE }, spring: { hertz: 3.5, dampingRatio: 0.7 },
    });
  });
  cargo = [[-1.5, 2], [-0.7, 2], [0.1, 2], [-1.1, 2.8], [-0.3, 2.8]].map((position) => {
    const box = world.createBody({ position });
    world.createShape(box, { type: "box", halfWidth: 0.35, halfHeight: 0.35 }, { density: 0.4, friction: 0.8 });
    return box;
  });
  bridge(ground);
  [time, camera.x] = [0, 4];
}

/** Planks between the two edges of the gap, hinged at their ends. */
function bridge(ground) {
  const count = GAP_END - GAP_START;
  planks = Array.from({ length: count }, (_, i) => {
    const plank = world.createBody({ position: [GAP_START + i + 0.5, -0.1] });
    world.createShape(plank, { type: "box", halfWidth: 0.5, halfHeight: 0.1 }, { density: 2, friction: 0.9 });
    return plank;
  });
  const links = [ground, ...planks, ground];
  for (let i = 0; i <= count; i++) {
    world.createJoint({ type: "revolute", bodyA: links[i], bodyB: links[i + 1], anchor: [GAP_START + i, -0.1] });
  }
}

addEventListener("keydown", ({ code }) => code === "KeyR" && start());
document.querySelector('[data-key="KeyR"]').addEventListener("click", () => start());

function step() {
  const gas = (keys.has("ArrowRight") || keys.has("KeyD")) - (keys.has("ArrowLeft") || keys.has("KeyA"));
  // Rolling to the right is clockwise. Without gas the motor brakes gently.
  for (const drive of drives) world.setJoint(drive, { motor: { speed: -TOP_SPEED * gas, maxEffort: gas === 0 ? TORQUE / 6 : TORQUE } });
  // In the air, the driver leans.
  world.applyTorque(truck, -12 * gas);
  world.step(STEP);
  const { x, y, vx } = world.bodyState(truck);
  if (y < -12) return start();
  const loaded = cargo.filter((box) => Math.hypot(world.bodyState(box).x - x, world.bodyState(box).y - y) < 4).length;
  if (x < GOAL) time += STEP;
  camera.x += (x + 4 + vx * 0.2 - camera.x) * 0.06;
  camera.y += (y + 2 - camera.y) * 0.06;
  const boxes = `${loaded} of ${cargo.length} boxes`;
  say(x < GOAL ? `${Math.max(0, x).toFixed(0)} of ${GOAL} m · ${boxes} · arrows, R restarts` : `Delivered ${boxes} in ${time.toFixed(1)} s · R restarts`);
}

function paint() {
  const GROUND = "#8a9a76";
  show(18, 12);
  for (const hill of HILLS) {
    draw({ x: 0, y: 0, angle: 0 }, [{ points: [...hill, [hill.at(-1)[0], -30], [hill[0][0], -30]], color: GROUND }]);
  }
  for (const plank of planks) draw(world.bodyState(plank), [{ points: corners(0.48, 0.1), color: "#8c6a45" }]);
  line([[GOAL, height(GOAL)], [GOAL, height(GOAL) + 3]], "#c2473f", 0.15);
  for (const box of cargo) draw(world.bodyState(box), [{ points: corners(0.35, 0.35), color: "#b08454" }, { points: corners(0.25, 0.25), color: "#c69a68" }]);
  const window = [[1.3, 0.65], [2, 0.65], [1.7, 1.15], [1.3, 1.15]];
  draw(world.bodyState(truck), [BED, CAB, TAIL].map((points) => ({ points, color: "#33688f" })).concat({ points: window, color: "#cfe3f1" }));
  for (const wheel of wheels) draw(world.bodyState(wheel), [{ radius: 0.55, color: "#333" }, { radius: 0.25, color: "#aaa" }, { radius: 0.06, center: [0.4, 0], color: "#aaa" }]);
}

start();
run(step, paint);
// For tests.
window.game = { camera, state: () => world.bodyState(truck), drives: () => drives.map((drive) => world.jointState(drive)) };
