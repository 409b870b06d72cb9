//! Interleaved elements that are all treated alike, such as the colours of a picture: two loops run as one, without a map.
#![deny(unsafe_code)]
#![deny(warnings, missing_docs)]

use systolic::Cpu;
use systolic::ndarray::{Array3, ShapeBuilder, s};
use systolic_tests::Data;

systolic::systolic! {
    /// A mean of nine pixels.
    kernel means(x: [u8; R, C, 3] border clamp) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = ((x[r - 1, c - 1, k] as u16 + x[r - 1, c, k] as u16 + x[r - 1, c + 1, k] as u16
                + x[r, c - 1, k] as u16 + x[r, c, k] as u16 + x[r, c + 1, k] as u16
                + x[r + 1, c - 1, k] as u16 + x[r + 1, c, k] as u16 + x[r + 1, c + 1, k] as u16) / 9) as u8;
        }
    }

    /// Several pixels beyond each end of a row.
    kernel far(x: [i16; R, C, 4] border clamp) -> (y: [i16; R, C, 4]) {
        for r in 0..R, c in 0..C, k in 0..4 { y[r, c, k] = x[r, c - 2, k] - 3 * x[r, c, k] + x[r + 1, c + 2, k]; }
    }

    /// More pixels than masks serve.
    kernel further(x: [f32; R, C, 3] border clamp) -> (y: [f32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = x[r, c - 9, k] - x[r, c + 7, k]; }
    }

    /// Weights, and nothing outside.
    kernel weighted(x: [f32; R, C, 3] border zero, w: [f32; 3, 3]) -> (y: [f32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3, p in 0..3, q in 0..3 {
            S[r, c, k, p, q] = x[r + p - 1, c + q - 1, k] * w[p, q]
                + if p == 0 && q == 0 { 0.0 } else if q == 0 { S[r, c, k, p - 1, q + 2] } else { S[r, c, k, p, q - 1] };
            if p == 2 && q == 2 { y[r, c, k] = S[r, c, k, p, q]; }
        }
    }

    /// Mirrors, two outputs, and an input that is no picture.
    kernel mirrored(x: [f64; R, C, 2] border reflect, b: [f64; R]) -> (y: [f64; R, C, 2], z: [f64; R, C, 2]) {
        for r in 0..R, c in 0..C, k in 0..2 {
            D[r, c, k] = x[r, c + 1, k] - x[r, c - 1, k];
            y[r, c, k] = D[r, c, k] + b[r];
            z[r, c, k] = D[r, c, k] * b[r];
        }
    }

    /// A load of its own in each row.
    kernel lone_clamp(x: [u8; R, C, 3] border clamp) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = x[r + 1, c + 2, k] as i32 - 3 * (x[r - 1, c - 1, k] as i32) + x[r + 5, c, k] as i32;
        }
    }

    /// A load of its own in each row.
    kernel lone_reflect(x: [u8; R, C, 3] border reflect) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = x[r + 1, c + 2, k] as i32 - 3 * (x[r - 1, c - 1, k] as i32) + x[r + 5, c, k] as i32;
        }
    }

    /// A load of its own in each row.
    kernel lone_symmetric(x: [u8; R, C, 3] border symmetric) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = x[r + 1, c + 2, k] as i32 - 3 * (x[r - 1, c - 1, k] as i32) + x[r + 5, c, k] as i32;
        }
    }

    /// A load of its own in each row.
    kernel lone_wrap(x: [u8; R, C, 3] border wrap) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = x[r + 1, c + 2, k] as i32 - 3 * (x[r - 1, c - 1, k] as i32) + x[r + 5, c, k] as i32;
        }
    }

    /// A load of its own in each row.
    kernel lone_zero(x: [u8; R, C, 3] border zero) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = x[r + 1, c + 2, k] as i32 - 3 * (x[r - 1, c - 1, k] as i32) + x[r + 5, c, k] as i32;
        }
    }

    /// A load of its own in each row.
    kernel lone_constant(x: [u8; R, C, 3] border constant(9)) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = x[r + 1, c + 2, k] as i32 - 3 * (x[r - 1, c - 1, k] as i32) + x[r + 5, c, k] as i32;
        }
    }

    /// Around, with the elements first in the loops.
    kernel around(x: [u8; R, C, 5] border wrap) -> (y: [u8; R, C, 5]) {
        for k in 0..5, r in 0..R, c in 0..C { y[r, c, k] = x[r, c - 1, k] + x[r + 1, c + 1, k]; }
    }

    /// Mirrors that repeat the edge.
    kernel symmetric(x: [i32; C, 3] border symmetric) -> (y: [i32; C, 3]) {
        for c in 0..C, k in 0..3 { y[c, k] = x[c - 1, k] - x[c + 2, k]; }
    }

    /// Comparisons of pixels, of all kinds.
    kernel guarded(x: [f32; R, C, 3], n: size) -> (y: [f32; R, C, 3]) where 3 <= C {
        for r in 0..R, c in 0..C, k in 0..3 {
            A[r, c, k] = if c == 0 { 1.0 } else if c == C - 1 || c > n { x[r, c - 1, k] } else { x[r, c + 1, k] };
            B[r, c, k] = if c != 2 && !(c >= 5 && 7 >= c) { A[r, c, k] } else if C - 2 <= c { 3.0 } else { 2.0 };
            y[r, c, k] = B[r, c, k] + x[r, c, k];
        }
    }

    /// Values that move along pixels, to both sides of a picture, and down.
    kernel recursive(x: [f32; R, C, 3]) -> (y: [f32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            Y[r, c, k] = 0.5 * x[r, c, k] + if c < 2 { 0.25 } else { 0.5 * Y[r, c - 2, k] };
            Z[r, c, k] = Y[r, c, k] + if r == 0 { 0.0 } else { 0.5 * Z[r - 1, c, k] };
            y[r, c, k] = Z[r, c, k];
        }
    }

    /// A part of a picture; the rest stays what it is.
    kernel inner(x: [u8; R, C + 2, 3]) -> (y: [u8; R, C + 2, 3] rest 7) {
        for r in 0..R, c in 1..C + 1, k in 0..3 { y[r, c, k] = x[r, c - 1, k] ^ x[r, c + 1, k]; }
    }

    /// Nothing but the element itself: rows that follow each other in memory run as one, too.
    kernel brighter(x: [u8; R, C, 3], by: u16) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = min((x[r, c, k] as u16 * by) >> 6, 255) as u8; }
    }

    /// Elements that are not treated alike: their loop stays.
    kernel told(x: [u8; R, C, 3], g: [u8; 3]) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = if k == 1 { x[r, c, k] } else { x[r, c, k] + g[k] }; }
    }

    /// The number of a pixel is a value.
    kernel numbered(x: [i32; R, C, 3]) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = x[r, c, k] + c as i32; }
    }

    /// Other pixels than every one in turn.
    kernel second(x: [u8; R, 2 * C, 3]) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = x[r, 2 * c, k] ^ x[r, 2 * c + 1, k]; }
    }
}

const SIZES: [(usize, usize); 12] =
    [(1, 1), (1, 2), (2, 3), (1, 10), (1, 11), (3, 21), (40, 1), (7, 5), (33, 31), (2, 1000), (40, 111), (5, 64)];

#[test]
fn pictures_with_a_border() {
    for (r, c) in SIZES {
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, c, 3));
        assert_eq!(means::run(&Cpu, &x).unwrap(), means::reference(&x).unwrap(), "{r} × {c}");
        let floats = x.mapv(f32::from);
        assert_eq!(further::run(&Cpu, &floats).unwrap(), further::reference(&floats).unwrap(), "{r} × {c}");
        let w = Data::new(2).array::<u8, _>((3, 3)).mapv(f32::from);
        let y = weighted::run(&Cpu, &floats, &w).unwrap();
        assert_eq!(y, weighted::reference(&floats, &w).unwrap(), "{r} × {c}");
        let words = Data::new(1).array::<u8, _>((c, 3)).mapv(i32::from);
        assert_eq!(symmetric::run(&Cpu, &words).unwrap(), symmetric::reference(&words).unwrap(), "{c}");
        let x = Data::new(1).array::<u8, _>((r, c, 4)).mapv(i16::from);
        assert_eq!(far::run(&Cpu, &x).unwrap(), far::reference(&x).unwrap(), "{r} × {c}");
        let x = Data::new(1).array::<u8, _>((r, c, 5));
        assert_eq!(around::run(&Cpu, &x).unwrap(), around::reference(&x).unwrap(), "{r} × {c}");
        let x = Data::new(1).array::<u8, _>((r, c, 2)).mapv(f64::from);
        let b = Data::new(2).array::<u8, _>(r).mapv(f64::from);
        assert_eq!(mirrored::run(&Cpu, &x, &b).unwrap(), mirrored::reference(&x, &b).unwrap(), "{r} × {c}");
    }
    // The pixel before the first one is the first one, element by element.
    let x = Array3::from_shape_vec((1, 2, 3), vec![0, 10, 20, 9, 100, 200]).unwrap();
    let y = means::run(&Cpu, &x).unwrap();
    assert_eq!(y.iter().copied().collect::<Vec<u8>>(), [3, 40, 80, 6, 70, 140]);
}

#[test]
fn pictures_with_one_load_per_row() {
    for (r, c) in SIZES {
        let x: Array3<u8> = Data::new(3).array::<u8, _>((r, c, 3));
        assert_eq!(lone_clamp::run(&Cpu, &x).unwrap(), lone_clamp::reference(&x).unwrap(), "{r} × {c}");
        assert_eq!(lone_reflect::run(&Cpu, &x).unwrap(), lone_reflect::reference(&x).unwrap(), "{r} × {c}");
        assert_eq!(lone_symmetric::run(&Cpu, &x).unwrap(), lone_symmetric::reference(&x).unwrap(), "{r} × {c}");
        assert_eq!(lone_wrap::run(&Cpu, &x).unwrap(), lone_wrap::reference(&x).unwrap(), "{r} × {c}");
        assert_eq!(lone_zero::run(&Cpu, &x).unwrap(), lone_zero::reference(&x).unwrap(), "{r} × {c}");
        assert_eq!(lone_constant::run(&Cpu, &x).unwrap(), lone_constant::reference(&x).unwrap(), "{r} × {c}");
    }
}

#[test]
fn pictures_without_a_border() {
    for (r, c) in SIZES {
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, c, 3));
        let floats = x.mapv(f32::from);
        assert_eq!(recursive::run(&Cpu, &floats).unwrap(), recursive::reference(&floats).unwrap(), "{r} × {c}");
        let words = x.mapv(i32::from);
        assert_eq!(numbered::run(&Cpu, &words).unwrap(), numbered::reference(&words).unwrap(), "{r} × {c}");
        assert_eq!(brighter::run(&Cpu, &x, 80).unwrap(), brighter::reference(&x, 80).unwrap(), "{r} × {c}");
        let g = Data::new(2).array::<u8, _>(3);
        assert_eq!(told::run(&Cpu, &x, &g).unwrap(), told::reference(&x, &g).unwrap(), "{r} × {c}");
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, 2 * c, 3));
        assert_eq!(second::run(&Cpu, &x).unwrap(), second::reference(&x).unwrap(), "{r} × {c}");
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, c + 2, 3));
        assert_eq!(inner::run(&Cpu, &x).unwrap(), inner::reference(&x).unwrap(), "{r} × {c}");
        let floats = x.mapv(f32::from);
        for n in [1, 4, 40] {
            let y = guarded::run(&Cpu, &floats, n).unwrap();
            assert_eq!(y, guarded::reference(&floats, n).unwrap(), "{r} × {c}, {n}");
        }
    }
}

#[test]
fn arrays_that_do_not_lie_together() {
    for (r, c) in SIZES {
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, c, 3));
        let expected = means::reference(&x).unwrap();
        let mut turned = Array3::<u8>::zeros((r, c, 3).f());
        turned.assign(&x);
        assert_eq!(means::run(&Cpu, &turned).unwrap(), expected, "{r} × {c}");
        let mut large = Array3::<u8>::from_elem((r, 2 * c, 4), 9);
        means::run_into(&Cpu, &x, large.slice_mut(s![.., ..;2, 1..])).unwrap();
        assert_eq!(large.slice(s![.., ..;2, 1..]), expected, "{r} × {c}");
        assert!(large.slice(s![.., 1..;2, ..]).iter().chain(large.slice(s![.., .., 0])).all(|x| *x == 9));
    }
}
