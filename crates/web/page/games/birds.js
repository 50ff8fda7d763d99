// Birds and forts: pull a bird back, let it go, and topple the forts; what is hit hard breaks.
import init, { World } from "cairn2d";
import { STEP, camera, corners, draw, line, run, say, show, toWorld } from "./stage.js";

await init();

const SLING = [-9, 2.2];
const REACH = 2.5;
/** Speed for each meter that the sling is pulled [m/s]. */
const SNAP = 8.5;
/** Impulse of a hit that a thing survives [N s]. */
const TOUGHNESS = { pig: 1.6, ice: 5, wood: 30 };
const COLORS = { pig: "#7fb069", ice: "#a8d0e6", wood: "#b08454" };
const BIRDS = 4;

let world, things, bird, birds, aim, ended;

function add(kind, position, shape, density = 1) {
  const body = world.createBody({ position });
  world.createShape(body, shape, { density, friction: 0.6, rollingResistance: kind === "pig" ? 0.05 : 0 });
  things.set(body, { kind, shape });
}

const beam = (kind, x, y, halfWidth, halfHeight) => add(kind, [x, y], { type: "box", halfWidth, halfHeight }, kind === "ice" ? 0.6 : 1);
const pig = (x, y) => add("pig", [x, y], { type: "circle", radius: 0.45 }, 0.8);

/** A fort: floors of two pillars and a beam, with a pig on each. */
function fort(x, floors, kind) {
  for (let floor = 0; floor < floors; floor++) {
    const y = floor * 2.3;
    for (const side of [-1, 1]) beam(kind, x + side, y + 1, 0.18, 1);
    beam("wood", x, y + 2.15, 1.5, 0.15);
    pig(x, y + 0.45);
  }
  pig(x, floors * 2.3 + 0.45);
}

function start() {
  world?.free();
  world = new World();
  things = new Map();
  [bird, aim, birds, ended] = [undefined, undefined, BIRDS, 0];
  const ground = world.createBody({ type: "static", position: [0, -1] });
  world.createShape(ground, { type: "box", halfWidth: 60, halfHeight: 1 }, { friction: 0.8 });
  fort(3, 1, "ice");
  fort(8, 2, "wood");
  fort(13, 1, "ice");
  // Let the forts come to rest before anything can break.
  for (let i = 0; i < 60; i++) world.step(STEP);
}

const pigs = () => [...things.values()].filter(({ kind }) => kind === "pig").length;

/** The pull of the sling at a place, at most as far as it reaches. */
function pull([x, y]) {
  const [dx, dy] = [x - SLING[0], y - SLING[1]];
  const share = Math.min(1, REACH / Math.hypot(dx, dy));
  return [dx * share, dy * share];
}

function launch([dx, dy]) {
  if (birds === 0 || Math.hypot(dx, dy) < 0.3) return;
  birds--;
  const position = [SLING[0] + dx, SLING[1] + dy];
  bird = world.createBody({ position, velocity: [-SNAP * dx, -SNAP * dy], bullet: true, angularDamping: 1 });
  world.createShape(bird, { type: "circle", radius: 0.4 }, { density: 3, friction: 0.6, restitution: 0.2, rollingResistance: 0.05 });
  things.set(bird, { kind: "bird" });
}

const canvas = document.querySelector("canvas");
canvas.addEventListener("pointerdown", (event) => {
  if (ended > 1) return start();
  canvas.setPointerCapture(event.pointerId);
  aim = pull(toWorld(event));
});
canvas.addEventListener("pointermove", (event) => aim && (aim = pull(toWorld(event))));
canvas.addEventListener("pointerup", () => {
  if (aim) launch(aim);
  aim = undefined;
});
canvas.addEventListener("pointercancel", () => (aim = undefined));
addEventListener("keydown", ({ code }) => code === "KeyR" && start());

function step() {
  world.step(STEP);
  for (const { bodyA, bodyB, impulse } of world.contactHits()) {
    for (const body of [bodyA, bodyB]) {
      const thing = things.get(body);
      if (thing && impulse > (TOUGHNESS[thing.kind] ?? Infinity)) {
        world.destroyBody(body);
        things.delete(body);
      }
    }
  }
  // The last bird has had its time, or all pigs are gone.
  const flying = bird !== undefined && world.bodyState(bird)?.awake;
  ended = pigs() === 0 || (birds === 0 && !flying) ? ended + STEP : 0;
  if (ended > 1) say(pigs() === 0 ? `All down, with ${birds} birds left. Tap for another game` : `${pigs()} left. Tap to try again`);
  else say(`Pull the bird back and let go · birds ${birds} · targets ${pigs()}`);
}

/** The way of a bird that is let go now. */
function flight([dx, dy]) {
  const [vx, vy] = [-SNAP * dx, -SNAP * dy];
  return Array.from({ length: 12 }, (_, i) => i * 0.1).map((t) => [SLING[0] + dx + vx * t, SLING[1] + dy + vy * t - 5 * t * t]);
}

const BIRD = [{ radius: 0.4, color: "#c2473f" }, { radius: 0.1, center: [0.15, 0.15], color: "#fff" }, { points: [[0.35, 0.1], [0.6, 0], [0.35, -0.1]], color: "#e0a030" }];

function paint() {
  // The whole scene is in the picture.
  show(30, 13);
  Object.assign(camera, { x: 2, y: camera.height / 2 - 1.5 });
  draw({ x: 0, y: -2, angle: 0 }, [{ points: corners(60, 2), color: "#8a9a76" }]);
  draw({ x: SLING[0], y: 1, angle: 0 }, [{ points: corners(0.12, 1), color: "#6b4f36" }]);
  const [dx, dy] = aim ?? [0, 0];
  if (aim) for (const [x, y] of flight(aim)) draw({ x, y, angle: 0 }, [{ radius: 0.08, color: "#0004" }]);
  if (birds > 0) {
    line([SLING, [SLING[0] + dx, SLING[1] + dy]], "#4a3525", 0.12);
    draw({ x: SLING[0] + dx, y: SLING[1] + dy, angle: 0 }, BIRD);
  }
  for (let i = 1; i < birds; i++) draw({ x: SLING[0] - i, y: 0.4, angle: 0 }, BIRD);
  for (const [body, { kind, shape }] of things) {
    const state = world.bodyState(body);
    if (kind === "bird") draw(state, BIRD);
    else if (kind === "pig") draw(state, [{ radius: 0.45, color: COLORS.pig }, { radius: 0.2, center: [0.1, -0.05], color: "#5d8a48" }]);
    else draw(state, [{ points: corners(shape.halfWidth, shape.halfHeight), color: COLORS[kind] }]);
  }
}

start();
run(step, paint);
// For tests.
const pixel = ([dx, dy]) => {
  const scale = canvas.clientHeight / camera.height;
  return [canvas.clientWidth / 2 + (SLING[0] + dx - camera.x) * scale, canvas.clientHeight / 2 - (SLING[1] + dy - camera.y) * scale];
};
window.game = { launch, pigs, birds: () => birds, pixel };
