//! Constants of the method: meaning, unit, usual size, and the effect of a change.

/// Largest distance of an agent or obstacle from the origin [m].
///
/// At 1e12 m adjacent `f64` numbers are 0.1 mm apart, still far below a radius; beyond, positions would be too
/// coarse.
pub const MAX_COORDINATE: f64 = 1.0e12;

/// Greatest speed, radius, range, or other measure of an agent [SI].
///
/// Squares of it are finite in `f32`, so no formula overflows.
pub const MAX_MEASURE: f64 = 1.0e9;

/// Most neighbors that one agent considers.
///
/// Bounds the number of half-planes of one agent. Ten are usual: a disc has room for six others of its size around
/// it, and agents behind them are hidden.
pub const MAX_NEIGHBORS: usize = 32;

/// Shortest step that steering plans for [s].
///
/// A call with a shorter step (zero included) steers as if it were this long: bounds on displacements become bounds
/// on speed by division by the step.
pub(crate) const MIN_STEP: f32 = 1.0e-4;

/// Shortest time horizon, in steps.
///
/// Below one step a half-plane of the horizon is weaker than the contact half-plane.
pub(crate) const MIN_HORIZON_STEPS: f32 = 2.0;

/// Factor by which the horizon shrinks while the half-planes are infeasible.
pub(crate) const HORIZON_FACTOR: f32 = 0.5;

/// Greatest number of halvings of the horizon: 5 s become 20 ms.
pub(crate) const MAX_HORIZON_LEVEL: u8 = 8;

/// Sine of the angle below which two boundary lines count as parallel.
///
/// Their intersection would lie 1e5 times their offset away: outside of any speed limit.
pub(crate) const PARALLEL_SINE: f32 = 1.0e-5;

/// Violation of a half-plane that counts as rounding [m/s].
///
/// Agents in a jam have contacts on many sides: their half-planes then meet in one point up to rounding, which would
/// be lost without the tolerance. One step of 0.25 s turns it into 2.5 micrometers.
pub(crate) const SPEED_SLOP: f32 = 1.0e-5;

/// Share of the preferred speed below which an agent makes no progress.
pub(crate) const STUCK_SHARE: f32 = 0.05;

/// Time without progress after which an agent is reported stuck [s].
pub(crate) const STUCK_TIME: f32 = 2.0;

/// Number of agents in one row of a search above which only that many are considered; if all agents are alike, only a
/// few more than required.
///
/// Agents cannot be so dense unless they overlap many times over (created at one position, say), and then any of them
/// serve; without the bound a pile-up of n agents costs n^2.
pub(crate) const MAX_RUN: usize = 192;

/// Steps between two reorderings of the agents in memory.
///
/// Agents that are close in the plane should be close in memory; walking changes that slowly.
pub(crate) const REORDER_INTERVAL: u32 = 64;

/// Agents per task of the thread pool.
///
/// The split depends on the number of agents alone. At 200 to 1000 ns an agent a task is 50 to 250 microseconds of
/// work, which hides the cost of its distribution.
pub(crate) const CHUNK: usize = 256;

/// Number of agents from which on a loop of a few nanoseconds each is parallel.
///
/// It is then 20 microseconds of work; below, the distribution of tasks costs more than it saves.
pub(crate) const PARALLEL_THRESHOLD: usize = 2048;

/// Time in which an agent reacts to others that are close [s].
///
/// Nobody changes their velocity at once among others, or walks up to another at full speed and stops in the last step. At
/// zero the agents of a dense crowd tremble against each other: 4.8 sign changes of turning per agent and second in a packed
/// room, now 1.4. At 0.1 s it is 1.9; at 0.2 s a queue takes a tenth longer through a door.
pub(crate) const REACTION_TIME: f32 = 0.15;

/// Share of its preferred speed below which an agent crawls, and shortens its horizon.
///
/// With a constant turn, 0.7 let all symmetric rings of 2 to 30 agents pass; at 0.3 most of them (24 of 29) stopped
/// where the half-planes of a horizon of 10 s leave a hundredth of the speed.
pub(crate) const CRAWL_SHARE: f32 = 0.7;

/// Shortest horizon of a crawling agent, unless half-planes are infeasible [s].
///
/// At 1 s twice as many agents of a dense crowd have infeasible half-planes (5 % at 0.3 agents per square meter, with
/// 2 s 2.7 %), and 95 % arrive a sixth later; at 3 s some never do.
pub(crate) const MIN_CRAWL_HORIZON: f32 = 2.0;

/// Time in which the bias fades when no agent is in the way [s].
pub(crate) const BIAS_FADE_TIME: f32 = 2.0;

/// Share of the preferred speed, along the turned preferred velocity, above which the turn shrinks.
///
/// At 0.5 agents in a jam keep a useless turn for longer: 95 % of a dense crowd arrive a tenth later.
pub(crate) const TURN_PROGRESS: f32 = 0.7;

/// Number of others within a radius of an agent that make a queue of agents that walk the same way.
///
/// Six leave half of the trembling before a door; without a number, agents that converge from afar wait for each other,
/// and most symmetric rings stop.
pub(crate) const QUEUE_NEIGHBORS: usize = 4;

/// Cosine of the greatest angle between preferred velocities of one queue.
///
/// 60 degrees: a queue before a door is a half circle.
pub(crate) const QUEUE_COSINE: f32 = 0.5;

/// Share of its greatest speed below which an agent hardly wants to move.
///
/// Close to its place an agent prefers a low velocity; if it turned that to get around its neighbors, it would walk in
/// circles.
pub(crate) const QUIET_SHARE: f32 = 0.15;

/// Rate at which a turn ends in a queue [rad/s].
///
/// At 0.15 agents come to a door with the turn of an earlier encounter, and the queue takes a tenth longer.
pub(crate) const QUEUE_FADE: f32 = 3.0;

/// Growth rate of the turn of an agent at rest, divided by [`TURN_PROGRESS`] [rad/s].
///
/// Agents that wait for a second begin to walk around. [`MIN_BIAS_PROGRESS`] keeps them from wandering.
pub(crate) const TURN_RATE: f32 = 1.0;

/// Greatest turn of a preferred velocity [rad]: a little more than a right angle, so that an agent without any
/// progress draws back.
///
/// At 1.4 two agents that had pushed each other away blocked each other for minutes; at 0.8 several of a hundred do.
pub(crate) const MAX_TURN: f32 = 1.6;

/// Share of the preferred speed that the preferred velocity, turned by the bias alone, must leave for a greater turn
/// to end.
///
/// Without it agents that leave a jam walk aside for seconds: 95 % of a dense crowd arrive half as late again, and a
/// group of a hundred between four blocks takes 690 s instead of 435 s.
pub(crate) const MIN_BIAS_PROGRESS: f32 = 0.3;

/// Gap to another agent, in sums of the radii, below which separation acts.
pub(crate) const SEPARATION_GAP: f32 = 1.0;

/// Share of its preferred speed at which an agent moves away from one that it touches, while others are in its way.
///
/// It keeps jams loose enough to move: half of a dense crowd arrive a quarter earlier. At 1 some never reach places
/// between others.
pub(crate) const SEPARATION_GAIN: f32 = 0.3;

/// Greatest share of the preferred speed that separation takes.
///
/// Half: a surrounded agent still progresses, to a place between others too.
pub(crate) const MAX_SEPARATION_SHARE: f32 = 0.5;

/// Most sweeps over the contacts of a step.
///
/// A pair needs one, a loose crowd few; a packed one keeps overlaps of about 1 % of the sum of radii at 16 as at 24,
/// since [`SWEEP_GAIN`].
pub(crate) const MAX_SWEEPS: usize = 16;

/// Excess of a closing speed that sweeps ignore [m/s].
///
/// Ten times as much makes a third of the trembling of a dense crowd: agents that stand in contact then take over the
/// rest of the excess in turn. In a step of 0.25 s it is an overlap of 0.4 mm.
pub(crate) const SWEEP_SLOP: f32 = 1.5e-3;

/// Share of the preferred progress above which only the half-planes guide an agent along a wall.
///
/// An agent that slows down before a wall near its goal makes more progress; one that stands squarely before a wall
/// stops.
pub(crate) const DETOUR_PROGRESS: f32 = 0.3;

/// Sine of the angle within which an agent stands squarely before a wall.
pub(crate) const SQUARE_SINE: f32 = 0.05;

/// Most walls of one detour, one after the other: the second makes a corner, the third a niche.
pub(crate) const MAX_CORNERS: usize = 3;

/// Time after which an agent with a halved horizon tries a longer one [s].
///
/// A trial costs a linear program; in every step it would double the work in a crowd. And horizons that change from
/// step to step make agents oscillate: with this interval 95 % of a dense crowd arrive in two thirds of the time.
pub(crate) const HORIZON_RETRY_TIME: f32 = 0.5;

/// Share of [`SWEEP_SLOP`] by which a velocity must change in a sweep to mark its neighbors.
pub(crate) const SWEEP_CHANGE: f32 = 0.5;

/// Gain of the corrections after the first sweep.
///
/// Above 1 (over-relaxation) agents that press on each other settle in fewer sweeps; at 2 they would oscillate.
pub(crate) const SWEEP_GAIN: f32 = 1.5;

/// Share of a turned preferred velocity below which the part that a wall leaves counts as zero.
pub(crate) const WALL_SHARE: f32 = 0.3;

/// Sine of the angle by which a relative velocity must point to the left of the other agent for the two to pass on
/// the left.
///
/// Two agents that meet head on must take one side, and rounding must not choose it: their preferred velocities are
/// turned to the right, and half-planes to the left would hold them up. At 0.05 and more dense crowds take longer.
pub(crate) const LEFT_LEG_SINE: f32 = 0.001;
