//! The macros that write a vector of one register from a table of its instructions.
//!
//! Macros, since intrinsics are functions of different target features, which no generic can stand for.

/// Writes the vector `$name`, its mask, its operators and [`Vector`](crate::Vector).
macro_rules! vector {
    (
        $(#[$doc:meta])*
        $name:ident($register:ty) of $token:ident, $width:literal lanes, mask $mask:ident($bits:ty);
        splat $splat:ident, add $add:ident, sub $sub:ident, mul $mul:ident, div $div:ident,
        min $min:ident, max $max:ident, sqrt $sqrt:ident;
        neg |$n:ident| $neg:expr;
        lt |$lt_a:ident, $lt_b:ident| $lt:expr;
        le |$le_a:ident, $le_b:ident| $le:expr;
        select |$select_mask:ident, $yes:ident, $no:ident| $select:expr;
        and |$and_a:ident, $and_b:ident| $and:expr;
        or |$or_a:ident, $or_b:ident| $or:expr;
        bits |$bits_mask:ident| $to_bits:expr;
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $name($register);

        // SAFETY: the token exists.
        operator!(Add add, [] $name, |a, b| unsafe { $add(a, b) });
        // SAFETY: the token exists.
        operator!(Sub sub, [] $name, |a, b| unsafe { $sub(a, b) });
        // SAFETY: the token exists.
        operator!(Mul mul, [] $name, |a, b| unsafe { $mul(a, b) });
        // SAFETY: the token exists.
        operator!(Div div, [] $name, |a, b| unsafe { $div(a, b) });

        impl core::ops::Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                let $n = self.0;
                // SAFETY: the token exists.
                Self(unsafe { $neg })
            }
        }

        /// One truth value a lane.
        #[derive(Clone, Copy, Debug)]
        pub struct $mask($bits);

        impl crate::Mask for $mask {
            const WIDTH: usize = $width;
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                let ($and_a, $and_b) = (self.0, other.0);
                // SAFETY: the token exists.
                Self(unsafe { $and })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                let ($or_a, $or_b) = (self.0, other.0);
                // SAFETY: the token exists.
                Self(unsafe { $or })
            }
            #[inline(always)]
            fn bits(self) -> u32 {
                let $bits_mask = self.0;
                // SAFETY: the token exists.
                unsafe { $to_bits }
            }
        }

        impl crate::lanes::Sealed for $name {}

        impl crate::Vector for $name {
            type Simd = $token;
            type Mask = $mask;

            #[inline(always)]
            fn splat(_: $token, value: f32) -> Self {
                // SAFETY: the token exists.
                Self(unsafe { $splat(value) })
            }
            #[inline(always)]
            fn zero(_: $token) -> Self {
                // SAFETY: any bits are numbers.
                Self(unsafe { core::mem::zeroed() })
            }
            #[inline(always)]
            fn simd(self) -> $token {
                $token(())
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: the token exists.
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: the token exists.
                Self(unsafe { $max(self.0, other.0) })
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the token exists.
                Self(unsafe { $sqrt(self.0) })
            }
            #[inline(always)]
            fn lt(self, other: Self) -> $mask {
                let ($lt_a, $lt_b) = (self.0, other.0);
                // SAFETY: the token exists.
                $mask(unsafe { $lt })
            }
            #[inline(always)]
            fn le(self, other: Self) -> $mask {
                let ($le_a, $le_b) = (self.0, other.0);
                // SAFETY: the token exists.
                $mask(unsafe { $le })
            }
            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                let ($select_mask, $yes, $no) = (mask.0, yes.0, no.0);
                // SAFETY: the token exists.
                Self(unsafe { $select })
            }
        }
    };
}

/// Writes [`Lanes`](crate::Lanes): the part common to all registers, then the rest of the implementation.
macro_rules! lanes {
    ($name:ident, $width:literal, unpack $unpack_low:ident $unpack_high:ident, shuffle $shuffle:ident; $($rest:tt)*) => {
        impl $name {
            /// Transposes 4 by 4 within each group of four lanes.
            #[inline(always)]
            fn transpose_fours([a, b, c, d]: [Self; 4]) -> [Self; 4] {
                // SAFETY: the token exists.
                unsafe {
                    let (ab_low, ab_high) = ($unpack_low(a.0, b.0), $unpack_high(a.0, b.0));
                    let (cd_low, cd_high) = ($unpack_low(c.0, d.0), $unpack_high(c.0, d.0));
                    [
                        Self($shuffle::<0b01_00_01_00>(ab_low, cd_low)),
                        Self($shuffle::<0b11_10_11_10>(ab_low, cd_low)),
                        Self($shuffle::<0b01_00_01_00>(ab_high, cd_high)),
                        Self($shuffle::<0b11_10_11_10>(ab_high, cd_high)),
                    ]
                }
            }
        }

        impl crate::Lanes for $name {
            const WIDTH: usize = $width;
            type Indices = [u32; $width];

            #[inline(always)]
            fn indices(value: u32) -> [u32; $width] {
                [value; $width]
            }
            #[inline(always)]
            fn as_slice(&self) -> &[f32] {
                // SAFETY: the register has the size of the array and at least its alignment.
                unsafe { &*(&raw const *self).cast::<[f32; $width]>() }
            }
            #[inline(always)]
            fn as_mut_slice(&mut self) -> &mut [f32] {
                // SAFETY: the register has the size of the array and at least its alignment.
                unsafe { &mut *(&raw mut *self).cast::<[f32; $width]>() }
            }
            $($rest)*
        }
    };
}

/// Writes the token of an instruction set of x86-64: the features that it stands for, and the code that is compiled for them.
#[cfg(target_arch = "x86_64")]
macro_rules! token {
    ($(#[$doc:meta])* $name:ident, vector $vector:ident, enables $enables:literal, asks $($feature:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(());

        impl crate::lanes::Sealed for $name {}

        impl crate::Simd for $name {
            type F32 = $vector;

            fn detect() -> Option<Self> {
                let is_there = true $(&& is_x86_feature_detected!($feature))*;
                is_there.then_some(Self(()))
            }

            #[inline(always)]
            fn enter<K: crate::Kernel<Self>>(self, kernel: K) -> K::Output {
                /// # Safety
                /// The processor must have the instruction set.
                #[target_feature(enable = $enables)]
                unsafe fn enter<K: crate::Kernel<$name>>(simd: $name, kernel: K) -> K::Output {
                    kernel.run(simd)
                }
                // SAFETY: the token exists.
                unsafe { enter(self, kernel) }
            }
        }
    };
}
