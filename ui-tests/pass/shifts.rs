use systolic::systolic;

systolic! {
    kernel edges<const K: usize in [1, 2]>(x: [f32; R, C] border clamp) -> (y: [f32; R, C], z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            A[r, c] = x[r - 1, c] + x[r + 1, c];
            B[r, c] = if r + K >= R { 0.0 } else { A[r + K, c] };
            y[r, c] = B[r, c];
            z[r, c] = if r + K >= R { A[r, c] } else { A[r + K, c] - B[r, c] };
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            lanes ci;
            shift B by (K, 0);
            shift z by (2 * K, 0);
        }
    }
}

fn main() {
    let x = systolic::ndarray::Array2::from_shape_fn((5, 40), |(r, c)| (r * r + c) as f32);
    assert_eq!(edges::<2>::run(&systolic::Cpu, &x).unwrap(), edges::<2>::reference(&x).unwrap());
    assert!(edges::<1>::describe(5, 40).steps == 7);
}
