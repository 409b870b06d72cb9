//! The ends of rows: kernels without a map, whose steps do not depend on each other, at widths around those of vectors. All
//! results are compared with `reference`.
#![deny(warnings, missing_docs)]

use systolic::Cpu;
use systolic::ndarray::{Array, Array2, Dimension, ShapeBuilder, s};

macro_rules! stars {
    ($($name:ident: $border:ident $(($value:literal))?;)+) => {
        systolic::systolic! {
            $(/// Every element with its four neighbours.
            kernel $name(x: [f32; R, C] border $border $(($value))?) -> (y: [f32; R, C]) {
                for r in 0..R, c in 0..C {
                    y[r, c] = 0.5 * x[r, c] + 0.25 * x[r - 1, c] + 0.125 * x[r + 1, c] + x[r, c - 1] - 2.0 * x[r, c + 1];
                }
            })+
        }
    };
}

stars! {
    star_clamp: clamp;
    star_zero: zero;
    star_reflect: reflect;
    star_symmetric: symmetric;
    star_wrap: wrap;
    star_constant: constant(1.5);
}

systolic::systolic! {
    /// Two elements beyond both ends.
    kernel far(x: [u8; R, C] border reflect) -> (y: [i16; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c - 2] as i16 - 3 * (x[r, c + 2] as i16) + x[r - 2, c] as i16; }
    }

    /// The same beyond all ends, where a number stands: of rows that do not exist nothing is read.
    kernel framed(x: [u8; R, C] border constant(201)) -> (y: [i16; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c - 2] as i16 - 3 * (x[r - 1, c + 2] as i16) + x[r - 2, c] as i16 + 5 * (x[r + 2, c + 1] as i16);
        }
    }

    /// All elements around one, alone, and what stands outside is a parameter.
    kernel patches(x: [f32; R, C] border constant(v), v: f32) -> (y: [f32; R, C, 5, 5]) {
        for r in 0..R, c in 0..C, p in 0..5, q in 0..5 { y[r, c, p, q] = x[r + p - 2, c + q - 2]; }
    }

    /// One element beyond the beginning, and far beyond the end.
    kernel ahead(x: [f32; R, C] border wrap) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c - 1] + 2.0 * x[r + 1, c + 40]; }
    }

    /// The array has other widths than the loops.
    kernel beside(x: [f64; R, C + 3] border clamp, z: [f64; R, C] border symmetric) -> (y: [f64; R, C + 1]) {
        for r in 0..R, c in 0..C + 1 { y[r, c] = x[r - 1, c] + x[r, c + 1] + x[r + 1, c + 2] + z[r, c]; }
    }

    /// A filter over an image that has a halo.
    kernel valid(x: [f32; R + 2, C + 2]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] + 2.0 * x[r, c + 1] + 3.0 * x[r, c + 2] - x[r + 1, c] + x[r + 2, c + 2];
        }
    }

    /// A number per row, a number per column, and the number of the column.
    kernel numbers(a: [i32; R], b: [i32; C]) -> (y: [i32; R, C], z: [u8; R, 2 * C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = a[r] * b[c] + c as i32;
            z[r, 2 * c] = b[c] as u8;
            z[r, 2 * c + 1] = a[r] as u8;
        }
    }

    /// Several elements of an output per point.
    kernel several(x: [f32; R, C]) -> (y: [f32; R, C, 3], z: [i32; R, 2 * C], w: [u8; R, 4 * C]) {
        for r in 0..R, c in 0..C {
            y[r, c, 0] = x[r, c];
            y[r, c, 2] = 2.0 * x[r, c];
            y[r, c, 1] = 1.0 - x[r, c];
            z[r, 2 * c] = x[r, c] as i32;
            z[r, 2 * c + 1] = 7;
            w[r, 4 * c] = x[r, c] as u8;
            w[r, 4 * c + 1] = 1;
            w[r, 4 * c + 2] = 2;
            w[r, 4 * c + 3] = 3;
        }
    }

    /// A guard along the rows and one along the columns.
    kernel guarded(x: [i16; R, C]) -> (y: [i16; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = if r == 0 || c == C - 1 { -x[r, c] } else { x[r - 1, c + 1] + if c == 0 { 7 } else { x[r, c - 1] } };
        }
    }

    /// Three dimensions.
    kernel heat(x: [f32; P, R, C] border clamp) -> (y: [f32; P, R, C]) {
        for p in 0..P, r in 0..R, c in 0..C {
            y[p, r, c] = 0.4 * x[p, r, c] + 0.1 * (x[p - 1, r, c] + x[p + 1, r, c] + x[p, r - 1, c] + x[p, r + 1, c]
                + x[p, r, c - 1] + x[p, r, c + 1]);
        }
    }

    /// The same between plates of another temperature.
    kernel plates(x: [f32; P, R, C] border constant(-3.0)) -> (y: [f32; P, R, C]) {
        for p in 0..P, r in 0..R, c in 0..C {
            y[p, r, c] = 0.4 * x[p, r, c] + 0.1 * (x[p - 1, r, c] + x[p + 1, r, c] + x[p, r - 1, c] + x[p, r + 1, c]
                + x[p, r, c - 1] + x[p, r, c + 1]);
        }
    }
}

fn noise<D: Dimension>(shape: impl ShapeBuilder<Dim = D>) -> Array<u8, D> {
    let mut state = 1u32;
    Array::from_shape_simple_fn(shape, || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
}

/// Shapes around the widths of vectors and the heights of blocks.
fn shapes() -> impl Iterator<Item = (usize, usize)> {
    let widths = (1..70).chain([95, 96, 97, 127, 128, 129, 333, 4095, 4096, 4097, 4130]);
    widths.flat_map(|c| [1, 2, 5, 34].into_iter().filter(move |r| c * r < 40_000).map(move |r| (r, c)))
}

macro_rules! same {
    ($kernel:ident($($argument:expr),*), $($shape:expr),+) => {
        assert_eq!(
            $kernel::run(&Cpu, $($argument),*).unwrap(),
            $kernel::reference($($argument),*).unwrap(),
            "{} at {:?}", stringify!($kernel), ($($shape),+)
        );
    };
}

#[test]
fn borders() {
    for (r, c) in shapes() {
        let bytes = noise((r, c));
        let x = bytes.mapv(f32::from);
        same!(star_clamp(&x), r, c);
        same!(star_zero(&x), r, c);
        same!(star_reflect(&x), r, c);
        same!(star_symmetric(&x), r, c);
        same!(star_wrap(&x), r, c);
        same!(star_constant(&x), r, c);
        same!(far(&bytes), r, c);
        same!(framed(&bytes), r, c);
        same!(patches(&x, 1e9), r, c);
        same!(ahead(&x), r, c);
        let (wide, z) = (noise((r, c + 3)).mapv(f64::from), bytes.mapv(f64::from));
        same!(beside(&wide, &z), r, c);
    }
}

#[test]
fn no_borders() {
    for (r, c) in shapes() {
        same!(valid(&noise((r + 2, c + 2)).mapv(f32::from)), r, c);
        same!(guarded(&noise((r, c)).mapv(i16::from)), r, c);
        same!(several(&noise((r, c)).mapv(f32::from)), r, c);
        let (a, b) = (noise(r).mapv(i32::from), noise(c).mapv(i32::from));
        same!(numbers(&a, &b), r, c);
    }
}

#[test]
fn three_dimensions() {
    for (p, r, c) in [(1, 1, 1), (3, 4, 5), (2, 40, 33), (35, 3, 64), (3, 33, 100), (1, 2, 4200)] {
        same!(heat(&noise((p, r, c)).mapv(f32::from)), p, r, c);
        same!(plates(&noise((p, r, c)).mapv(f32::from)), p, r, c);
    }
}

#[test]
fn outputs_in_any_layout() {
    for (r, c) in [(5, 33), (34, 70), (3, 200)] {
        let x = noise((r, c)).mapv(f32::from);
        let expected = star_wrap::reference(&x).unwrap();
        let mut apart = Array2::<f32>::zeros((2 * r, 3 * c));
        star_wrap::run_into(&Cpu, &x, apart.slice_mut(s![..;2, ..;3])).unwrap();
        assert_eq!(apart.slice(s![..;2, ..;3]), expected);
        let mut within = Array2::<f32>::zeros((r + 2, c + 5));
        star_wrap::run_into(&Cpu, &x, within.slice_mut(s![1..r + 1, 2..c + 2])).unwrap();
        assert_eq!(within.slice(s![1..r + 1, 2..c + 2]), expected);
        // Nothing beside the output is written.
        let sum: f32 = within.iter().map(|x| x.abs()).sum();
        assert_eq!(sum, expected.iter().map(|x| x.abs()).sum::<f32>());
    }
}
