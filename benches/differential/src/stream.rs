//! Sources of cases: random, degenerate, or mutants of both.

use crate::case::{Case, Form, Stream, numbers_of};
use crate::degenerate;
use crate::generate::{KINDS, Random, placed, shape};
use crate::operations::Operation;

/// Returns the next question of a stream.
pub fn next(stream: Stream, random: &mut Random, operation: &Operation) -> Case {
    let mut case = match stream {
        Stream::Random => random_pair(random, operation.gap),
        Stream::Degenerate => degenerate::pair(random),
        Stream::Mutant => {
            let parents = [Stream::Random, Stream::Degenerate];
            let parent = parents[random.below(2) as usize];
            let mut case = next(parent, random, operation);
            mutate(random, &mut case);
            return case;
        }
    };
    (operation.aim)(random, &mut case, stream);
    case
}

fn random_pair(random: &mut Random, gap: fn(&mut Random) -> f32) -> Case {
    let (gap, size) = (gap(random), size(random));
    if random.below(5) == 0 {
        return degenerate::boxes_on_grid(random, size);
    }
    let kind = KINDS[random.below(5) as usize];
    let a = shape(random, kind, size);
    let kind = KINDS[random.below(5) as usize];
    let b = shape(random, kind, size);
    let pose = placed(random, &a, &b, gap);
    Case {
        a: Form::of(&a),
        b: Form::of(&b),
        pose: numbers_of(&pose),
        numbers: vec![],
    }
}

/// Mostly of the size of things about us, sometimes of that of a hill.
fn size(random: &mut Random) -> f32 {
    if random.below(20) == 0 {
        return random.log_between(100.0, 1000.0);
    }
    random.log_between(0.3, 5.0)
}

/// Changes one number: by an ulp or a few, by a small share, or to a special value.
fn mutate(random: &mut Random, case: &mut Case) {
    let mut numbers = case.all_numbers();
    let count = numbers.len() as u64;
    let (which, other) = (random.below(count) as usize, random.below(count) as usize);
    let old = *numbers[which];
    *numbers[which] = match random.below(8) {
        0 => old.next_up(),
        1 => old.next_down(),
        2 => f32::from_bits(old.to_bits().wrapping_add(random.below(16) as u32)),
        3 | 4 => old * (1.0 + random.log_between(1e-7, 1e-2)),
        5 => old + random.log_between(1e-9, 1e-3),
        6 => -old,
        _ => *numbers[other],
    };
    if !numbers[which].is_finite() {
        *numbers[which] = old;
    }
}
