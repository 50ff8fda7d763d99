//! Numbers of the method: what each is, how large, and what breaks when it changes.

/// Largest distance of an agent or obstacle from the origin [m].
///
/// At 1e12 m neighbouring `f64` are 0.1 mm apart, still far below a radius; beyond, agents could no
/// longer tell where they are.
pub const MAX_COORDINATE: f64 = 1.0e12;

/// Greatest speed, radius, range, or other measure of an agent [SI].
///
/// Squares of it stay finite in `f32`, so no formula overflows.
pub const MAX_MEASURE: f64 = 1.0e9;

/// Greatest number of neighbours that one agent heeds.
///
/// Bounds the record of half-planes of one agent. Ten are usual: a disc has room for six others of
/// its size around it, and those behind them are hidden.
pub const MAX_NEIGHBORS: usize = 32;

/// Shortest step that steering plans for [s].
///
/// A call with a shorter step (zero included) steers as if it were this long: bounds on the way in
/// one step become bounds on speed by dividing by the step.
pub(crate) const MIN_STEP: f32 = 1.0e-4;

/// Shortest time horizon, in steps.
///
/// Below one step a half-plane of the horizon says less than the one-step contact half-plane.
pub(crate) const MIN_HORIZON_STEPS: f32 = 2.0;

/// Factor by which the horizon shrinks while the half-planes contradict each other.
pub(crate) const HORIZON_FACTOR: f32 = 0.5;

/// How often the horizon may shrink: 5 s become 20 ms.
pub(crate) const MAX_HORIZON_LEVEL: u8 = 8;

/// Sine of the angle below which two boundary lines count as parallel.
///
/// Their intersection would lie 1e5 times their offset away: outside of every speed limit.
pub(crate) const PARALLEL_SINE: f32 = 1.0e-5;

/// Speed by which a half-plane may be missed through rounding [m/s].
///
/// Agents in a jam touch on many sides: their half-planes then meet in one point up to rounding.
/// Without the tolerance that point is lost. One step of 0.25 s turns it into 2.5 micrometres.
pub(crate) const SPEED_SLOP: f32 = 1.0e-5;

/// Share of the preferred speed below which an agent makes no progress.
pub(crate) const STUCK_SHARE: f32 = 0.05;

/// Time without progress after which an agent is reported stuck [s].
pub(crate) const STUCK_TIME: f32 = 2.0;

/// Agents in one row of a search above which it looks only at so many of them; where all are alike, at few more than it
/// wants to find.
///
/// Agents cannot stand so densely unless they overlap many times over (created on one spot, say), and then it does
/// not matter which of them they heed; without the bound a pile of n costs n^2.
pub(crate) const CROWDED_RUN: usize = 192;

/// Steps between two re-orderings of the agents in memory.
///
/// Agents near each other in the plane should be near in memory; walking changes that slowly.
pub(crate) const REORDER_INTERVAL: u32 = 64;

/// Agents that one task of the thread pool steers.
///
/// The split depends on the number of agents alone. At 200 to 1000 ns an agent a task is 50 to 250
/// microseconds of work, which hides the cost of handing it out.
pub(crate) const CHUNK: usize = 256;

/// Agents from which on what takes a few nanoseconds for each goes over the threads of the pool.
///
/// It is then 20 microseconds of work; below, handing it out costs more than it saves.
pub(crate) const SHARED: usize = 2048;

/// Share of its wish below which an agent crawls, and looks less far ahead instead.
///
/// With a turn that does not grow, 0.7 let all symmetric rings of 2 to 30 agents pass; at 0.3 most of
/// them (24 of 29) stopped where the half-planes of a horizon of 10 s leave a hundredth of the speed.
pub(crate) const CRAWL_SHARE: f32 = 0.7;

/// Horizon that even a crawling agent keeps, unless half-planes contradict each other [s].
///
/// At 1 s twice as many agents of a dense crowd end up with half-planes that contradict each other (5 % at
/// 0.3 agents per square meter, with 2 s it is 2.7 %), and 95 % arrive a sixth later; at 3 s some never do.
pub(crate) const SOON: f32 = 2.0;

/// Time in which the bias fades when nobody is in the way any more [s].
pub(crate) const BIAS_FADE_TIME: f32 = 2.0;

/// Share of the wished speed, along the turned wish, above which the turn shrinks again.
///
/// At 0.5 those in a jam keep a turn that leads nowhere for longer: 95 % of a dense crowd arrive a tenth later.
pub(crate) const TURN_PROGRESS: f32 = 0.7;

/// How fast the turn of an agent at rest grows, divided by [`TURN_PROGRESS`] [rad/s].
///
/// Those who wait for a second begin to go round. What keeps them from wandering is [`WAY_FREE`].
pub(crate) const TURN_RATE: f32 = 1.0;

/// Greatest turn of a wish [rad]: a little more than a right angle, so that whoever gets on in no other way draws back.
///
/// At 1.4 two who had pushed each other off their places stood for minutes; at 0.8 several of a hundred do.
pub(crate) const MAX_TURN: f32 = 1.6;

/// Share of the wished speed that the wish turned by no more than the bias has to leave for a greater turn to be
/// dropped.
///
/// Without it agents who leave a jam go on aside for seconds: 95 % of a dense crowd arrive half as late again, and a
/// group of a hundred between four blocks takes 690 s instead of 435 s.
pub(crate) const WAY_FREE: f32 = 0.3;

/// Gap to another agent, in sums of the radii, below which one in a throng makes room.
pub(crate) const ELBOW_ROOM: f32 = 1.0;

/// Part of its wished speed at which an agent moves away from one it touches, while others are in its way.
///
/// It keeps jams from being packed so tightly that nobody moves in them: half of a dense crowd arrive a quarter
/// earlier. At 1 some never get to places between others.
pub(crate) const ELBOW_PUSH: f32 = 0.3;

/// Greatest part of its wished speed that an agent gives to making room.
///
/// Half: whoever is surrounded still comes forward, to a place between others too.
pub(crate) const MAX_ELBOW_PUSH: f32 = 0.5;

/// Sweeps over the contacts of a step at most.
///
/// A pair needs one, a loose crowd few; a packed one is left with overlaps of about 1 % of the sum of
/// radii at 16 as at 24, since [`SWEEP_GAIN`].
pub(crate) const MAX_SWEEPS: usize = 16;

/// Overlap in one step that sweeps leave alone [m]: a twentieth of the contact slop of bodies.
pub(crate) const SWEEP_SLOP: f32 = 2.5e-4;

/// Share of the wished progress above which an agent leaves it to the half-planes to lead it along a
/// wall.
///
/// An agent that slows down before a wall near its goal still comes forward by more; one that stands
/// squarely before a wall comes to a stop.
pub(crate) const DETOUR_PROGRESS: f32 = 0.3;

/// Sine of the angle within which an agent stands squarely before a wall.
pub(crate) const SQUARE_SLIDE: f32 = 0.05;

/// Walls that one detour takes into account, one after the other: the second makes a corner, the third
/// a niche.
pub(crate) const MAX_CORNERS: usize = 3;

/// Time after which an agent that halved its horizon tries a longer one [s].
///
/// Trying costs a program; at every step it would double the work in a crowd. And horizons that change from
/// step to step make agents waver: with this wait 95 % of a dense crowd arrive in two thirds of the time.
pub(crate) const LOOK_AGAIN: f32 = 0.5;

/// Share of [`SWEEP_SLOP`] by which a velocity must have changed in a sweep to concern others.
pub(crate) const SWEEP_CHANGE: f32 = 0.5;

/// Part of what is too much that a sweep takes back, after the first one.
///
/// Above 1 the many that press on each other settle in fewer sweeps; at 2 they would swing.
pub(crate) const SWEEP_GAIN: f32 = 1.5;

/// Share of a turned wish below which what a wall leaves of it counts as nothing.
pub(crate) const WALL_SHARE: f32 = 0.3;

/// Sine of the angle by which a relative velocity must lie to the left of the way to the other for the two to pass
/// on the left.
///
/// Two who meet head on must take one side, and rounding must not choose it: their wishes are turned to the right,
/// and half-planes that lead to the left hold them up. At 0.05 and more dense crowds come through later.
pub(crate) const LEG_LEAN: f32 = 0.001;
