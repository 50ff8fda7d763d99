//! Goals of physical quality that are reached stay reached.

use scenes::quality;

/// Questions all of whose figures reach their goal, as far as they take a second or less to answer.
const REACHED: &[&str] = &[
    "stack",
    "jittered_stack",
    "jittered_stack_50",
    "pyramid",
    "heavy_on_light",
    "very_heavy_on_light",
    "inverted_pyramid",
    "cards",
    "arch",
    "arch_under_slabs",
    "dominoes",
    "mirror",
    "large_steps",
    "chain_100",
    "chain_1000",
    "swinging_chain",
    "pendulum",
    "double_pendulum",
    "cantilever",
    "arm",
    "rods",
    "period",
    "angle_limit",
    "slider_limit",
    "damped_spring",
    "four_bars",
    "spring",
    "flight",
    "spin",
    "creep",
    "slide",
    "braking",
    "rolling",
    "free_rolling",
    "conveyor",
    "seams",
    "far",
    "bounces",
    "bounces_on_time",
    "gas",
    "gas_on_time",
    "throw",
    "minute_of_bounces",
    "flat_box",
    "slow_bounce",
    "cradle",
    "static_walls",
    "plate",
    "plates_at_once",
    "turning_bar",
    "bullets",
    "impact_time",
    "launch",
    "grazing",
    "landings",
    "boxes_at_a_point",
    "stretched_chain",
    "sleepy_stack",
    "sleepy_pyramid",
    "toppling",
    "slow_things",
    "repeat",
];

#[test]
fn goals_that_were_reached_stay_reached() {
    let questions = quality::all();
    for name in REACHED {
        let question = questions.iter().find(|question| question.name == *name);
        for figure in (question.expect("a question of this name").measure)() {
            assert!(
                figure.is_met(),
                "{name}: {} is {}, {} was reached",
                figure.what,
                figure.ours,
                figure.goal
            );
        }
    }
}
