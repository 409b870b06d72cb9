//! `f16` and `bf16` as plain bits, used if the crate `half` is not built. The macro computes literals with them, so
//! that a user's build need not compile `half` before the macro. All arithmetic is this crate's own in either case.
use crate::halves::{f32_from_bf16, f32_from_f16};
use std::fmt;

macro_rules! word {
    ($(#[$doc:meta])* $name:ident, $infinity:literal, $to_f32:ident) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Default)]
        pub struct $name(u16);

        impl $name {
            /// The number with these bits.
            pub const fn from_bits(bits: u16) -> Self {
                $name(bits)
            }

            /// Its bits.
            pub const fn to_bits(self) -> u16 {
                self.0
            }

            /// Whether it is neither infinite nor NaN.
            pub const fn is_finite(self) -> bool {
                self.0 & $infinity != $infinity
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                $to_f32(*self) == $to_f32(*other)
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                $to_f32(*self).partial_cmp(&$to_f32(*other))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&$to_f32(*self), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&$to_f32(*self), f)
            }
        }
    };
}

word!(
    /// IEEE half precision.
    f16,
    0x7c00,
    f32_from_f16
);
word!(
    /// The upper half of an `f32`.
    bf16,
    0x7f80,
    f32_from_bf16
);
