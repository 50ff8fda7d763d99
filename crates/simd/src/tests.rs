//! Every instruction set gives the bits of the portable vectors.

use crate::*;

/// Numbers that tell rounding, signs and infinities apart.
const SPECIALS: [f32; 8] = [0.0, -0.0, 1.5, -2.25, 1.0e-40, 3.0e38, f32::INFINITY, 0.1];

/// Bits of a number; those of a NaN, whose sign and payload are unspecified, are one.
fn bits_of(number: f32) -> u32 {
    if number.is_nan() { 1 } else { number.to_bits() }
}

/// Enters a kernel with every width that the processor has.
macro_rules! for_each_width {
    ($kernel:expr, $check:expr) => {
        for width in Width::available() {
            let output = match width {
                Width::One(simd) => simd.enter($kernel),
                Width::Four(simd) => simd.enter($kernel),
                #[cfg(target_arch = "x86_64")]
                Width::Eight(simd) => simd.enter($kernel),
                #[cfg(target_arch = "x86_64")]
                Width::Sixteen(simd) => simd.enter($kernel),
            };
            $check(output, width);
        }
    };
}

/// Results of every operation, number by number.
struct Arithmetic<'a>(&'a [f32], &'a [f32]);

impl<S: Simd<F32: Lanes>> Kernel<S> for Arithmetic<'_> {
    type Output = Vec<u32>;
    #[inline(always)]
    fn run(self, simd: S) -> Vec<u32> {
        let width = <S::F32 as Lanes>::WIDTH;
        let mut bits = Vec::new();
        for (x, y) in self.0.chunks(width).zip(self.1.chunks(width)) {
            let (mut a, mut b) = (simd.zero(), simd.zero());
            a.as_mut_slice().copy_from_slice(x);
            b.as_mut_slice().copy_from_slice(y);
            let positive = a.ge(b).and(b.ge(simd.zero()));
            let small = a.le(b).or(b.gt(simd.splat(1.0)));
            let results = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.min(b),
                a.max(b),
                a.sqrt(),
                S::F32::select(a.gt(b), a, b),
                S::F32::select(a.lt(b), a, b),
                S::F32::select(positive, a, b),
                S::F32::select(small, a, b),
            ];
            let any = [positive.any(), small.any(), a.lt(a).any()];
            let all = [
                positive.all(),
                small.all(),
                a.le(simd.splat(f32::INFINITY)).all(),
            ];
            assert_eq!(any, [positive.bits() != 0, small.bits() != 0, false]);
            let every = (1 << width) - 1;
            assert_eq!(all, [positive.bits() == every, small.bits() == every, true]);
            for lane in 0..width {
                bits.extend(results.iter().map(|r| bits_of(r.as_slice()[lane])));
                bits.push(positive.bits() >> lane & 1);
            }
        }
        bits
    }
}

#[test]
fn every_width_gives_the_same_bits() {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for a in SPECIALS {
        for b in SPECIALS {
            x.push(a);
            y.push(b);
        }
    }
    let scalar = Portable::<1>::BASELINE.enter(Arithmetic(&x, &y));
    assert_eq!(Portable::<4>::BASELINE.enter(Arithmetic(&x, &y)), scalar);
    for_each_width!(Arithmetic(&x, &y), |bits, width| assert_eq!(
        bits, scalar,
        "{width:?}"
    ));
}

/// Loads rows of four and of eight numbers, and stores those of four.
struct Rows;

impl<S: Simd<F32: Lanes>> Kernel<S> for Rows {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        let width = <S::F32 as Lanes>::WIDTH;
        let source: Vec<f32> = (0..8 * width).map(|i| i as f32).collect();
        // SAFETY: the rows of 4 numbers tile the first half, those of 8 the whole.
        let (rows, long_rows) = unsafe {
            (
                S::F32::load_rows(simd, |lane| source.as_ptr().add(4 * lane)),
                S::F32::load_long_rows(simd, |lane| source.as_ptr().add(8 * lane)),
            )
        };
        let mut back = vec![0.0; 4 * width];
        let start = back.as_mut_ptr();
        // SAFETY: the rows of 4 numbers tile the vector.
        unsafe { S::F32::store_rows(rows, |lane| start.add(4 * lane)) };
        assert_eq!(back, source[..4 * width]);
        for lane in 0..width {
            for (i, row) in rows.iter().enumerate() {
                assert_eq!(row.as_slice()[lane], (4 * lane + i) as f32);
            }
            for (i, row) in long_rows.iter().flatten().enumerate() {
                assert_eq!(row.as_slice()[lane], (8 * lane + i) as f32);
            }
        }
    }
}

#[test]
fn rows_and_lanes_are_transposes() {
    Portable::<4>::BASELINE.enter(Rows);
    for_each_width!(Rows, |(), _| ());
}

/// Results of every operation on two vectors of eight.
struct Eights([f32; LANES], [f32; LANES]);

impl<S: Simd<F32: Lanes8>> Kernel<S> for Eights {
    type Output = Vec<u32>;
    #[inline(always)]
    fn run(self, simd: S) -> Vec<u32> {
        let Self(x, y) = self;
        let a = S::F32::load_unaligned(simd, &x);
        let b = S::F32::load(simd, &F32x8(y));
        let vectors = [
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.sqrt(),
            a.min(b),
            a.max(b),
            S::F32::select(a.lt(b).and(b.ge(simd.zero())), a, b),
            S::F32::select(a.le(b).or(b.gt(simd.splat(1.0))), a, b),
            S::F32::select(S::F32::mask_first(simd, 3), a, b),
            S::F32::select(S::F32::mask_from_bits(simd, 0b1001_0110), a, b),
        ];
        let mut bits: Vec<u32> = vectors
            .iter()
            .flat_map(|vector| vector.store().0.map(bits_of))
            .collect();
        let indices = core::array::from_fn(|lane| 3 * lane as u32 + 1);
        let mask = S::F32::and_not_equal(a.lt(b), &indices, 7);
        let mut packed = [0; LANES];
        S::F32::compress(simd, &indices, mask.bits(), &mut packed);
        bits.push(mask.bits());
        bits.extend(&packed[..count_lanes(mask.bits())]);
        bits
    }
}

#[test]
fn every_level_gives_the_same_bits() {
    for turn in 0..LANES {
        let y = core::array::from_fn(|lane| SPECIALS[(lane + turn) % LANES]);
        let expected = Portable::<8>::BASELINE.enter(Eights(SPECIALS, y));
        for level in Level::available() {
            assert_eq!(level.enter(Eights(SPECIALS, y)), expected, "{level:?}");
        }
    }
}

/// Gathers, records, differences and transposes.
struct Moves;

impl<S: Simd<F32: Lanes8>> Kernel<S> for Moves {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        let number = |i: usize, j: usize| (10 * i + j) as f32;
        let order = [7, 0, 3, 2, 1, 6, 5, 4];
        let pairs: [[f32; 2]; LANES] = core::array::from_fn(|i| [number(i, 2), number(i, 3)]);
        let gathered = S::F32::gather(simd, &pairs, &order);
        let records: [[f32; 4]; LANES] =
            core::array::from_fn(|i| core::array::from_fn(|j| number(i, j)));
        let loaded = S::F32::load_records(simd, order.map(|i| &records[i as usize]));
        // Rounded to f32 before the subtraction, these would be 64 m off.
        let points: [[f64; 2]; LANES] =
            core::array::from_fn(|i| [1.0e9 + i as f64, 0.25 * i as f64]);
        let near = order.map(|i| &points[i as usize]);
        let differences = S::F32::differences(simd, near, [1.0e9 - 1.0, 1.0]);
        let square = core::array::from_fn(|i| {
            S::F32::load(simd, &F32x8(core::array::from_fn(|j| number(i, j))))
        });
        let transposed = S::F32::transpose(square);
        for (lane, &i) in order.iter().enumerate() {
            let i = i as usize;
            for (j, numbers) in gathered.iter().enumerate() {
                assert_eq!(numbers.store().0[lane], number(i, j + 2));
            }
            for (j, numbers) in loaded.iter().enumerate() {
                assert_eq!(numbers.store().0[lane], number(i, j));
            }
            assert_eq!(differences[0].store().0[lane], i as f32 + 1.0);
            assert_eq!(differences[1].store().0[lane], 0.25 * i as f32 - 1.0);
            for (j, row) in transposed.iter().enumerate() {
                assert_eq!(row.store().0[lane], number(lane, j));
            }
        }
    }
}

#[test]
fn moves_put_numbers_where_they_belong() {
    Portable::<8>::BASELINE.enter(Moves);
    for level in Level::available() {
        level.enter(Moves);
    }
}

/// Gathers a record that is not there.
struct Astray;

impl<S: Simd<F32: Lanes8>> Kernel<S> for Astray {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        S::F32::gather(simd, &[[0.0; 2]; 3], &[0, 1, 2, 0, 1, 3, 0, 1]);
    }
}

#[test]
fn gathering_beyond_the_list_panics() {
    for level in Level::available() {
        let result = std::panic::catch_unwind(|| level.enter(Astray));
        assert!(result.is_err(), "{level:?}");
    }
}

/// Ranks, permutes and compresses sixteen.
struct Sixteen;

impl<S: Simd<F32: Lanes8>> Kernel<S> for Sixteen {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        let halves = |of: fn(usize) -> f32| {
            Wide([0, LANES].map(|start| F32x8(each_lane(|lane| of(start + lane)))))
        };
        let numbers = halves(|i| ((7 * i) % WIDE) as f32);
        let [low, high] = &numbers.0;
        let joined = S::F32::join(S::F32::load(simd, low), S::F32::load(simd, high));
        assert_eq!(joined, numbers);
        let (order, sum) = S::F32::rank(simd, &numbers);
        assert_eq!(sum, 120);
        let order = S::F32::unpack_nibbles(simd, order);
        let sorted = S::F32::permute(simd, &numbers, &order);
        assert_eq!(sorted, halves(|i| i as f32));
        let integers: [u32; WIDE] = core::array::from_fn(|i| (7 * i % WIDE) as u32);
        let sorted: [u32; WIDE] = core::array::from_fn(|i| i as u32);
        assert_eq!(S::F32::permute_u32(simd, &integers, &order), sorted);
        // Equal numbers: the sum shows it.
        assert_eq!(S::F32::rank(simd, &halves(|i| (i / 2) as f32)).1, 112);

        let five = simd.splat(5.0).twice();
        let sixteen =
            <S::F32 as Lanes8>::Wide::load16(five.simd(), &core::array::from_fn(|i| i as f32));
        let names = core::array::from_fn(|i| 100 + i as u32);
        let mut found = [0; WIDE];
        let near = (sixteen - five) * (sixteen - five);
        let mask = near.le(simd.splat(16.0).twice());
        assert_eq!(mask.bits(), 0b11_1111_1110);
        let count =
            <S::F32 as Lanes8>::Wide::compress_but(five.simd(), mask, &names, 106, &mut found);
        assert_eq!(found[..count], [101, 102, 103, 104, 105, 107, 108, 109]);
    }
}

#[test]
fn sixteen_are_ranked_permuted_and_compressed() {
    Portable::<8>::BASELINE.enter(Sixteen);
    for level in Level::available() {
        level.enter(Sixteen);
    }
}
