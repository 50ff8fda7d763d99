//! The pattern of a sparse symmetric matrix of blocks, and the order and the operations of its elimination.
//!
//! The order is that of minimum degree ([Davis06, ch. 7]): the node with the fewest neighbors is eliminated first, and its
//! neighbors become neighbors of each other. Ties go to the lowest node, so the order depends on the pattern alone. Analysis
//! lists the target of each update, so that the numbers are computed without a search.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// The target of an update on the diagonal.
pub(super) const DIAGONAL: u32 = u32::MAX;

/// The pattern of a matrix, and its elimination block by block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockPattern {
    pub(super) nodes: usize,
    edges: Vec<[u32; 2]>,
    /// Place in the order of elimination by node.
    pub(super) places: Vec<u32>,
    /// Entries below the diagonal, column by column: starts, and rows ascending.
    starts: Vec<u32>,
    pub(super) rows: Vec<u32>,
    /// Targets of the updates, column by column.
    pub(super) updates: Vec<u32>,
    /// By edge: its entry, and whether the first node is the row.
    pub(super) entries: Vec<(u32, bool)>,
    /// Products of two blocks in a factorization.
    pub(super) products: u64,
    elimination: Elimination,
}

/// Lists of the analysis, which keep their memory.
#[derive(Clone, Debug, Default)]
struct Elimination {
    /// By node: its neighbors that are not eliminated, ascending; at the end those at its own elimination.
    neighbors: Vec<Vec<u32>>,
    /// Nodes in the order of elimination.
    order: Vec<u32>,
    /// (number of neighbors, node), with entries that are out of date.
    queue: BinaryHeap<Reverse<(usize, u32)>>,
    union: Vec<u32>,
}

impl BlockPattern {
    /// Analyzes the pattern of `edges` between different nodes. Returns `false` if it is the present one.
    pub(super) fn analyze(&mut self, nodes: usize, edges: &[[u32; 2]]) -> bool {
        if self.nodes == nodes && self.edges == edges && self.starts.len() == nodes + 1 {
            return false;
        }
        self.nodes = nodes;
        self.edges.clear();
        self.edges.extend_from_slice(edges);
        self.eliminate();
        self.list_entries();
        self.list_updates();
        true
    }

    /// Orders the nodes, and lists the neighbors of each at its elimination.
    fn eliminate(&mut self) {
        let Elimination {
            neighbors,
            order,
            queue,
            union,
        } = &mut self.elimination;
        neighbors.resize_with(self.nodes.max(neighbors.len()), Vec::new);
        neighbors.iter_mut().for_each(Vec::clear);
        for &[a, b] in &self.edges {
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
        order.clear();
        queue.clear();
        for (node, list) in neighbors[..self.nodes].iter_mut().enumerate() {
            list.sort_unstable();
            list.dedup();
            queue.push(Reverse((list.len(), node as u32)));
        }
        self.places.clear();
        self.places.resize(self.nodes, u32::MAX);
        while let Some(Reverse((degree, node))) = queue.pop() {
            if self.places[node as usize] != u32::MAX || neighbors[node as usize].len() != degree {
                continue;
            }
            self.places[node as usize] = order.len() as u32;
            order.push(node);
            let column = core::mem::take(&mut neighbors[node as usize]);
            for &other in &column {
                let old = &mut neighbors[other as usize];
                merge(old, &column, [other, node], union);
                queue.push(Reverse((union.len(), other)));
                core::mem::swap(old, union);
            }
            neighbors[node as usize] = column;
        }
    }

    fn list_entries(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.rows.clear();
        for &node in &self.elimination.order {
            let start = self.rows.len();
            let (column, places) = (&self.elimination.neighbors[node as usize], &self.places);
            self.rows
                .extend(column.iter().map(|&node| places[node as usize]));
            self.rows[start..].sort_unstable();
            self.starts.push(self.rows.len() as u32);
        }
        self.entries.clear();
        for i in 0..self.edges.len() {
            let [a, b] = self.edges[i].map(|node| self.places[node as usize]);
            let entry = self.entry(a.max(b), a.min(b));
            self.entries.push((entry, a > b));
        }
    }

    /// Returns the index of the entry in `row` and `column`, which exists.
    fn entry(&self, row: u32, column: u32) -> u32 {
        let (start, end) = self.column(column as usize);
        let found = self.rows[start..end].binary_search(&row);
        (start + found.unwrap_or_else(|place| place)) as u32
    }

    pub(super) fn column(&self, column: usize) -> (usize, usize) {
        (
            self.starts[column] as usize,
            self.starts[column + 1] as usize,
        )
    }

    fn list_updates(&mut self) {
        self.updates.clear();
        self.products = 0;
        for column in 0..self.nodes {
            let (start, end) = self.column(column);
            for first in start..end {
                for second in start..=first {
                    let target = if first == second {
                        DIAGONAL
                    } else {
                        self.entry(self.rows[first], self.rows[second])
                    };
                    self.updates.push(target);
                }
            }
            let count = (end - start) as u64;
            self.products += 1 + count + count * (count + 1) / 2;
        }
    }
}

/// Writes the union of two ascending lists without two nodes to `union`.
fn merge(a: &[u32], b: &[u32], without: [u32; 2], union: &mut Vec<u32>) {
    union.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) => x,
            (None, Some(&y)) => y,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            union.push(next);
        }
    }
}
