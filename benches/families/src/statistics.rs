//! Order statistics of a measure over many runs.

/// Median, 90th percentile and greatest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Median.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// Greatest value.
    pub max: f64,
}

impl Summary {
    /// Summarizes values; all 0 without any.
    #[must_use]
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| {
            let last = values.len().saturating_sub(1) as f64;
            values
                .get((share * last).round() as usize)
                .map_or(0.0, |&value| value)
        };
        Self {
            p50: at(0.5),
            p90: at(0.9),
            max: at(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_sorted_values() {
        let summary = Summary::of((0..=100).rev().map(f64::from));
        assert_eq!((summary.p50, summary.p90, summary.max), (50.0, 90.0, 100.0));
        assert_eq!(Summary::of([].into_iter()).max, 0.0);
    }
}
