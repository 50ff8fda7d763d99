// The package under node: behavior of each method, errors, and bits equal to those of the native build.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import initCore, * as core from "../dist/package/core.node.js";
import initFull, * as full from "../dist/package/full.node.js";

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

/** Returns the exception of a call. */
function assertThrown(act) {
  try {
    act();
  } catch (error) {
    assert.equal(error.name, "CairnError", `${act}: ${error}`);
    return error;
  }
  assert.fail(`nothing thrown by ${act}`);
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
    const { world, ground, box } = fall(module);
    const before = world.stateHash();
    const thrown = (act, fields) => assert.throws(act, { name: "CairnError", ...fields });
    thrown(() => world.createShape(box, { type: "circle", radius: -1 }), { argument: "radius", value: -1 });
    thrown(() => world.createBody({ position: { x: NaN, y: 0 } }), { argument: "position" });
    thrown(() => world.createShape(box, { type: "cube" }), { argument: "type" });
    thrown(() => world.step(-1), { argument: "dt", value: -1 });
    thrown(() => world.setVelocity(12345, 0, 0), { argument: "body", value: 12345 });
    thrown(() => world.createJoint({ type: "revolute", bodyA: box }), { argument: "bodyB" });
    const { message } = assertThrown(() => world.createShape(box, { type: "circle", radius: -1 }));
    assert.equal(message, "radius is -1, which is not greater than zero");
    // Every kind of error has its sentence: in the core no error may need the formatting that its module lacks.
    const limit = { lower: 2, upper: 1 };
    for (const act of [
      () => world.createShape(box, { type: "segment", a: { x: 1, y: 1 }, b: { x: 1, y: 1 } }),
      () => world.createShape(box, { type: "polygon", points: [0, 0, 1, 0] }),
      () => world.createShape(box, { type: "polygon", points: [0, 0, 1, 1, 2, 2] }),
      () => world.createShape(box, { type: "ellipse", rx: 1, ry: 1e-4 }),
      () => world.createShape(box, { type: "circle", radius: 1e-30 }),
      () => world.createShape(box, { type: "circle", radius: 1e30 }),
      () => world.createShape(box, { type: "circle", radius: 1 }, { density: -1 }),
      () => world.createShape(box, { type: "circle", radius: 1 }, { friction: NaN }),
      () => world.createChain(box, Float32Array.of(0, 0), false),
      () => world.createChain(box, [0, 0, 1], false),
      () => world.createBody({ position: { x: 1e30, y: 0 } }),
      () => world.createJoint({ type: "revolute", bodyA: box, bodyB: box }),
      () => world.createJoint({ type: "revolute", bodyA: ground, bodyB: box, limit }),
      () => world.createJoint({ type: "gear", bodyA: ground, bodyB: box, jointA: 5, jointB: 5 }),
      () => world.createJoint({ type: "hinge", bodyA: ground, bodyB: box }),
      () => world.applyImpulse(box, Infinity, 0),
      () => world.setMotorSpeed(77, 1),
      () => world.setType(box, "frozen"),
    ]) {
      assert.ok(assertThrown(act).message.length > 10, String(act));
    }
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
      { type: "pulley", anchor: undefined, wheelA: { x: 0, y: 9 }, wheelB: { x: 5, y: 9 }, length: 14 }, { type: "filter", anchor: undefined },
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

for (const [name, module] of Object.entries({ core, full })) {
  /** A free body without gravity. */
  const floating = (def = {}) => {
    const world = new module.World({ gravity: [0, 0] });
    const body = world.createBody(def);
    const shape = world.createShape(body, { type: "box", halfWidth: 1, halfHeight: 0.5 });
    return { world, body, shape };
  };
  const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-4 * Math.max(1, Math.abs(expected)), `${actual}, not ${expected}`);

  test(`${name}: forces and impulses act at their points`, () => {
    const { world, body } = floating();
    const { mass, inertia } = world.bodyState(body);
    near(mass, 2);
    world.applyImpulseAt(body, 0, 3, 1, 0);
    near(world.bodyState(body).vy, 3 / mass);
    near(world.bodyState(body).angularVelocity, 3 / inertia);
    world.applyAngularImpulse(body, -3);
    near(world.bodyState(body).angularVelocity, 0);
    world.applyForceAt(body, 0, 60, -1, 0);
    world.step(DT);
    near(world.bodyState(body).vy, 3 / mass + 1 / mass);
    near(world.bodyState(body).angularVelocity, -1 / inertia);
    near(world.velocityAt(body, world.bodyState(body).x + 1, world.bodyState(body).y).y, 4 / mass - 1 / inertia);
  });

  test(`${name}: bodies change after creation`, () => {
    const { world, body, shape } = floating({ velocity: [8, 0] });
    assert.deepEqual([...world.shapesOf(body)], [shape]);
    world.setBody(body, { mass: 6, linearDamping: 1, gravityScale: 0.5, fixedRotation: true, userData: 7 });
    const state = world.bodyState(body);
    assert.deepEqual([state.mass, state.linearDamping, state.gravityScale, state.userData, state.type], [6, 1, 0.5, 7, "dynamic"]);
    world.setGravity(0, -10);
    world.applyAngularImpulse(body, 5);
    world.step(DT);
    const { vx, vy, angularVelocity } = world.bodyState(body);
    assert.ok(vx < 7.9 && vy > -0.09 && angularVelocity === 0);
    world.setBody(body, { mass: { mass: 3, inertia: 5, center: [1, 0] }, fixedRotation: false });
    assert.equal(world.bodyState(body).inertia, 5);
    world.setBody(body, { mass: null, type: "kinematic", enabled: false });
    assert.deepEqual([world.bodyState(body).type, world.bodyState(body).enabled], ["kinematic", false]);
    const before = world.stateHash();
    assert.equal(assertThrown(() => world.setBody(body, { bullet: true, linearDamping: -1 })).argument, "linear_damping");
    assertThrown(() => world.setBody(body, { bullet: true, mass: -1 }));
    assertThrown(() => world.setBody(99, {}));
    assert.equal(world.stateHash(), before);
  });

  test(`${name}: shapes change after creation`, () => {
    const { world, ground, box } = fall(module);
    for (let step = 0; step < 120; step++) world.step(DT);
    const [floor] = world.shapesOf(ground);
    world.setShape(floor, { friction: 0, surfaceSpeed: 1, restitution: 0.1, category: 2, userData: 3 });
    const { friction, category, userData, top } = world.shapeState(floor);
    assert.deepEqual([friction, category, userData], [0, 2, 3]);
    assert.ok(Math.abs(top) < 1e-4);
    world.setShape(floor, { geometry: { type: "box", halfWidth: 20, halfHeight: 2 } });
    near(world.shapeState(floor).top, 1);
    const before = world.stateHash();
    assertThrown(() => world.setShape(floor, { sensor: true, friction: -1 }));
    assertThrown(() => world.setShape(floor, { sensor: true, geometry: { type: "circle", radius: 0 } }));
    assert.equal(world.stateHash(), before);
    world.setShape(floor, { sensor: true });
    for (let step = 0; step < 120; step++) world.step(DT);
    assert.ok(world.bodyState(box).y < -3);
    assert.equal(world.shapeState(99), undefined);
  });

  test(`${name}: a one-way platform lets a ball through from below`, () => {
    const world = new module.World();
    const platform = world.createBody({ type: "static" });
    const shape = world.createShape(platform, { type: "box", halfWidth: 3, halfHeight: 0.1 }, { oneWay: [0, 1] });
    const ball = world.createBody({ position: [0, -2], velocity: [0, 9] });
    world.createShape(ball, { type: "circle", radius: 0.3 });
    for (let step = 0; step < 240; step++) world.step(DT);
    assert.ok(Math.abs(world.bodyState(ball).y - 0.4) < 0.01, "the ball lies on the platform");
    world.setShape(shape, { oneWay: null });
    world.setPose(ball, 0, -2, 0);
    world.setVelocity(ball, 0, 9);
    for (let step = 0; step < 60; step++) world.step(DT);
    assert.ok(world.bodyState(ball).y < 0);
  });

  test(`${name}: joints are read and changed`, () => {
    const world = new module.World({ gravity: [0, 0] });
    const [wall, door] = [world.createBody({ type: "static" }), world.createBody({ position: [1, 0] })];
    world.createShape(door, { type: "box", halfWidth: 1, halfHeight: 0.1 });
    const hinge = world.createJoint({ type: "revolute", bodyA: wall, bodyB: door, anchor: [0, 0], motor: { speed: 1, maxEffort: 5 } });
    assert.deepEqual([...world.jointsOf(door)], [hinge]);
    for (let step = 0; step < 60; step++) world.step(DT);
    let state = world.jointState(hinge);
    // The motor takes a moment to reach its speed.
    assert.ok(state.angle > 0.9 && state.angle < 1);
    near(state.angularSpeed, 1);
    assert.ok(state.gap < 1e-3 && Math.hypot(state.forceX, state.forceY) > 0.1 && state.bodyB === door);
    world.setJoint(hinge, { limit: { lower: -2, upper: 1.5 } });
    for (let step = 0; step < 60; step++) world.step(DT);
    assert.ok(Math.abs(world.jointState(hinge).angle - 1.5) < 0.02);
    world.setJoint(hinge, { limit: null, motor: null, spring: { hertz: 2, dampingRatio: 1, target: 0 } });
    for (let step = 0; step < 180; step++) world.step(DT);
    assert.ok(Math.abs(world.jointState(hinge).angle) < 0.01);
    const before = world.stateHash();
    assert.equal(assertThrown(() => world.setJoint(hinge, { breakForce: 5, length: 3 })).argument, "length");
    assertThrown(() => world.setJoint(hinge, { motor: { speed: NaN } }));
    assertThrown(() => world.setJoint(99, {}));
    assert.equal(world.stateHash(), before);
    world.setJoint(hinge, { enabled: false, breakForce: 5 });
    assert.equal(world.jointState(hinge).enabled, false);
    assert.equal(world.jointState(99), undefined);
    const slider = world.createJoint({ type: "prismatic", bodyA: wall, bodyB: door, anchor: [1, 0], motor: { speed: 2 } });
    for (let step = 0; step < 60; step++) world.step(DT);
    state = world.jointState(slider);
    near(state.translation, 2);
    near(state.translationSpeed, 2);
    world.destroyJoint(slider);
    const drive = world.createJoint({ type: "motor", bodyA: wall, bodyB: door, spring: { hertz: 3, dampingRatio: 1 } });
    world.setTarget(drive, 5, 5);
    world.setTargetAngle(drive, 1);
    world.setJoint(drive, { angularSpring: { hertz: 3, dampingRatio: 1 } });
    for (let step = 0; step < 180; step++) world.step(DT);
    const { x, y, angle } = world.bodyState(door);
    assert.ok(Math.hypot(x - 5, y - 5, angle - 1) < 0.05, `${x} ${y} ${angle}`);
  });

  test(`${name}: rays find all, explosions throw, and bounds report`, () => {
    const world = new module.World({ gravity: [0, 0], bounds: { min: [-9, -9], max: [9, 9] } });
    const bodies = [2, 4, 6].map((x) => {
      const body = world.createBody({ position: [x, 0] });
      world.createShape(body, { type: "circle", radius: 0.5 });
      return body;
    });
    assert.deepEqual(world.rayCastAll(0, 0, 10, 0).map(({ body }) => body), bodies);
    world.explode({ position: [0, 0], radius: 3, falloff: 5, impulsePerLength: 20 });
    const speeds = bodies.map((body) => world.bodyState(body).vx);
    assert.ok(speeds[0] > speeds[1] && speeds[1] > speeds[2] && speeds[2] > 0);
    const gone = new Set();
    let hits = 0;
    for (let step = 0; step < 120; step++) {
      world.step(DT);
      hits += world.contactHits().length;
      for (const { body } of world.bodyExits()) gone.add(body);
    }
    assert.ok(gone.size >= 1 && hits >= 1);
  });
}

test("deltas are small and load to the same bits", () => {
  const { world, box } = fall(full);
  for (let i = 0; i < 100; i++) world.createShape(world.createBody({ type: "static", position: [i, -20] }), { type: "circle", radius: 0.4 });
  world.step(DT);
  const base = world.saveBase();
  world.applyImpulse(box, 1, 0);
  for (let step = 0; step < 10; step++) world.step(DT);
  const delta = world.saveDelta(base);
  assert.ok(delta.length < 0.3 * base.bytes.length, `${delta.length} of ${base.bytes.length} bytes`);
  const copy = full.World.loadDelta(base.bytes, delta);
  assert.equal(copy.stateHash(), world.stateHash());
  copy.step(DT), world.step(DT);
  assert.equal(copy.stateHash(), world.stateHash());
  delta[delta.length >> 1] ^= 1;
  assertThrown(() => full.World.loadDelta(base.bytes, delta));
});

test("a rollback gives the bits of inputs that came in time", () => {
  const { world, box } = fall(full);
  const straight = world.clone();
  const play = (world, kick) => {
    world.applyImpulse(box, kick, 0);
    world.step(DT);
  };
  const back = new full.Rollback(world, 8);
  for (let frame = 0; frame < 20; frame++) {
    back.advance(0, play);
    if (frame === 14) back.setInput(11, 2);
    if (frame === 15) assert.equal(back.repeat(play), 5);
  }
  for (let frame = 0; frame < 20; frame++) play(straight, frame === 11 ? 2 : 0);
  assert.equal(world.stateHash(), straight.stateHash());
  assert.deepEqual([back.nextFrame, back.oldestFrame, back.input(13), back.input(3), back.repeat(play)], [20, 12, 0, undefined, 0]);
  assert.equal(assertThrown(() => back.setInput(11, 1)).argument, "frame");
  const before = world.stateHash();
  assert.throws(() => back.advance(0, (world) => { world.step(DT); throw new RangeError("no"); }), RangeError);
  assert.deepEqual([world.stateHash(), back.nextFrame], [before, 20]);
  back.free();
});

test("a drawing has the lines and triangles of the shapes", () => {
  const { world } = fall(full);
  const { lines, lineColors, triangles, triangleColors } = world.debugDraw({ origin: [0, -1], layers: ["shapes"] });
  assert.deepEqual([lineColors.length, triangleColors.length], [2 * lines.length, 2 * triangles.length]);
  assert.ok(triangles.length >= 2 * 2 * 6 && lines.length >= 2 * 4 * 4);
  const of = (axis) => [...triangles].filter((_, i) => i % 2 === axis);
  assert.deepEqual([Math.min(...of(0)), Math.min(...of(1))], [-20, -1]);
  assert.ok(Math.max(...of(1)) > 5);
  assert.notDeepEqual(world.debugDraw({ dark: true, layers: ["shapes"] }).triangleColors, triangleColors);
  assert.equal(world.debugDraw({ layers: [] }).lines.length, 0);
  assertThrown(() => world.debugDraw({ layers: ["shape"] }));
});

test("a character tells what it stands on, and pushes what it runs into", () => {
  const { world, ground, box } = fall(full);
  for (let step = 0; step < 120; step++) world.step(DT);
  const hero = world.createBody({ type: "kinematic", position: [-3, 0.6] });
  world.createShape(hero, { type: "capsule", a: [0, -0.2], b: [0, 0.2], radius: 0.3 });
  let hit = false;
  for (let step = 0; step < 120; step++) {
    const { hits, ground: below } = world.moveCharacter(hero, 0.05, -0.05, DT, { maxStepHeight: 0.2, pushMass: 80 });
    hit ||= hits.some(({ body }) => body === box);
    if (step > 10) assert.equal(below.body, ground);
    world.step(DT);
  }
  assert.ok(hit && world.bodyState(box).x > 1, `${world.bodyState(box).x}`);
  assertThrown(() => world.moveCharacter(hero, 0, 0, DT, { maxStepHight: 1 }));
});

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
  for (const [from, to] of [[0, 8], [8, 0]]) {
    crowd.createAgent({ position: [from, 0], radius: 0.3, maxSpeed: 1.5, target: { point: [to, 0], radius: 0.1, speed: 1.3 } });
  }
  for (let step = 0; step < 720; step++) {
    crowd.step(DT);
    const [ax, ay, bx, by] = crowd.positions();
    assert.ok(Math.hypot(ax - bx, ay - by) > 0.58);
  }
  assert.ok(Math.abs(crowd.positions()[0] - 8) < 0.2);
  assert.ok(crowd.agentState(0).arrived && crowd.agentState(7) === undefined);
  crowd.setTarget(0, 4, 5, 0.1, 1);
  crowd.setPreferredVelocity(1, 0, 1);
  const wall = crowd.createObstacle([[-9, 8], [9, 8], [9, 9], [-9, 9]]);
  for (let step = 0; step < 600; step++) crowd.step(DT);
  assert.ok(crowd.agentState(1).vy < 0.1 && crowd.agentState(1).y < 8 && crowd.agentState(0).y > 4.5);
  assert.ok(crowd.destroyObstacle(wall) && !crowd.destroyObstacle(wall));
  crowd.setMotion(1, 0, 0, 0, 0);
  assert.deepEqual([...crowd.positions().slice(2)], [0, 0]);
});

test("a pair filter lets a box through, and a pre-solve function changes its contacts", () => {
  const { world, ground, box } = fall(full);
  const pairs = [];
  world.setPairFilter((pair) => {
    pairs.push([pair.bodyA, pair.bodyB]);
    return false;
  });
  for (let step = 0; step < 120; step++) world.step(DT);
  assert.ok(pairs.length > 0);
  for (const pair of pairs) assert.deepEqual(pair, [ground, box]);
  assert.ok(world.bodyState(box).y < -5);

  const sliding = (hook) => {
    const { world, ground, box } = fall(full);
    world.createShape(ground, { type: "box", halfWidth: 20, halfHeight: 0.1, center: { x: 0, y: 1 } }, { preSolve: true });
    world.setPose(box, 0, 0.6, 0);
    world.setVelocity(box, 3, 0);
    world.setPreSolve(hook);
    for (let step = 0; step < 120; step++) world.step(DT);
    return world.bodyState(box);
  };
  const rough = sliding();
  assert.ok(Math.abs(rough.vx) < 0.01 && rough.x < 3);
  let seen;
  const ice = sliding((contact) => {
    seen = { ...contact };
    contact.friction = 0;
  });
  assert.ok(Math.abs(ice.vx - 3) < 0.01);
  assert.ok(Math.abs(Math.abs(seen.ny) - 1) < 1e-6 && Math.abs(Math.abs(seen.vx) - 3) < 0.1 && seen.points.length === 2);
  assert.ok(Math.abs(seen.points[0].y - 0.1) < 0.02);
  // Without the upper surface the box lies on the lower one.
  const through = sliding(() => false);
  assert.ok(Math.abs(through.y - 0.5) < 0.01 && Math.abs(rough.y - 0.6) < 0.01);
});

test("exceptions of hooks reach the call, and the world goes on", () => {
  const { world, box } = fall(full);
  world.setPairFilter(() => {
    throw new RangeError("no");
  });
  const run = () => {
    for (let step = 0; step < 120; step++) world.step(DT);
  };
  assert.throws(run, { name: "RangeError", message: "no" });
  world.setPairFilter((pair) => world.bodyCount > pair.bodyA);
  // The world is in use during the call.
  assert.throws(run, { name: "CairnError", message: /in use/ });
  world.setPairFilter();
  run();
  assert.ok(Math.abs(world.bodyState(box).y - 0.5) < 0.01);
});

test("a tile grid carries a ball, and lets it fall where it is dug", () => {
  const world = new full.World();
  const grid = full.TileGrid.fromText("#....#\n######", 1, { origin: { x: -3, y: 0 }, surface: { friction: 0.9 } });
  assert.deepEqual([grid.columns, grid.rows, grid.get(0, 1), grid.get(1, 1), grid.get(9, 0)], [6, 2, "#", ".", undefined]);
  grid.update(world);
  const ball = world.createBody({ position: { x: 0.5, y: 3 } });
  world.createShape(ball, { type: "circle", radius: 0.4 });
  const run = () => {
    for (let step = 0; step < 120; step++) world.step(DT);
  };
  run();
  assert.ok(Math.abs(world.bodyState(ball).y - 1.4) < 0.01);
  const [saved, copy] = [full.TileGrid.load(grid.save()), full.World.load(world.save())];
  const [column, row] = grid.cellAt(0.5, 0.5);
  assert.deepEqual([column, row], [3, 0]);
  grid.set(column, row, ".");
  grid.update(world);
  run();
  assert.ok(world.bodyState(ball).y < 0);
  saved.set(column, row, ".");
  saved.update(copy);
  for (let step = 0; step < 120; step++) copy.step(DT);
  assert.equal(copy.stateHash(), world.stateHash());
  for (const act of [() => grid.set(9, 0, "#"), () => grid.set(0, 0, "?"), () => full.TileGrid.fromText("x", 1), () => new full.TileGrid(1, 1, -1)]) {
    assertThrown(act);
  }
  grid.removeFrom(world);
  assert.equal(world.bodyCount, 1);
});

test("a box of half the density floats with its center at the surface", () => {
  const { world, box } = fall(full);
  world.setPose(box, 0, 6, 0);
  for (let step = 0; step < 1200; step++) {
    world.applyFluid({ surface: { x: 0, y: 5 }, density: 2, linearDrag: 3, bounds: { min: { x: -9, y: -9 }, max: { x: 9, y: 9 } } });
    world.step(DT);
  }
  assert.ok(Math.abs(world.bodyState(box).y - 5) < 0.01);
  assert.equal(assertThrown(() => world.applyFluid({ surface: { x: 0, y: 5 }, density: -1 })).argument, "density");
});

test("the modules name no source files, so they do not depend on the folder in which they are built", async () => {
  for (const name of ["core", "full"]) {
    const text = (await readFile(new URL(`${name}_bg.wasm`, folder))).toString("latin1");
    assert.deepEqual(text.match(/[\w/.-]+\.rs\b/g), null, name);
  }
});

test("a worker runs the module", async () => {
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    const { default: init, World } = await import(workerData + "core.node.js");
    await init();
    const world = new World();
    world.createBody({ velocity: { x: 1, y: 0 } });
    world.step(1 / 60);
    parentPort.postMessage(world.stepCount);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: folder.href });
  const steps = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  assert.equal(steps, 1);
});
