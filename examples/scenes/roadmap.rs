//! A roadmap: places that see each other, and shortest ways along them. A path-finder for walkers.

use crate::mark::{Mark, Tone};
use cairn2d::is_path_clear;
use cairn2d::prelude::{Path, PathFinder, PathQuery, QueryFilter, World, WorldPoint};

/// Places, and links between places that see each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roadmap {
    shown: bool,
    places: Vec<WorldPoint>,
    /// For each place, the places that it sees, with their distances \[m\].
    links: Vec<Vec<(usize, f32)>>,
}

impl Roadmap {
    /// Returns the places of a square grid where a disc of `radius` has room, linked to their eight neighbors where it
    /// gets straight along.
    pub(crate) fn grid(
        world: &World,
        low: (f32, f32),
        high: (f32, f32),
        spacing: f32,
        radius: f32,
    ) -> Self {
        let filter = QueryFilter::default();
        let clear = |a: WorldPoint, b: WorldPoint| is_path_clear(world, a, b, radius, filter);
        let count = |low: f32, high: f32| ((high - low) / spacing) as u16 + 1;
        let mut places: Vec<WorldPoint> = Vec::new();
        for row in 0..count(low.1, high.1) {
            for column in 0..count(low.0, high.0) {
                let x = low.0 + spacing * f32::from(column);
                let y = low.1 + spacing * f32::from(row);
                let place = WorldPoint::from((x, y));
                if clear(place, place) {
                    places.push(place);
                }
            }
        }
        let near = |a: WorldPoint, b: WorldPoint| {
            let distance = (b - a).norm();
            (distance < 1.5 * spacing && distance > 0.0 && clear(a, b)).then_some(distance)
        };
        let links = places.iter().map(|&a| {
            let others = places.iter().enumerate();
            others
                .filter_map(|(i, &b)| Some((i, near(a, b)?)))
                .collect()
        });
        let links = links.collect();
        Self {
            shown: false,
            places,
            links,
        }
    }

    /// Lets the places be drawn.
    pub(crate) fn shown(self) -> Self {
        Self {
            shown: true,
            ..self
        }
    }

    /// Returns a dot for each place, if they are to be drawn.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        if !self.shown {
            return Vec::new();
        }
        let dot = |&at: &WorldPoint| Mark::Dot {
            at,
            tone: Tone::Miss,
        };
        self.places.iter().map(dot).collect()
    }

    /// Returns for each place its distance to the goal \[m\] and the next place on the way there.
    fn ways(&self, query: &PathQuery<'_>) -> Vec<(f32, Option<usize>)> {
        let start = |&place: &WorldPoint| match query.is_clear(place, query.goal) {
            true => ((query.goal - place).norm(), None),
            false => (f32::INFINITY, None),
        };
        let mut ways: Vec<(f32, Option<usize>)> = self.places.iter().map(start).collect();
        let mut open: Vec<usize> = (0..ways.len()).collect();
        // Dijkstra's way; with a hundred places a plain list will do.
        while let Some(place) = nearest(&mut open, &ways) {
            for &(other, distance) in &self.links[place] {
                let through = ways[place].0 + distance;
                if through < ways[other].0 {
                    ways[other] = (through, Some(place));
                }
            }
        }
        ways
    }
}

/// Takes the place nearest to the goal out of the list; `None` if the others do not reach it.
fn nearest(open: &mut Vec<usize>, ways: &[(f32, Option<usize>)]) -> Option<usize> {
    let by_way = |a: &(usize, &usize), b: &(usize, &usize)| ways[*a.1].0.total_cmp(&ways[*b.1].0);
    let (index, &place) = open.iter().enumerate().min_by(by_way)?;
    open.swap_remove(index);
    ways[place].0.is_finite().then_some(place)
}

impl PathFinder for Roadmap {
    fn find_path(&mut self, query: &PathQuery<'_>) -> Option<Path> {
        if query.is_clear(query.from, query.goal) {
            return Some(vec![query.goal].into());
        }
        let ways = self.ways(query);
        let length = |&place: &usize| (self.places[place] - query.from).norm() + ways[place].0;
        let mut first: Vec<usize> = (0..self.places.len())
            .filter(|p| length(p).is_finite())
            .collect();
        first.sort_by(|a, b| length(a).total_cmp(&length(b)));
        let first = first.into_iter();
        let mut seen = first.filter(|&place| query.is_clear(query.from, self.places[place]));
        let mut next = Some(seen.next()?);
        let mut points = Vec::new();
        while let Some(place) = next {
            points.push(self.places[place]);
            next = ways[place].1;
        }
        points.push(query.goal);
        Some(straightened(query, points).into())
    }
}

/// Leaves out every place from whose predecessor the next one is seen.
fn straightened(query: &PathQuery<'_>, points: Vec<WorldPoint>) -> Vec<WorldPoint> {
    let mut kept: Vec<WorldPoint> = Vec::new();
    for (i, &point) in points.iter().enumerate() {
        let from = kept.last().copied().unwrap_or(query.from);
        let after = points.get(i + 1);
        if after.is_none_or(|&after| !query.is_clear(from, after)) {
            kept.push(point);
        }
    }
    kept
}
