// Reads the arguments of all methods before the module sees them.
//
// The module holds a world while one of its methods runs. Were a getter of a definition to throw, or a BigInt to come where a number is
// read, at that time, the world would be held for ever. So each argument is read here, once, and only numbers, texts and fresh objects
// of known fields reach the module.

/** Returns the exception of an argument. */
function refused(argument, reason, value) {
  const error = new Error(`${argument} ${reason}`);
  error.name = "CairnError";
  error.argument = argument;
  if (typeof value === "number") error.value = value;
  return error;
}

/** What a value is, for a message. */
function kind(value) {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

// Readers: each takes a value and its name, and returns what the module gets.

const typed = (type) => (value, name) => {
  if (typeof value !== type) throw refused(name, `must be a ${type}, not ${kind(value)}`);
  return value;
};
const number = typed("number");
const flag = typed("boolean");
const text = typed("string");
const hook = typed("function");

/** A whole number up to a greatest one. */
const whole = (most) => (value, name) => {
  if (number(value, name) >= 0 && value <= most && Number.isInteger(value)) return value;
  throw refused(name, `is ${value}, which is not a whole number from 0 to ${most}`, value);
};
const count = whole(2 ** 32 - 1);
const bits = whole(2 ** 64);
const data = whole(2 ** 53);

const group = (value, name) => {
  if (Number.isInteger(number(value, name)) && Math.abs(value) < 2 ** 31) return value;
  throw refused(name, `is ${value}, which is not a whole number of 32 bits`, value);
};

/** Numbers that are no id become one that no world has. */
const id = (value, name) => (Number.isInteger(number(value, name)) && value >= 0 ? value : -1);

/** One of some words. */
const word = (...words) => (value, name) => {
  if (words.includes(value)) return value;
  throw refused(name, `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
};

const optional = (reader) => (value, name) => (value === undefined || value === null ? undefined : reader(value, name));
/** A field that must be there. */
const needed = (reader) => Object.assign((value, name) => reader(value, name), { needed: true });
/** A field that `null` removes. */
const removable = (reader) => Object.assign((value, name) => reader(value, name), { removable: true });

/** A vector: {x, y} or [x, y]. Objects of other libraries have further fields, which are left alone. */
function vector(value, name) {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    if (value.length !== 2) throw refused(name, `must have two numbers, not ${value.length}`);
    const [x, y] = value;
    return { x: number(x, `${name}[0]`), y: number(y, `${name}[1]`) };
  }
  if (typeof value !== "object" || value === null) throw refused(name, `must be {x, y} or [x, y], not ${kind(value)}`);
  const { x, y } = value;
  return { x: number(x, `${name}.x`), y: number(y, `${name}.y`) };
}

/** Points as a flat list: from x, y, x, y or from vectors. */
function flat(value, name) {
  const isList = Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
  if (!isList) throw refused(name, `must be a list of points, not ${kind(value)}`);
  const list = [];
  // Not `flatMap`: it skips holes.
  for (let i = 0; i < value.length; i++) {
    const entry = value[i];
    if (typeof entry === "number") list.push(entry);
    else {
      const { x, y } = vector(entry, `${name}[${i}]`);
      list.push(x, y);
    }
  }
  if (list.length % 2 === 1) throw refused(name, `have an odd count of numbers`, list.length);
  return list;
}
const points = (value, name) => Float32Array.from(flat(value, name));

function bytes(value, name) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw refused(name, `must be a Uint8Array, not ${kind(value)}`);
}

const list = (reader) => (value, name) => {
  if (!Array.isArray(value)) throw refused(name, `must be an array, not ${kind(value)}`);
  return Array.from(value, (entry, i) => reader(entry, `${name}[${i}]`));
};

/** Reads the fields of an object into a fresh one. */
function read(value, name, fields) {
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(fields, key) && value[key] !== undefined) {
      throw refused(key, `is no field of ${name}, which has ${Object.keys(fields).join(", ")}`);
    }
  }
  const result = {};
  for (const key of Object.keys(fields)) {
    const reader = fields[key];
    const entry = value[key];
    if (entry === null && reader.removable) result[key] = null;
    else if (entry !== undefined && entry !== null) result[key] = reader(entry, key);
    else if (reader.needed) throw refused(key, `is missing in ${name}`);
  }
  return result;
}

function plain(value, name) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(name, `must be an object, not ${kind(value)}`);
  return value;
}

const object = (fields) => (value, name) => read(plain(value, name), name, fields);

/** An object whose fields depend on its field `type`. */
const variant = (common, kinds) => {
  const types = word(...Object.keys(kinds));
  const all = Object.fromEntries(Object.entries(kinds).map(([type, fields]) => [type, { type: types, ...common, ...fields }]));
  return (value, name) => {
    const { type } = plain(value, name);
    const result = read(value, `${name} of type "${types(type, "type")}"`, all[type]);
    // A getter may give another type at the second read.
    result.type = type;
    return result;
  };
};

const box = object({ min: needed(vector), max: needed(vector) });
const bodyType = word("static", "kinematic", "dynamic");
const query = { category: bits, mask: bits, exclude: id, sensors: flag };
const filter = optional(object(query));

const worldDef = object({ gravity: vector, substeps: count, solverBudget: count, sleeping: flag, continuous: flag, bounds: box });
const bodyFields = {
  type: bodyType, linearDamping: number, angularDamping: number, gravityScale: number, bullet: flag, canSleep: flag,
  fixedRotation: flag, lockX: flag, lockY: flag, userData: data,
};
const bodyDef = object({ ...bodyFields, position: vector, angle: number, velocity: vector, angularVelocity: number });
const massFields = object({ mass: number, inertia: number, center: vector });
const bodyChange = object({
  ...bodyFields, enabled: flag,
  mass: removable((value, name) => (typeof value === "number" ? { mass: value } : massFields(value, name))),
});
const shape = variant({}, {
  circle: { radius: needed(number), center: vector },
  capsule: { a: needed(vector), b: needed(vector), radius: needed(number) },
  segment: { a: needed(vector), b: needed(vector) },
  ellipse: { rx: needed(number), ry: needed(number), center: vector, angle: number },
  box: { halfWidth: needed(number), halfHeight: needed(number), center: vector, angle: number },
  polygon: { points: needed(flat), radius: number },
});
const shapeFields = {
  density: number, friction: number, restitution: number, rollingResistance: number, surfaceSpeed: number, oneWay: removable(vector),
  sensor: flag, preSolve: flag, category: bits, mask: bits, group, forceEventThreshold: number, userData: data,
};
const shapeDef = object(shapeFields);
const shapeChange = object({ ...shapeFields, geometry: shape, enabled: flag });

const frame = object({ x: number, y: number, angle: number });
const limit = object({ lower: number, upper: number });
const motor = object({ speed: needed(number), maxEffort: number });
const spring = object({ hertz: needed(number), dampingRatio: number, target: number });
const jointBase = { frameA: frame, frameB: frame, collideConnected: flag, breakForce: number, breakTorque: number, userData: data };
const driven = { limit, motor, spring };
const drive = { velocity: vector, angularVelocity: number, maxForce: number, maxTorque: number };
const jointDef = variant({ bodyA: needed(id), bodyB: needed(id), ...jointBase }, {
  revolute: { anchor: vector, ...driven },
  prismatic: { anchor: vector, axis: vector, ...driven },
  wheel: { anchor: vector, axis: vector, ...driven },
  distance: { anchor: vector, anchorB: vector, length: number, ...driven },
  weld: { anchor: vector, spring, angularSpring: spring },
  motor: { ...drive, spring, angularSpring: spring },
  mouse: { anchor: vector, spring, maxForce: number },
  pulley: { wheelA: needed(vector), wheelB: needed(vector), length: needed(number), ratio: number },
  gear: { jointA: needed(id), jointB: needed(id), ratio: number },
  filter: {},
});
const jointChange = object({
  ...jointBase, ...drive, limit: removable(limit), motor: removable(motor), spring: removable(spring), angularSpring: removable(spring),
  length: number, ratio: number, enabled: flag,
});
const explosion = object({ ...query, position: needed(vector), radius: needed(number), falloff: number, impulsePerLength: needed(number) });
const characterOptions = object({
  ...query, maxClimbAngle: number, minSlideAngle: number, maxStepHeight: number, minStepWidth: number, skin: number, snapDistance: number,
  ride: flag, up: vector, pushMass: number,
});
const fluid = object({
  ...query, surface: needed(vector), up: vector, density: needed(number), linearDrag: number, angularDrag: number, velocity: vector,
  bounds: box, wakes: flag,
});
const layers = list(word("shapes", "joints", "centers", "contacts", "normals", "impulses", "velocities", "boxes", "islands"));
const drawOptions = object({ origin: vector, view: box, scale: number, layers, dark: flag });
const gridDef = object({ origin: vector, surface: shapeDef });
const agentTarget = object({ point: needed(vector), radius: number, speed: number });
const agentDef = object({
  position: vector, velocity: vector, radius: number, maxSpeed: number, maxAcceleration: number, target: agentTarget, timeHorizon: number,
  obstacleHorizon: number, neighborRange: number, neighborLimit: count, priority: whole(255),
});

const body = { body: id };
const place = { x: number, y: number };
const way = { dx: number, dy: number };

/** The arguments of all constructors ("new"), methods and static methods, in their order. */
const signatures = (instance) => ({
  World: {
    new: { definition: optional(worldDef) },
    load: { save: bytes }, loadDelta: { base: bytes, delta: bytes }, restore: { from: instance("World") }, saveDelta: { base: instance("Base") },
    step: { dt: number }, setGravity: place, createBody: { "the definition of a body": bodyDef }, destroyBody: body,
    createShape: { ...body, "the shape": shape, "the definition of a shape": optional(shapeDef) },
    createChain: { ...body, points, closed: optional(flag), "the definition of a shape": optional(shapeDef) },
    destroyShape: { shape: id }, createJoint: { "the definition of a joint": jointDef }, destroyJoint: { joint: id },
    bodyState: body, shapeState: { shape: id }, jointState: { joint: id }, velocityAt: { ...body, ...place }, shapesOf: body, jointsOf: body,
    bodyOf: { shape: id }, setBody: { ...body, "the change": bodyChange }, setShape: { shape: id, "the change": shapeChange },
    setJoint: { joint: id, "the change": jointChange }, setMotorSpeed: { joint: id, speed: number }, setTarget: { joint: id, ...place },
    setTargetAngle: { joint: id, angle: number }, setPose: { ...body, ...place, angle: number },
    moveTo: { ...body, ...place, angle: number, dt: number }, setVelocity: { ...body, ...place },
    setAngularVelocity: { ...body, speed: number }, applyForce: { ...body, ...place }, applyTorque: { ...body, torque: number },
    applyForceAt: { ...body, fx: number, fy: number, ...place }, applyImpulse: { ...body, ...place },
    applyImpulseAt: { ...body, ix: number, iy: number, ...place }, applyAngularImpulse: { ...body, impulse: number },
    setType: { ...body, type: bodyType }, setEnabled: { ...body, enabled: flag }, wake: body, sleep: body,
    rayCast: { ...place, ...way, filter }, rayCastAll: { ...place, ...way, filter }, shapeCast: { "the shape": shape, ...place, ...way, filter },
    shapesAt: { ...place, filter }, shapesIn: { left: number, bottom: number, right: number, top: number, filter },
    overlapShape: { "the shape": shape, ...place, angle: number, filter }, closestShape: { ...place, distance: number, filter },
    explode: { "the explosion": explosion }, setPairFilter: { filter: optional(hook) }, setPreSolve: { hook: optional(hook) },
    moveCharacter: { ...body, ...way, dt: number, "the options": optional(characterOptions) }, applyFluid: { "the fluid": fluid },
    debugDraw: { "the options": optional(drawOptions) },
  },
  TileGrid: {
    new: { columns: count, rows: count, cell: number, definition: optional(gridDef) },
    fromText: { text, cell: number, definition: optional(gridDef) }, load: { save: bytes }, get: { column: count, row: count },
    set: { column: count, row: count, tile: text }, cellAt: place, update: { world: instance("World") }, removeFrom: { world: instance("World") },
  },
  Crowd: {
    createAgent: { "the definition of an agent": agentDef }, destroyAgent: { agent: count },
    setTarget: { agent: count, ...place, radius: number, speed: number }, setPreferredVelocity: { agent: count, ...place },
    setMotion: { agent: count, ...place, vx: number, vy: number }, agentState: { agent: count }, createObstacle: { points },
    destroyObstacle: { obstacle: count }, step: { dt: number },
  },
  Player: { new: { recording: bytes }, seek: { step: data } },
  Base: {},
});

/** Methods of which hooks run. */
const HOOKED = new Set(["World.step", "World.setPairFilter", "World.filterAgain"]);

/** Methods and fields of the glue that are no part of the interface. */
const INNER = new Set(["constructor", "free", "__destroy_into_raw", "__wrap", "prototype", "length", "name"]);

/**
 * Puts the readers around all classes of a module, and returns the classes. `isReady` tells whether the module is loaded.
 */
export function guard(module, isReady) {
  /** Objects of which a method runs that calls hooks. */
  const held = new WeakSet();

  function check(object, name) {
    if (!object.__wbg_ptr) throw refused(name, "was freed: it cannot be used any more");
    if (held.has(object)) throw refused(name, "is in use: its hooks run while it steps, and cannot use it");
  }

  /** The class of an object, which bundlers may have renamed. */
  const nameOf = (value) => Object.keys(all).find((name) => module[name] && value instanceof module[name]);

  const instance = (name) => (value, argument) => {
    if (!(value instanceof module[name])) throw refused(argument, `must be a ${name}, not ${kind(value)}`);
    return value;
  };

  function demandReady(name) {
    if (!isReady()) throw refused(name, "is used before its module is loaded: call `await init()` first");
  }

  /** Reads arguments by their signature. */
  function reading(signature) {
    const [names, readers] = [Object.keys(signature), Object.values(signature)];
    return (values) => {
      const read = new Array(readers.length);
      for (let i = 0; i < readers.length; i++) read[i] = readers[i](values[i], names[i]);
      return read;
    };
  }

  function guardMethod(prototype, name, key, signature) {
    const method = prototype[key];
    const read = reading(signature);
    const hooked = HOOKED.has(`${name}.${key}`);
    prototype[key] = function (...values) {
      if (!(this instanceof module[name])) throw refused("this", `must be a ${name}, not ${kind(this)}`);
      const known = read(values);
      // After reading: a getter may have freed the object.
      check(this, name);
      for (const value of known) {
        const other = nameOf(value);
        if (other) check(value, other);
        if (value === this) throw refused(other, "must be another one than that of the call");
      }
      if (!hooked) return method.apply(this, known);
      held.add(this);
      try {
        return method.apply(this, known);
      } finally {
        held.delete(this);
      }
    };
  }

  const classes = {};
  const all = signatures(instance);
  for (const [name, known] of Object.entries(all)) {
    const raw = module[name];
    if (!raw) continue;
    const { prototype } = raw;
    for (const [key, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (INNER.has(key)) continue;
      if (get) {
        const guarded = function () {
          check(this, name);
          return get.call(this);
        };
        Object.defineProperty(prototype, key, { get: guarded, configurable: true });
      } else if (typeof value === "function") guardMethod(prototype, name, key, known[key] ?? {});
    }
    for (const key of Object.getOwnPropertyNames(raw)) {
      if (INNER.has(key) || typeof raw[key] !== "function") continue;
      const [method, read] = [raw[key], reading(known[key] ?? {})];
      raw[key] = function (...values) {
        demandReady(`${name}.${key}`);
        return method.apply(raw, read(values));
      };
    }
    const free = prototype.free;
    prototype.free = function () {
      // Twice is once.
      if (!this.__wbg_ptr) return;
      check(this, name);
      free.call(this);
    };
    if (Symbol.dispose) prototype[Symbol.dispose] = prototype.free;
    const read = reading(known.new ?? {});
    classes[name] = new Proxy(raw, {
      construct(target, values, newTarget) {
        demandReady(name);
        return Reflect.construct(target, read(values), newTarget);
      },
    });
    prototype.constructor = classes[name];
  }
  return classes;
}
