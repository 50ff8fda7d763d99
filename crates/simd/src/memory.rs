//! Numbers in memory: arrays of eight and sixteen that fill registers exactly.

/// Number of lanes of [`F32x8`].
pub const LANES: usize = 8;

/// Eight numbers in memory, aligned as a register.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct F32x8(pub [f32; LANES]);

impl F32x8 {
    /// Returns `value` eight times.
    pub const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
}

/// Eight integers in memory, aligned as a register.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct U32x8(pub [u32; LANES]);

/// Twice eight numbers or integers in memory, in one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Wide<T>(pub [T; 2]);

/// Number of lanes of [`Wide`].
pub const WIDE: usize = 2 * LANES;

/// Returns the array of `of` each lane. In contrast to `core::array::from_fn` it is always inlined.
#[inline(always)]
pub fn each_lane<T>(mut of: impl FnMut(usize) -> T) -> [T; LANES] {
    [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)]
}

/// For each set of lanes its members, lowest first.
pub(crate) const MEMBERS: [[u8; LANES]; 1 << LANES] = {
    let mut members = [[0; LANES]; 1 << LANES];
    let mut set = 0;
    while set < members.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                members[set][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    members
};

/// Returns the number of lanes in a set, by a table: the baseline of x86-64 has no instruction for it.
#[inline(always)]
pub fn count_lanes(set: u32) -> usize {
    const COUNTS: [u8; 1 << LANES] = {
        let mut counts = [0; 1 << LANES];
        let mut set = 0;
        while set < counts.len() {
            counts[set] = (set as u32).count_ones() as u8;
            set += 1;
        }
        counts
    };
    COUNTS[set as usize % COUNTS.len()].into()
}
