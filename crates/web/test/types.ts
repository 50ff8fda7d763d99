// Compiled, not run: the package has the types that a program needs.
import init, { Crowd, Player, Rollback, TileGrid, World } from "cairn2d";
import type { ContactBegin } from "cairn2d";
import * as core from "cairn2d/core";

await init(new URL("full_bg.wasm", import.meta.url));
const world = new World({ gravity: { x: 0, y: -10 } });
const body: number = world.createBody({ type: "dynamic", position: { x: 0, y: 4 } });
const shape: number = world.createShape(body, { type: "box", halfWidth: 0.5, halfHeight: 0.5 }, { friction: 0.4 });
world.createJoint({ type: "revolute", bodyA: body, bodyB: body, anchor: { x: 0, y: 0 }, motor: { speed: 1, maxEffort: 3 } });
world.step(1 / 60);
const poses: Float64Array = world.poses();
const begins: ContactBegin[] = world.contactBegins();
const fraction: number | undefined = world.rayCast(0, 9, 0, -9)?.fraction;
const save: Uint8Array = world.save();
const copy: World = World.load(save);
new Player(copy.stopRecording()).seek(1);
new Crowd().createAgent({ position: [0, 0], radius: 0.3 });
world.setBody(body, { mass: 2, linearDamping: 0.1 });
world.setJoint(3, { motor: null, limit: { lower: 0 } });
const torque: number | undefined = world.jointState(3)?.torque;
world.createChain(body, [[0, 0], [1, 0]]);
const { lines }: { lines: Float32Array } = world.debugDraw({ origin: [3, 4] });
const rollback = new Rollback<number>(world, 8);
rollback.advance(3, (world, kick) => world.applyImpulse(body, kick, 0));
using scoped = new World();
scoped.step(1 / 60);
new core.World().step(1 / 60);
world.setPairFilter((pair) => pair.bodyA !== body);
world.setPreSolve((contact) => {
  contact.friction *= 0.5;
  return contact.ny > 0;
});
world.setPreSolve();
world.applyFluid({ surface: { x: 0, y: 1 }, density: 1 });
const grid = new TileGrid(4, 3, 0.5, { surface: { friction: 1 } });
grid.set(0, 0, "#");
grid.update(world);
// @ts-expect-error: no tile.
grid.set(0, 0, "x");
// @ts-expect-error: a circle has a radius.
world.createShape(body, { type: "circle" });
// @ts-expect-error: the core has no saves.
new core.World().save();
// @ts-expect-error: a typo.
world.setBody(body, { linearDampin: 1 });
export { shape, poses, begins, fraction, torque, lines };
