/** Identifies a body, shape or joint of one world. A number without meaning of its own. */
export type BodyId = number;
export type ShapeId = number;
export type JointId = number;

/** A vector or point [m]. */
export interface Vec { x: number; y: number }

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
  fixedRotation?: boolean;
  /** A whole number from 0 to 2^53. */
  userData?: number;
}

/** Geometry of a shape in the frame of its body [m]. */
export type Shape =
  | { type: "circle"; radius: number; center?: Vec }
  | { type: "capsule"; a: Vec; b: Vec; radius: number }
  | { type: "segment"; a: Vec; b: Vec }
  | { type: "ellipse"; rx: number; ry: number; center?: Vec; angle?: number }
  | { type: "box"; halfWidth: number; halfHeight: number; center?: Vec; angle?: number }
  /** Convex hull of points x, y, x, y, rounded by a radius. */
  | { type: "polygon"; points: number[]; radius?: number };

/** Defines a shape on a body. */
export interface ShapeDef {
  /** Density [kg/m^2]. */
  density?: number;
  friction?: number;
  restitution?: number;
  rollingResistance?: number;
  /** Speed of the surface, as of a conveyor belt [m/s]. */
  surfaceSpeed?: number;
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

/** State of a body. */
export interface BodyState {
  x: number; y: number; angle: number;
  vx: number; vy: number; angularVelocity: number;
  mass: number; awake: boolean; userData: number;
}

/** Two shapes began to touch, or hit each other fast. */
export interface ContactBegin {
  shapeA: ShapeId; shapeB: ShapeId; bodyA: BodyId; bodyB: BodyId;
  /** Place [m], normal from A to B, speed of approach [m/s], impulse [N s]. */
  x: number; y: number; nx: number; ny: number; approachSpeed: number; impulse: number;
}
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
