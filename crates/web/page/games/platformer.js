// A platformer: a map of tiles, a character that walks and jumps, coins, crates, a lift and a flag.
import init, { TileGrid, World } from "cairn2d";
import { STEP, camera, corners, draw, keys, run, say, show } from "./stage.js";

await init();

/** The map: `#` and `=` are tiles; `o` a coin, `c` a crate, `!` the flag, `@` the start. */
const MAP = `
............................................................
..........................................o.o...............
............o.o..........................=====..............
...........=====...............o.......................o..!.
....................c.........===...............o......#####
......o..../###\\...##...o..................../##\\..../#####
@...../#########\\..##\\./#\\....o..../##\\....#####..../######
########################################....#######.#######
########################################....#######.#######`.trim();

const CELL = 1;
const SPEED = 6;
const JUMP = 11;
const GRAVITY = 28;
/** Time after leaving the ground, or before reaching it, in which a jump still counts [s]. */
const GRACE = 0.1;

const rows = MAP.split("\n");
const world = new World({ gravity: [0, -GRAVITY] });
const grid = TileGrid.fromText(MAP.replace(/[o@c!]/g, "."), CELL, { surface: { friction: 0.8 } });
grid.update(world);

/** Places of a letter in the map [m]. */
const places = (letter) =>
  rows.flatMap((row, r) => [...row].flatMap((found, c) => (found === letter ? [[(c + 0.5) * CELL, (rows.length - r - 0.5) * CELL]] : [])));

const sensor = (position) => {
  const body = world.createBody({ type: "static", position });
  world.createShape(body, { type: "circle", radius: 0.35 }, { sensor: true });
  return { body, position };
};
const coins = new Map(places("o").map((position) => [sensor(position).body, position]));
const flag = sensor(places("!")[0]);
const crates = places("c").map((position) => {
  const body = world.createBody({ position });
  world.createShape(body, { type: "box", halfWidth: 0.4, halfHeight: 0.4 }, { density: 0.5, friction: 0.5 });
  return body;
});
// A lift over the gap: a kinematic body that carries what stands on it.
const lift = world.createBody({ type: "kinematic", position: [42, 1.8] });
world.createShape(lift, { type: "box", halfWidth: 1, halfHeight: 0.2 }, { friction: 1 });

const [start] = places("@");
const hero = world.createBody({ type: "kinematic", position: start });
world.createShape(hero, { type: "capsule", a: [0, -0.2], b: [0, 0.2], radius: 0.3 });
const total = coins.size;
let [vx, vy, sinceGround, sinceJump, facing, time, won] = [0, 0, 1, 1, 1, 0, false];

function respawn() {
  world.setPose(hero, ...start, 0);
  [vx, vy] = [0, 0];
}

function step() {
  if (!won) time += STEP;
  const way = (keys.has("ArrowRight") || keys.has("KeyD")) - (keys.has("ArrowLeft") || keys.has("KeyA"));
  if (way !== 0) facing = way;
  vx += (way * SPEED - vx) * 0.25;
  vy = Math.max(vy - GRAVITY * STEP, -20);
  const jump = ["Space", "ArrowUp", "KeyW"].some((key) => keys.has(key));
  sinceJump = jump ? (held ? sinceJump + STEP : 0) : 1;
  held = jump;
  sinceGround += STEP;
  if (sinceJump < GRACE && sinceGround < GRACE) [vy, sinceGround, sinceJump] = [JUMP, 1, 1];
  // A short press gives a low jump.
  if (!jump && vy > JUMP / 2) vy = JUMP / 2;

  const options = { maxStepHeight: 0.25, snapDistance: vy > 0 ? 0 : 0.3, pushMass: 20 };
  const moved = world.moveCharacter(hero, vx * STEP, vy * STEP, STEP, options);
  if (moved.grounded) [vy, sinceGround] = [Math.min(vy, 0) * 0.1, 0];
  if (vy > 0 && moved.hits.some(({ ny }) => ny < -0.7)) vy = 0;
  world.moveTo(lift, 42, 2.6 + 1.2 * Math.sin(world.stepCount * STEP), 0, STEP);
  world.step(STEP);

  for (const { sensorBody, visitorBody } of world.sensorBegins()) {
    if (visitorBody !== hero) continue;
    if (sensorBody === flag.body) won = true;
    else if (coins.delete(sensorBody)) world.destroyBody(sensorBody);
  }
  const { x, y } = world.bodyState(hero);
  if (keys.has("KeyR")) location.reload();
  if (y < -6) respawn();
  camera.x += (Math.max(x, 8) - camera.x) * 0.1;
  say(won ? `The flag, with ${total - coins.size} of ${total} coins, in ${time.toFixed(1)} s · R restarts` : `Coins ${total - coins.size} of ${total} · arrows and space, R restarts`);
}
let held = false;

/** Corners of a tile with the lower left corner at the origin. */
const TILES = {
  "#": [[0, 0], [1, 0], [1, 1], [0, 1]], "=": [[0, 0.8], [1, 0.8], [1, 1], [0, 1]], "/": [[0, 0], [1, 0], [1, 1]], "\\": [[0, 0], [1, 0], [0, 1]],
};

function paint() {
  show(16, 12);
  camera.y = camera.height / 2 - 1.6;
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const points = TILES[grid.get(column, row)];
      if (points) draw({ x: column * CELL, y: row * CELL, angle: 0 }, [{ points, color: "#8a9a76" }]);
    }
  }
  for (const [x, y] of coins.values()) draw({ x, y, angle: 0 }, [{ radius: 0.3, color: "#d9a520" }, { radius: 0.18, color: "#f0c84b" }]);
  const [x, y] = flag.position;
  draw({ x, y, angle: 0 }, [{ points: corners(0.05, 0.9, [0, 0.4]), color: "#555" }, { points: [[0, 1.3], [0.8, 1], [0, 0.7]], color: "#c2473f" }]);
  for (const crate of crates) draw(world.bodyState(crate), [{ points: corners(0.4, 0.4), color: "#b08454" }, { points: corners(0.3, 0.3), color: "#c69a68" }]);
  draw(world.bodyState(lift), [{ points: corners(1, 0.2), color: "#6d7f92" }]);
  const skin = [{ points: corners(0.3, 0.2), color: "#33688f" }, { radius: 0.3, center: [0, -0.2], color: "#33688f" }, { radius: 0.3, center: [0, 0.2], color: "#33688f" }];
  draw(world.bodyState(hero), [...skin, { radius: 0.08, center: [0.14 * facing, 0.25], color: "#fff" }]);
}

camera.x = 8;
run(step, paint);
// For tests.
window.game = { world, hero, camera, coins: () => coins.size, won: () => won };
