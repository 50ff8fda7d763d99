// Mistakes of callers: whatever a method is given, it throws or works, and its world goes on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import initFull, * as full from "../dist/package/full.node.js";

const DT = 1 / 60;
const bytes = readFileSync(new URL("../dist/package/full_bg.wasm", import.meta.url));

test("before init, the classes say what to do", async () => {
  for (const act of [() => new full.World(), () => new full.Crowd(), () => full.World.load(new Uint8Array(8))]) {
    assert.throws(act, { name: "CairnError", message: /await init\(\)/ });
  }
  // A failed load can be repeated.
  await assert.rejects(initFull(new Uint8Array(8)), { name: "CairnError", message: /could not be loaded/ });
  await Promise.all([initFull(bytes), initFull(), initFull()]);
  await initFull();
});

/** A world with one of everything, and the objects beside it. */
function scene() {
  const world = new full.World();
  const ground = world.createBody({ type: "static", position: [0, -1] });
  world.createShape(ground, { type: "box", halfWidth: 20, halfHeight: 1 });
  const box = world.createBody({ position: { x: 0, y: 4 } });
  world.createShape(box, { type: "box", halfWidth: 0.5, halfHeight: 0.5 });
  world.createJoint({ type: "revolute", bodyA: ground, bodyB: box, anchor: [0, 6], motor: { speed: 1, maxEffort: 3 } });
  const grid = full.TileGrid.fromText("##\n##", 1);
  const crowd = new full.Crowd();
  crowd.createAgent({ position: [0, 0] });
  const recorded = new full.World();
  recorded.startRecording();
  recorded.step(DT);
  return { world, grid, crowd, player: new full.Player(recorded.stopRecording()), base: world.saveBase() };
}

/** An object all of whose fields throw. */
const trap = new Proxy({}, {
  get() { throw new RangeError("trap"); },
  ownKeys() { throw new RangeError("trap"); },
  getPrototypeOf() { throw new RangeError("trap"); },
});
/** An object with one field that throws, after good ones. */
const late = (field, rest) => Object.defineProperty({ ...rest }, field, { enumerable: true, get() { throw new RangeError("late"); } });

const hostile = [
  [], [undefined], [null], ["text"], [{}], [[]], [1n], [NaN], [-1], [0.5], [Infinity], [1e300], [Symbol("s")], [trap], [() => { throw new RangeError("hook"); }],
  [0, 1n], [0, NaN, 1n], [0, "x", "y", "z"], [NaN, NaN, NaN, NaN, NaN, NaN], [0, trap], [0, 0, trap], [0, 0, 0, trap], [0, 0, 0, 0, trap],
  [0, 0, 0, 0, 0, trap], [trap, trap, trap, trap, trap, trap], [1n, 1n, 1n, 1n, 1n, 1n], [0, {}], [0, { type: "circle" }],
  [0, { type: "circle", radius: 1n }], [0, late("radius", { type: "circle" })], [0, { type: "circle", radius: 1 }, late("friction", { density: 1 })],
  [late("angle", { type: "dynamic" })], [{ position: late("x", {}) }], [{ position: [1n, 2n] }], [{ postion: [1, 2] }], [{ type: 5 }],
  [late("motor", { type: "revolute", bodyA: 0, bodyB: 1 })], [late("density", { surface: [0, 0] })], [late("radius", { position: [0, 0] })],
  [late("type", {}), 0, 0, 0, 0], [[late("x", {}), [1, 2]]], [[1, 2, 3]], [[1, "2"]], [new Array(4)], [2 ** 33, 2 ** 33, 2 ** 33], [0, late("mass", {})],
  [0, { mass: late("inertia", {}) }], [0, late("limit", {})], [0, { limit: late("upper", { lower: 0 }) }], [0, 1, 1, 1, { exclude: trap }],
];

/** Calls a method, and refuses what is no exception of a program: a trap of the module, or a held object. */
function call(object, key, values) {
  try {
    Reflect.apply(object[key], object, values);
    return false;
  } catch (error) {
    assert.ok(!(error instanceof WebAssembly.RuntimeError), `${key}(${values.length}): ${error.message}`);
    assert.doesNotMatch(error.message, /recursive use|null pointer|unreachable/, key);
    return true;
  }
}

test("every method survives every wrong argument, and the world goes on", () => {
  const held = scene();
  let calls = 0;
  let thrown = 0;
  for (const [name, object] of Object.entries(held)) {
    for (const key of Object.getOwnPropertyNames(Object.getPrototypeOf(object))) {
      const { value } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), key);
      if (typeof value !== "function" || ["constructor", "free"].includes(key) || key.startsWith("__")) continue;
      for (const values of hostile) {
        const { world } = held;
        const before = world.stateHash();
        calls++;
        // Calls that are right by chance may change the world; those that throw must not.
        if (call(object, key, values)) {
          thrown++;
          assert.equal(world.stateHash(), before, `${name}.${key}`);
        }
        if (key === "setPairFilter" || key === "setPreSolve") (world.setPairFilter(), world.setPreSolve());
        world.poses();
      }
    }
  }
  assert.ok(calls > 3000 && thrown > 0.5 * calls, `${thrown} of ${calls}`);
  const { world, grid, crowd, player } = held;
  const steps = world.stepCount;
  world.step(DT);
  assert.equal(world.stepCount, steps + 1);
  grid.update(world);
  crowd.step(DT);
  player.seek(1);
  const copy = full.World.load(world.save());
  copy.step(DT), world.step(DT);
  assert.equal(copy.stateHash(), world.stateHash());
  for (const object of Object.values(held)) object.free();
});

test("constructors and static methods survive wrong arguments", () => {
  for (const type of [full.World, full.TileGrid, full.Player]) {
    for (const values of hostile) {
      for (const act of [() => new type(...values), () => type.load?.(...values), () => full.TileGrid.fromText(...values), () => full.World.loadDelta(...values)]) {
        try {
          act();
        } catch (error) {
          assert.ok(!(error instanceof WebAssembly.RuntimeError), `${type.name}: ${error.message}`);
        }
      }
    }
  }
  new full.World().step(DT);
});

test("a field of a typo is named", () => {
  const { world } = scene();
  const thrown = (act, argument, message) => assert.throws(act, { name: "CairnError", argument, message });
  thrown(() => world.createBody({ postion: [0, 0] }), "postion", /^postion is no field of the definition of a body, which has type, .*position/);
  thrown(() => world.createShape(0, { type: "circle", raduis: 1 }), "raduis", /raduis is no field of the shape of type "circle"/);
  thrown(() => world.createShape(0, { type: "circle", radius: 1 }, { frction: 1 }), "frction", /frction/);
  thrown(() => world.createJoint({ type: "weld", bodyA: 0, bodyB: 1, motor: { speed: 1 } }), "motor", /motor is no field .*"weld"/);
  thrown(() => world.createJoint({ type: "revolute", bodyA: 0, bodyB: 1, motor: { sped: 1 } }), "sped", /sped is no field of motor/);
  thrown(() => new full.World({ gravty: [0, 0] }), "gravty", /gravty/);
  thrown(() => world.createBody({ position: { x: 1 } }), "position.y", /position\.y must be a number, not undefined/);
  thrown(() => world.setVelocity(0, 1), "y", /y must be a number/);
  thrown(() => world.createShape(0, { type: "circle" }), "radius", /radius is missing/);
});

test("[x, y] and {x, y} give the same world", () => {
  const hash = (vector, points) => {
    const world = new full.World({ gravity: vector(1, -9), bounds: { min: vector(-9, -9), max: vector(9, 9) } });
    const [a, b] = [world.createBody({ type: "static" }), world.createBody({ position: vector(1, 2), velocity: vector(3, 4) })];
    world.createShape(b, { type: "polygon", points });
    world.createChain(a, points, true);
    world.createJoint({ type: "prismatic", bodyA: a, bodyB: b, anchor: vector(0, 1), axis: vector(0, 1) });
    world.step(DT);
    return world.stateHash();
  };
  const flat = [0, 0, 2, 0, 1, 2];
  const pair = hash((x, y) => [x, y], flat);
  assert.equal(hash((x, y) => ({ x, y }), [[0, 0], [2, 0], [1, 2]]), pair);
  class Vector { constructor(x, y) { Object.assign(this, { x, y, z: 0 }); } }
  assert.equal(hash((x, y) => new Vector(x, y), [{ x: 0, y: 0 }, { x: 2, y: 0 }, { x: 1, y: 2 }]), pair);
  assert.equal(hash((x, y) => Float32Array.of(x, y), Float32Array.from(flat)), pair);
});

test("after free, objects say so", () => {
  const { world, grid } = scene();
  world.free();
  world.free();
  const freed = { name: "CairnError", message: "World was freed: it cannot be used any more" };
  for (const act of [() => world.step(DT), () => world.bodyCount, () => world.createBody({}), () => grid.update(world)]) assert.throws(act, freed);
  // A definition that frees its world.
  const other = new full.World();
  assert.throws(() => other.createBody({ get angle() { other.free(); return 0; } }), freed);
  grid.update(new full.World());
});

test("hooks cannot use their world, and it goes on", () => {
  const { world, grid } = scene();
  const inUse = { name: "CairnError", message: /in use/ };
  let calls = 0;
  world.setPairFilter(() => {
    calls++;
    for (const act of [() => world.step(DT), () => world.free(), () => grid.update(world), () => world.stateHash()]) assert.throws(act, inUse);
    return true;
  });
  const box = world.createBody({ position: [5, 0.4] });
  world.createShape(box, { type: "circle", radius: 0.5 }, { preSolve: true });
  let change = (contact) => { contact.friction = 0; };
  world.setPreSolve((contact) => change(contact));
  world.step(DT);
  assert.ok(calls > 0);
  change = (contact) => Object.defineProperty(contact, "friction", { get() { throw new RangeError("late"); } });
  assert.throws(() => world.step(DT), { name: "RangeError", message: "late" });
  for (const value of [1n, "x", NaN, {}, undefined]) {
    change = (contact) => { contact.restitution = value; };
    world.step(DT);
  }
  change = () => {};
  world.step(DT);
  world.restore(world.clone());
  assert.throws(() => world.restore(world), { name: "CairnError" });
  world.step(DT);
});

test("the collector frees what nobody frees", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const memory = () => full.World.load && new full.World().save().length;
  memory();
  let freed = 0;
  const registry = new FinalizationRegistry(() => freed++);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 300; i++) {
    const world = new full.World();
    for (let body = 0; body < 200; body++) world.createBody({});
    registry.register(world, 0);
    if (i % 20 === 19) {
      await new Promise((done) => setTimeout(done, 1));
      collect();
      await new Promise((done) => setTimeout(done, 1));
    }
  }
  assert.ok(freed > 200, `${freed} worlds were collected`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 50e6);
});
