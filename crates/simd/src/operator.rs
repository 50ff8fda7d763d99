//! The macro that writes an operator of a vector.

/// Writes the operator `$Operator` of `$name`, given the operation on the fields of two vectors.
macro_rules! operator {
    ($Operator:ident $method:ident, [$($generics:tt)*] $name:ty, |$a:ident, $b:ident| $body:expr) => {
        impl<$($generics)*> core::ops::$Operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($body)
            }
        }
    };
}
