// The engines that are compared: each makes a world from boxes, and steps it. Default settings of each, without sleep.
const DT = 1 / 60;
const FRICTION = 0.6;

// A box is its half width, half height and place.

const cairn2d = (part) => async (load) => {
  const { default: init, World } = await load(part);
  await init(await load(`${part}.wasm`));
  return (fixed, moving) => {
    const world = new World({ sleeping: false });
    const add = (type) => ([halfWidth, halfHeight, x, y]) => {
      const body = world.createBody({ type, position: { x, y } });
      world.createShape(body, { type: "box", halfWidth, halfHeight }, { friction: FRICTION });
    };
    fixed.forEach(add("static"));
    moving.forEach(add("dynamic"));
    const height = () => Math.min(...world.poses().filter((_, i) => i % 5 === 2).slice(fixed.length));
    return { step: () => world.step(DT), height, end: () => world.free() };
  };
};

async function planck(load) {
  const { World, Box } = await load("planck");
  return (fixed, moving) => {
    const world = new World({ gravity: { x: 0, y: -10 }, allowSleep: false });
    const bodies = [];
    const add = (type) => ([halfWidth, halfHeight, x, y]) => {
      const body = world.createBody({ type, position: { x, y } });
      body.createFixture({ shape: new Box(halfWidth, halfHeight), density: 1, friction: FRICTION });
      if (type === "dynamic") bodies.push(body);
    };
    fixed.forEach(add("static"));
    moving.forEach(add("dynamic"));
    const height = () => Math.min(...bodies.map((body) => body.getPosition().y));
    return { step: () => world.step(DT), height, end: () => {} };
  };
}

async function rapier(load) {
  const { default: engine } = await load("rapier");
  await engine.init();
  return (fixed, moving) => {
    const world = new engine.World({ x: 0, y: -10 });
    world.timestep = DT;
    const bodies = [];
    const add = (def) => ([halfWidth, halfHeight, x, y]) => {
      const body = world.createRigidBody(def().setTranslation(x, y).setCanSleep(false));
      world.createCollider(engine.ColliderDesc.cuboid(halfWidth, halfHeight).setDensity(1).setFriction(FRICTION), body);
      bodies.push(body);
    };
    fixed.forEach(add(engine.RigidBodyDesc.fixed));
    moving.forEach(add(engine.RigidBodyDesc.dynamic));
    const height = () => Math.min(...bodies.slice(fixed.length).map((body) => body.translation().y));
    return { step: () => world.step(), height, end: () => world.free() };
  };
}

async function box2d(load) {
  const { default: start } = await load("box2d");
  const b2 = await start();
  return (fixed, moving) => {
    const def = b2.b2DefaultWorldDef();
    def.gravity.Set(0, -10);
    def.enableSleep = false;
    const world = b2.b2CreateWorld(def);
    const bodies = [];
    const add = (type) => ([halfWidth, halfHeight, x, y]) => {
      const bodyDef = b2.b2DefaultBodyDef();
      bodyDef.type = type;
      bodyDef.position.Set(x, y);
      const body = b2.b2CreateBody(world, bodyDef);
      const shapeDef = b2.b2DefaultShapeDef();
      shapeDef.density = 1;
      shapeDef.material.friction = FRICTION;
      b2.b2CreatePolygonShape(body, shapeDef, b2.b2MakeBox(halfWidth, halfHeight));
      bodies.push(body);
    };
    fixed.forEach(add(b2.b2BodyType.b2_staticBody));
    moving.forEach(add(b2.b2BodyType.b2_dynamicBody));
    const height = () => Math.min(...bodies.slice(fixed.length).map((body) => b2.b2Body_GetPosition(body).y));
    return { step: () => b2.b2World_Step(world, DT, 4), height, end: () => b2.b2DestroyWorld(world) };
  };
}

export const engines = { "cairn2d (full)": cairn2d("full"), "cairn2d (core)": cairn2d("core"), "box2d3-wasm": box2d, "rapier2d-compat": rapier, planck };
