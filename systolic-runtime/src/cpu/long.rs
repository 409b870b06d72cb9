//! The elementary functions that are long, of registers of one level. Each is compiled once, here, as a loop over the lanes
//! that LLVM vectorises; a kernel only calls it. Inlined into kernels, a power would be a hundred operations per use and level.

/// Defines the functions for a register, given its element type, the functions of one element, the number of lanes and the
/// features of the level.
macro_rules! long_functions {
    ($type:ident $functions:ident $lanes:literal $features:tt) => {
        long_functions! { @each $type $functions $lanes $features: exp2 log2 atan sinh cosh tanh }
        long_functions! { @angle $type $functions $lanes $features: sin cos tan }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn pow(self, other: Self) -> Self {
            long_functions! { @function $features pow(a: &mut [$type; $lanes], b: &[$type; $lanes]) {
                for (a, b) in a.iter_mut().zip(b) {
                    *a = systolic_arith::elementary::$functions::pow(*a, *b);
                }
            } }
            let (mut a, mut b) = ([0.0; $lanes], [0.0; $lanes]);
            // SAFETY: guaranteed by the caller: the CPU has the features; the arrays have as many elements as there are lanes.
            unsafe {
                self.store(a.as_mut_ptr());
                other.store(b.as_mut_ptr());
                pow(&mut a, &b);
                Self::load(a.as_ptr())
            }
        }
    };
    (@each $type:ident $functions:ident $lanes:literal $features:tt: $($name:ident)+) => {
        $(long_functions! { @method $type $lanes $features $name(a) {
            for a in a {
                *a = systolic_arith::elementary::$functions::$name(*a);
            }
        } })+
    };
    // Large angles take a way with branches, so a vector of angles without one goes another way, with the same bits.
    (@angle $type:ident $functions:ident $lanes:literal $features:tt: $($name:ident)+) => {
        $(long_functions! { @method $type $lanes $features $name(a) {
            use systolic_arith::elementary::$functions::{self, near};
            let mut near = true;
            for a in &*a {
                near &= a.abs() < near::FAR;
            }
            if near {
                for a in a {
                    *a = near::$name(*a);
                }
            } else {
                for a in a {
                    *a = $functions::$name(*a);
                }
            }
        } })+
    };
    (@method $type:ident $lanes:literal $features:tt $name:ident($a:ident) $body:block) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self) -> Self {
            long_functions! { @function $features $name($a: &mut [$type; $lanes]) $body }
            let mut a = [0.0; $lanes];
            // SAFETY: guaranteed by the caller: the CPU has the features; the array has as many elements as there are lanes.
            unsafe {
                self.store(a.as_mut_ptr());
                $name(&mut a);
                Self::load(a.as_ptr())
            }
        }
    };
    (@function [$($feature:literal)+] $name:ident($($argument:ident: $type:ty),+) $body:block) => {
        $(#[target_feature(enable = $feature)])+
        #[inline(never)]
        fn $name($($argument: $type),+) $body
    };
}
pub(super) use long_functions;
