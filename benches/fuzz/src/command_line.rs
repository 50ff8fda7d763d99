//! The command line of fuzzers that take a count and a seed.

/// Reads `COUNT [SEED]` behind the name of the program; `None` if other words stand there. The seed is 1 by default.
#[must_use]
pub fn count_and_seed(words: impl Iterator<Item = String>) -> Option<(u64, u64)> {
    let numbers: Result<Vec<u64>, _> = words.skip(1).map(|word| word.parse()).collect();
    match numbers.ok()?.as_slice() {
        [count] => Some((*count, 1)),
        [count, seed] => Some((*count, *seed)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_and_an_optional_seed_are_read() {
        let read = |words: &str| count_and_seed(words.split(' ').map(str::to_owned));
        assert_eq!(read("fuzz 10"), Some((10, 1)));
        assert_eq!(read("fuzz 10 7"), Some((10, 7)));
        for wrong in ["fuzz", "fuzz x", "fuzz 10 7 1", "fuzz -1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
