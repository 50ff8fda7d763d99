//! Trees in a save: everything that later answers depend on, without the names of leaves.

use super::Tree;
use super::levels::Levels;
use crate::lanes::{NONE, WIDTH, lanes};
use cairn2d_geometry::{LoadError, Persist, Place, Reader, Sink};

/// The names of leaves are not saved: a tree that is read names its boxes by their order in it.
impl Persist for Tree {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            levels,
            paired,
            moved,
            // The blocks with a bit in `moved`.
            moved_blocks: _,
            // Scratch.
            stray_blocks: _,
            leaf,
            data,
            // The inverse of `leaf`, whose names are not saved.
            slots: _,
            home,
            hot_start,
            hot_dirt,
            // The same except within a call.
            sorting: _,
            // Scratch.
            sorter: _,
            written,
        } = self;
        let blocks = moved.len();
        let is_written = |word| written.word(word);
        sink.enter(Place::Field("leaves"));
        sink.len(leaf.len());
        sink.records(blocks, is_written, |sink, block| {
            let first = WIDTH * block as usize;
            for slot in first..leaf.len().min(first + WIDTH) {
                let data = (leaf[slot] != NONE).then_some(data[slot]);
                sink.item(slot as u32, &data);
            }
        });
        sink.leave();
        sink.enter(Place::Field("levels"));
        levels.write(sink, written);
        sink.leave();
        sink.enter(Place::Field("moved"));
        sink.len(blocks);
        sink.records(blocks, is_written, |sink, block| {
            sink.item(block, &moved[block as usize]);
        });
        sink.leave();
        sink.records(blocks, is_written, |sink, block| {
            let block = block as usize;
            // Boxes that have not moved are as last paired.
            for lane in lanes(moved[block].into()) {
                sink.field("paired", &paired[block].get(lane));
            }
        });
        sink.enter(Place::Field("home"));
        sink.len(blocks);
        sink.records(blocks, is_written, |sink, block| {
            sink.item(block, &home[block as usize]);
        });
        sink.leave();
        sink.field("hot_start", hot_start);
        sink.field("hot_dirt", hot_dirt);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let leaves: Vec<Option<u32>> = reader.read()?;
        let levels = Levels::read(reader)?;
        let moved: Vec<u8> = reader.read()?;
        let mut paired = levels.blocks().to_vec();
        reader.in_range("number of moved blocks", moved.len() == paired.len())?;
        for (block, &moved) in paired.iter_mut().zip(&moved) {
            for lane in lanes(moved.into()) {
                block.set(lane, &reader.read()?);
            }
        }
        let mut tree = Self {
            levels,
            paired,
            moved_blocks: (0..)
                .zip(&moved)
                .filter_map(|(block, &moved)| (moved != 0).then_some(block))
                .collect(),
            moved,
            home: reader.read()?,
            hot_start: reader.read()?,
            hot_dirt: reader.read()?,
            ..Self::default()
        };
        reader.in_range("hot_dirt", tree.hot_dirt <= u32::MAX as usize)?;
        for (slot, leaf) in (0..).zip(leaves) {
            let name = leaf.map(|_| tree.slots.insert(slot) as u32);
            tree.leaf.push(name.unwrap_or(NONE));
            tree.data.push(leaf.unwrap_or(0));
        }
        tree.check().map_err(|defect| defect.at(reader))?;
        Ok(tree)
    }
}

impl Tree {
    /// Calls `visit` with the name and the number of each box, in the order of the tree.
    pub(crate) fn visit_leaves(&self, mut visit: impl FnMut(u32, u32)) {
        for (&leaf, &data) in self.leaf.iter().zip(&self.data) {
            if leaf != NONE {
                visit(leaf, data);
            }
        }
    }
}

const _: () = assert!(WIDTH == u8::BITS as usize);
