// The package under node: what each method does, errors, and bits equal to those of the native build.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import initCore, * as core from "../dist/package/core.entry.js";
import initFull, * as full from "../dist/package/full.entry.js";

const DT = 1 / 60;
const folder = new URL("../dist/package/", import.meta.url);

// Without an argument, the module of its own folder; and from bytes.
await initFull();
await initCore(await readFile(new URL("core_bg.wasm", folder)));

/** A box that falls on a floor. */
function fall({ World }) {
  const world = new World();
  const ground = world.createBody({ type: "static", position: { x: 0, y: -1 } });
  world.createShape(ground, { type: "box", halfWidth: 20, halfHeight: 1 });
  const box = world.createBody({ position: { x: 0, y: 4 }, angle: 0.3 });
  world.createShape(box, { type: "box", halfWidth: 0.5, halfHeight: 0.5 }, { friction: 0.4 });
  return { world, ground, box };
}

for (const [name, module] of Object.entries({ core, full })) {
  test(`${name}: a box falls, reports its contact and comes to rest`, () => {
    const { world, ground, box } = fall(module);
    let begins = 0;
    for (let step = 0; step < 180; step++) {
      world.step(DT);
      for (const event of world.contactBegins()) {
        begins++;
        assert.deepEqual([event.bodyA, event.bodyB].sort(), [ground, box].sort());
        assert.ok(event.approachSpeed > 5 && Math.abs(event.ny) > 0.99);
      }
    }
    assert.ok(begins >= 1);
    assert.ok(Math.abs(world.bodyState(box).y - 0.5) < 0.01);
    const poses = world.poses();
    assert.equal(poses.length, 5 * world.bodyCount);
    assert.deepEqual([...poses.slice(0, 3)], [ground, 0, -1]);
    assert.ok(Math.abs(Math.hypot(poses[8], poses[9]) - 1) < 1e-6);
  });

  test(`${name}: errors are exceptions with the argument and its value, and change nothing`, () => {
    const { world, box } = fall(module);
    const before = world.stateHash();
    const thrown = (act, fields) => assert.throws(act, { name: "CairnError", ...fields });
    thrown(() => world.createShape(box, { type: "circle", radius: -1 }), { argument: "radius", value: -1 });
    thrown(() => world.createBody({ position: { x: NaN, y: 0 } }), { argument: "position" });
    thrown(() => world.createShape(box, { type: "cube" }), { argument: "type" });
    thrown(() => world.step(-1), { argument: "dt", value: -1 });
    thrown(() => world.setVelocity(12345, 0, 0), { argument: "body", value: 12345 });
    thrown(() => world.createJoint({ type: "revolute", bodyA: box }), { argument: "bodyB" });
    assert.equal(world.stateHash(), before);
    assert.equal(world.bodyState(12345), undefined);
    assert.equal(world.destroyBody(-1), false);
  });

  test(`${name}: queries find shapes`, () => {
    const { world, ground, box } = fall(module);
    assert.equal(world.rayCast(3, 5, 0, -10).body, ground);
    assert.equal(world.rayCast(3, 5, 0, -10).y, 0);
    assert.equal(world.rayCast(0, 9, 0, -10).body, box);
    assert.equal(world.rayCast(0, 9, 0, -10, { exclude: box }).body, ground);
    assert.equal(world.rayCast(100, 9, 0, -10), undefined);
    assert.equal(world.shapeCast({ type: "circle", radius: 0.5 }, 3, 5, 0, -10).fraction.toFixed(2), "0.45");
    assert.deepEqual([...world.shapesAt(0, 4)].map((shape) => world.bodyOf(shape)), [box]);
    assert.equal(world.shapesIn(-1, -3, 1, 5).length, 2);
    assert.equal(world.overlapShape({ type: "circle", radius: 1 }, 0, 4, 0).length, 1);
    assert.equal(world.closestShape(3, 1, 2).distance, 1);
  });

  test(`${name}: every joint holds its bodies`, () => {
    const { world, ground } = fall(module);
    const pair = { bodyA: ground, anchor: { x: 5, y: 5 } };
    const kinds = [
      { type: "revolute" }, { type: "prismatic", axis: { x: 0, y: 1 }, limit: { lower: -1, upper: 1 } }, { type: "weld" },
      { type: "wheel", axis: { x: 0, y: 1 }, spring: { hertz: 4, dampingRatio: 0.7 } },
      { type: "distance", anchorB: { x: 5, y: 5 }, length: 1 }, { type: "mouse" }, { type: "motor", anchor: undefined, maxForce: 0 },
      { type: "pulley", wheelA: { x: 0, y: 9 }, wheelB: { x: 5, y: 9 }, length: 14 }, { type: "filter", anchor: undefined },
    ];
    for (const kind of kinds) {
      const bodyB = world.createBody({ position: { x: 5, y: 5 } });
      world.createShape(bodyB, { type: "circle", radius: 0.1 });
      const joint = world.createJoint({ ...pair, bodyB, ...kind });
      for (let step = 0; step < 60; step++) world.step(DT);
      const y = world.bodyState(bodyB).y;
      const falls = ["filter", "motor"].includes(kind.type);
      assert.equal(y < 3.5, falls, `${kind.type} at ${y}`);
      assert.ok(world.destroyJoint(joint) && !world.destroyJoint(joint));
      world.destroyBody(bodyB);
    }
  });
}

test("core and full give the same bits", () => {
  const hash = (module) => {
    const { world } = fall(module);
    for (let step = 0; step < 120; step++) world.step(DT);
    return world.stateHash();
  };
  assert.equal(hash(core), hash(full));
});

test("a save continues with the same bits, and a damaged one is refused", () => {
  const { world } = fall(full);
  for (let step = 0; step < 30; step++) world.step(DT);
  const save = world.save();
  const copy = full.World.load(save);
  for (let step = 0; step < 90; step++) world.step(DT), copy.step(DT);
  assert.equal(world.stateHash(), copy.stateHash());
  save[save.length >> 1] ^= 1;
  assert.throws(() => full.World.load(save), { name: "CairnError" });
});

test("a recording plays to the same state", () => {
  const { world, box } = fall(full);
  world.startRecording();
  for (let step = 0; step < 60; step++) {
    if (step === 20) world.applyImpulse(box, 2, 0);
    world.step(DT);
  }
  const player = new full.Player(world.stopRecording());
  assert.equal(player.stepCount, 60);
  player.seek(60);
  assert.equal(player.world().stateHash(), world.stateHash());
});

test("a character walks on the ground, and a crowd to its targets", () => {
  const { world } = fall(full);
  const hero = world.createBody({ type: "kinematic", position: { x: 5, y: 0.6 } });
  world.createShape(hero, { type: "capsule", a: { x: 0, y: -0.2 }, b: { x: 0, y: 0.2 }, radius: 0.3 });
  let moved;
  for (let step = 0; step < 60; step++) {
    moved = world.moveCharacter(hero, 0.03, -0.05, DT);
    world.step(DT);
  }
  assert.ok(moved.grounded && world.bodyState(hero).x > 6);

  const crowd = new full.Crowd();
  for (const [from, to] of [[0, 8], [8, 0]]) crowd.setTarget(crowd.createAgent(from, 0, 0.3, 1.5), to, 0, 0.1, 1.3);
  for (let step = 0; step < 720; step++) {
    crowd.step(DT);
    const [ax, ay, bx, by] = crowd.positions();
    assert.ok(Math.hypot(ax - bx, ay - by) > 0.58);
  }
  assert.ok(Math.abs(crowd.positions()[0] - 8) < 0.2);
});

test("a worker runs the module", async () => {
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    const { default: init, World } = await import(workerData + "core.entry.js");
    await init();
    const world = new World();
    world.createBody({ velocity: { x: 1, y: 0 } });
    world.step(1 / 60);
    parentPort.postMessage(world.stepCount);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: folder.href });
  const steps = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  assert.equal(steps, 1);
});
