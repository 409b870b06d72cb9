#![deny(missing_docs, warnings)]
//! A kernel in a module, and one that only its parent sees.

/// Kernels.
pub mod kernels {
    /// Inner ones.
    pub mod inner {
        systolic::systolic! {
            /// Twice.
            pub kernel double(x: [f32; N]) -> (y: [f32; N]) {
                for n in 0..N { y[n] = 2.0 * x[n]; }
            }
            pub(super) kernel triple(x: [f32; N]) -> (y: [f32; N]) {
                for n in 0..N { y[n] = 3.0 * x[n]; }
            }
            pub(in crate::kernels) kernel half(x: [f32; N]) -> (y: [f32; N]) {
                for n in 0..N { y[n] = 0.5 * x[n]; }
            }
        }
    }

    /// Through the private ones.
    pub fn mixed(x: f32) -> f32 {
        inner::triple::reference(&[x]).unwrap()[0] + inner::half::reference(&[x]).unwrap()[0]
    }
}

fn main() {
    assert_eq!(kernels::mixed(2.0) + kernels::inner::double::reference(&[1.0]).unwrap()[0], 9.0);
}
