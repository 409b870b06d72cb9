//! Short rows that follow each other in memory run as one row, if the kernel accesses only the point itself. All results are
//! compared with `reference`.
#![deny(warnings, missing_docs)]

use systolic::Cpu;
use systolic::ndarray::{Array2, Array3, Axis, ShapeBuilder, s};
use systolic_tests::Data;

systolic::systolic! {
    /// Every element on its own.
    kernel threshold(x: [u8; R, C], at: u8) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = if x[r, c] > at { 255 } else { x[r, c] / 2 }; }
    }

    /// Two inputs and two outputs.
    kernel both(a: [f32; R, C], b: [f32; R, C]) -> (sum: [f32; R, C], difference: [f64; R, C]) {
        for r in 0..R, c in 0..C {
            sum[r, c] = a[r, c] + b[r, c];
            difference[r, c] = a[r, c] as f64 - b[r, c] as f64;
        }
    }

    /// The colours of a pixel are an axis of their own.
    kernel grey(x: [u8; R, C, 3], w: [u16; 3]) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = ((w[0] * (x[r, c, 0] as u16) + w[1] * (x[r, c, 1] as u16) + w[2] * (x[r, c, 2] as u16)) >> 8) as u8;
        }
    }

    /// Three loops run as one.
    kernel scaled(x: [i32; K, R, C] border clamp, a: i32) -> (y: [i32; K, R, C]) {
        for k in 0..K, r in 0..R, c in 0..C { y[k, r, c] = a * x[k, r, c] + 1; }
    }

    /// Only the last two loops run as one: along the first one a value is read.
    kernel summed(x: [f32; K, R, C]) -> (y: [f32; K, R, C]) {
        for k in 0..K, r in 0..R, c in 0..C {
            S[k, r, c] = x[k, r, c] + if k == 0 { 0.0 } else { S[k - 1, r, c] };
            y[k, r, c] = S[k, r, c];
        }
    }

    /// A weight per column: the loops stay two.
    kernel weighted(x: [f32; R, C], w: [f32; C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = w[c] * x[r, c]; }
    }

    /// The number of the column is a value: the loops stay two.
    kernel numbered(x: [i32; R, C]) -> (y: [i32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c] + if c == C - 1 { 1000 } else { c as i32 }; }
    }
}

const SIZES: [(usize, usize); 12] = [
    (1, 1),
    (1, 40),
    (40, 1),
    (4, 4),
    (7, 5),
    (33, 31),
    (1000, 8),
    (3, 100),
    (40, 333),
    (2, 2047),
    (3, 2048),
    (2, 5000),
];

#[test]
fn of_any_length() {
    for (r, c) in SIZES {
        let x = Data::new(1).array::<u8, _>((r, c));
        assert_eq!(threshold::run(&Cpu, &x, 100).unwrap(), threshold::reference(&x, 100).unwrap(), "{r} × {c}");
        let (a, b) = (x.mapv(f32::from), x.mapv(|x| 0.1 * f32::from(x)));
        assert_eq!(both::run(&Cpu, &a, &b).unwrap(), both::reference(&a, &b).unwrap(), "{r} × {c}");
        let colours = Data::new(1).array::<u8, _>((r, c, 3));
        let w = [77, 150, 29];
        assert_eq!(grey::run(&Cpu, &colours, &w).unwrap(), grey::reference(&colours, &w).unwrap(), "{r} × {c}");
        let w: Vec<f32> = (0..c).map(|c| c as f32).collect();
        assert_eq!(weighted::run(&Cpu, &a, &w).unwrap(), weighted::reference(&a, &w).unwrap(), "{r} × {c}");
        let x = x.mapv(i32::from);
        assert_eq!(numbered::run(&Cpu, &x).unwrap(), numbered::reference(&x).unwrap(), "{r} × {c}");
        for k in [1, 3] {
            let x: Array3<u8> = Data::new(1).array::<u8, _>((k, r, c));
            let (of_ints, of_floats) = (x.mapv(i32::from), x.mapv(f32::from));
            assert_eq!(
                scaled::run(&Cpu, &of_ints, 3).unwrap(),
                scaled::reference(&of_ints, 3).unwrap(),
                "{k} × {r} × {c}"
            );
            assert_eq!(
                summed::run(&Cpu, &of_floats).unwrap(),
                summed::reference(&of_floats).unwrap(),
                "{k} × {r} × {c}"
            );
        }
    }
}

#[test]
fn in_any_layout() {
    let (r, c) = (37, 19);
    let x = Data::new(1).array::<u8, _>((r, c));
    let expected = threshold::reference(&x, 100).unwrap();
    // Inputs: transposed in memory, every second element, rows backwards.
    let mut by_columns = Array2::<u8>::zeros((r, c).f());
    by_columns.assign(&x);
    let mut apart = Array2::<u8>::zeros((2 * r, 3 * c));
    apart.slice_mut(s![..;2, ..;3]).assign(&x);
    let mut backwards = x.clone();
    backwards.invert_axis(Axis(0));
    let views = [by_columns.view(), apart.slice(s![..;2, ..;3])];
    for view in views {
        assert_eq!(threshold::run(&Cpu, view, 100).unwrap(), expected);
    }
    assert_eq!(threshold::run(&Cpu, &backwards, 100).unwrap(), threshold::reference(&backwards, 100).unwrap());
    // Outputs: all elements around them stay.
    let mut around = Array2::<u8>::from_elem((2 * r, 3 * c), 7);
    threshold::run_into(&Cpu, &x, 100, around.slice_mut(s![..;2, ..;3])).unwrap();
    assert_eq!(around.slice(s![..;2, ..;3]), expected);
    assert!(around.slice(s![1..;2, ..]).iter().all(|x| *x == 7));
    assert!(around.slice(s![.., 1..;3]).iter().all(|x| *x == 7));
    let mut by_columns = Array2::<u8>::zeros((r, c).f());
    threshold::run_into(&Cpu, &x, 100, by_columns.view_mut()).unwrap();
    assert_eq!(by_columns, expected);
    let mut backwards = Array2::<u8>::zeros((r, c));
    threshold::run_into(&Cpu, &x, 100, backwards.slice_mut(s![..;-1, ..])).unwrap();
    assert_eq!(backwards.slice(s![..;-1, ..]), expected);
}
