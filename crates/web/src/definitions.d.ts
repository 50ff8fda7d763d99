/** Identifies a body, shape or joint of one world. A number without meaning of its own. */
export type BodyId = number;
export type ShapeId = number;
export type JointId = number;

/** A vector or point [m], in one of two forms. */
export type Vec = { readonly x: number; readonly y: number } | readonly [x: number, y: number];
/** Points [m]: a flat list x, y, x, y, or a list of vectors. */
export type Points = readonly number[] | readonly Vec[] | Float32Array | Float64Array;
/** An upright box [m]. */
export interface Box { min: Vec; max: Vec }

/** Defines a world. */
export interface WorldDef {
  /** Acceleration of everything that falls [m/s^2]; (0, -10) by default. */
  gravity?: Vec;
  /** Substeps of a step, 4 by default. */
  substeps?: number;
  /** Work that a step may spend on islands in which iterations converge slowly. */
  solverBudget?: number;
  /** Whether bodies at rest fall asleep. */
  sleeping?: boolean;
  /** Whether fast bodies are swept, so that they do not pass through shapes. */
  continuous?: boolean;
  /** Box whose leaving is reported by `bodyExits`. */
  bounds?: Box;
}

/** Defines a body. */
export interface BodyDef {
  /** Dynamic by default. */
  type?: "static" | "kinematic" | "dynamic";
  /** Origin [m]. */
  position?: Vec;
  /** Angle [rad]. */
  angle?: number;
  /** Velocity of the center of mass [m/s]. */
  velocity?: Vec;
  /** Angular velocity, counter-clockwise [rad/s]. */
  angularVelocity?: number;
  /** Damping [1/s]. */
  linearDamping?: number;
  angularDamping?: number;
  gravityScale?: number;
  /** Whether the body is swept against dynamic bodies, too. */
  bullet?: boolean;
  canSleep?: boolean;
  /** No rotation, and no motion along the axes of the world. */
  fixedRotation?: boolean;
  lockX?: boolean;
  lockY?: boolean;
  /** A whole number from 0 to 2^53. */
  userData?: number;
}

/** Changes of a body; what is missing stays. */
export interface BodyChange {
  type?: "static" | "kinematic" | "dynamic";
  linearDamping?: number;
  angularDamping?: number;
  gravityScale?: number;
  bullet?: boolean;
  canSleep?: boolean;
  fixedRotation?: boolean;
  lockX?: boolean;
  lockY?: boolean;
  enabled?: boolean;
  userData?: number;
  /** Mass [kg], and inertia about the center of mass [kg m^2], which by default grows with the mass. `null`: those of the shapes. */
  mass?: number | { mass?: number; inertia?: number; center?: Vec } | null;
}

/** Geometry of a shape in the frame of its body [m]. */
export type Shape =
  | { type: "circle"; radius: number; center?: Vec }
  | { type: "capsule"; a: Vec; b: Vec; radius: number }
  | { type: "segment"; a: Vec; b: Vec }
  | { type: "ellipse"; rx: number; ry: number; center?: Vec; angle?: number }
  | { type: "box"; halfWidth: number; halfHeight: number; center?: Vec; angle?: number }
  /** Convex hull of points, rounded by a radius. */
  | { type: "polygon"; points: Points; radius?: number };

/** Defines a shape on a body. */
export interface ShapeDef {
  /** Density [kg/m^2]. */
  density?: number;
  friction?: number;
  restitution?: number;
  rollingResistance?: number;
  /** Speed of the surface, as of a conveyor belt [m/s]. */
  surfaceSpeed?: number;
  /** Direction in the frame of the body in which others pass through the shape; `null`: both sides are solid. */
  oneWay?: Vec | null;
  /** Whether the shape only detects others. */
  sensor?: boolean;
  /** Whether the hook of `setPreSolve` is called for the contacts of the shape. */
  preSolve?: boolean;
  /** Bits of the shape, and of the shapes that it touches: whole numbers from 0 to 2^53. */
  category?: number;
  mask?: number;
  group?: number;
  /** Force from which contacts report force events [N]. */
  forceEventThreshold?: number;
  userData?: number;
}

/** Changes of a shape; what is missing stays. */
export interface ShapeChange extends ShapeDef {
  geometry?: Shape;
  enabled?: boolean;
}

/** State of a shape, with the box that it fills [m]. */
export interface ShapeState {
  body: BodyId; density: number; friction: number; restitution: number; surfaceSpeed: number;
  category: number; mask: number; group: number; sensor: boolean; enabled: boolean; userData: number;
  left: number; bottom: number; right: number; top: number;
}

/** Shapes that a query regards. */
export interface QueryFilter {
  category?: number;
  mask?: number;
  /** A body that is left out. */
  exclude?: BodyId;
  /** Whether sensors are found. */
  sensors?: boolean;
}

/** Frame of a joint in that of a body: anchor [m] and angle [rad]. */
export interface JointFrame { x?: number; y?: number; angle?: number }
/** Range of an angle [rad] or length [m]. A missing end is open. */
export interface Limit { lower?: number; upper?: number }
/** Drive: speed [rad/s or m/s] and largest torque or force [N m or N]. */
export interface Motor { speed: number; maxEffort?: number }
/** Stiffness [1/s], damping ratio, and rest angle or offset [rad or m]. */
export interface Spring { hertz: number; dampingRatio?: number; target?: number }

interface JointBase {
  bodyA: BodyId;
  bodyB: BodyId;
  /** Frames in those of the bodies; not with `anchor`. */
  frameA?: JointFrame;
  frameB?: JointFrame;
  collideConnected?: boolean;
  /** Load from which the joint breaks [N], [N m]. */
  breakForce?: number;
  breakTorque?: number;
  userData?: number;
}

/** Defines a joint. `anchor` is a place in the world [m], `axis` a direction in the world. */
export type JointDef = JointBase & (
  | { type: "revolute"; anchor?: Vec; limit?: Limit; motor?: Motor; spring?: Spring }
  | { type: "prismatic"; anchor?: Vec; axis?: Vec; limit?: Limit; motor?: Motor; spring?: Spring }
  | { type: "wheel"; anchor?: Vec; axis?: Vec; limit?: Limit; motor?: Motor; spring?: Spring }
  | { type: "distance"; anchor?: Vec; anchorB?: Vec; length?: number; limit?: Limit; motor?: Motor; spring?: Spring }
  | { type: "weld"; anchor?: Vec; spring?: Spring; angularSpring?: Spring }
  | { type: "motor"; velocity?: Vec; angularVelocity?: number; maxForce?: number; maxTorque?: number; spring?: Spring; angularSpring?: Spring }
  | { type: "mouse"; anchor?: Vec; spring?: Spring; maxForce?: number }
  | { type: "pulley"; wheelA: Vec; wheelB: Vec; length: number; ratio?: number }
  | { type: "gear"; jointA: JointId; jointB: JointId; ratio?: number }
  | { type: "filter" }
);

/** Changes of a joint; what is missing stays, and `null` removes. */
export interface JointChange {
  limit?: Limit | null;
  motor?: Motor | null;
  spring?: Spring | null;
  angularSpring?: Spring | null;
  length?: number;
  ratio?: number;
  velocity?: Vec;
  angularVelocity?: number;
  maxForce?: number;
  maxTorque?: number;
  frameA?: JointFrame;
  frameB?: JointFrame;
  collideConnected?: boolean;
  breakForce?: number;
  breakTorque?: number;
  enabled?: boolean;
  userData?: number;
}

/** Readings of a joint. */
export interface JointState {
  bodyA: BodyId; bodyB: BodyId;
  /** Angle of B relative to A [rad], and its rate [rad/s]. */
  angle: number; angularSpeed: number;
  /** Offset along the axis [m], and its rate [m/s]; distance of the anchors [m]. */
  translation: number; translationSpeed: number; length: number;
  /** Distance by which the anchors miss each other where the joint should hold them together [m]. */
  gap: number;
  /** Force [N] and torque [N m] on B in the last step. */
  forceX: number; forceY: number; torque: number;
  /** Anchors in the world [m]. */
  ax: number; ay: number; bx: number; by: number;
  enabled: boolean; userData: number;
}

/** State of a body. */
export interface BodyState {
  type: "static" | "kinematic" | "dynamic";
  x: number; y: number; angle: number;
  /** Velocity of the center of mass [m/s], and angular velocity [rad/s]. */
  vx: number; vy: number; angularVelocity: number;
  mass: number; inertia: number; centerX: number; centerY: number;
  linearDamping: number; angularDamping: number; gravityScale: number;
  awake: boolean; enabled: boolean; userData: number;
}

/** Two shapes began to touch, or hit each other fast. */
export interface ContactBegin {
  shapeA: ShapeId; shapeB: ShapeId; bodyA: BodyId; bodyB: BodyId;
  /** Place [m], normal from A to B, speed of approach [m/s], impulse [N s]. */
  x: number; y: number; nx: number; ny: number; approachSpeed: number; impulse: number;
}
/** Two shapes that hit each other, also while they touch. */
export type ContactHit = ContactBegin;
export interface ContactEnd { shapeA: ShapeId; shapeB: ShapeId; bodyA: BodyId; bodyB: BodyId }
/** A contact that presses with more than the threshold of its shapes [N]. */
export interface ContactForce {
  shapeA: ShapeId; shapeB: ShapeId; bodyA: BodyId; bodyB: BodyId;
  x: number; y: number; nx: number; ny: number; force: number; started: boolean;
}
export interface SensorEvent { sensor: ShapeId; visitor: ShapeId; sensorBody: BodyId; visitorBody: BodyId }
export interface JointBreak { joint: JointId; bodyA: BodyId; bodyB: BodyId }
export interface SleepEvent { body: BodyId; asleep: boolean }
/** A body was stopped and disabled, since its state would have left the finite numbers; or it left the bounds. */
export interface BodyEvent { body: BodyId }

/** An explosion at a place [m]: full up to a radius, and fading beyond it [m]. */
export interface Explosion extends QueryFilter {
  position: Vec;
  radius: number;
  falloff?: number;
  /** Impulse per width of a shape across the direction from the center [N s/m]. */
  impulsePerLength: number;
}

/** Where a ray or a shape hits: fraction of the way, place [m], normal of the shape. */
export interface RayHit {
  shape: ShapeId; body: BodyId; fraction: number; x: number; y: number; nx: number; ny: number;
}
/** The shape nearest to a point, and its distance [m]. */
export interface Nearest { shape: ShapeId; body: BodyId; x: number; y: number; distance: number }

/** Thrown for invalid values and ids that are stale. The world is then unchanged. */
export interface CairnError extends Error {
  name: "CairnError";
  /** The argument or field that was refused, and its value. */
  argument?: string;
  value?: number;
}
