use systolic::{bf16, f16, systolic};

systolic! {
    kernel all(
        a: [f16; N], b: [bf16; N], c: [f32; N], d: [f64; N], e: [i8; N], f: [i16; N], g: [i32; N], h: [i64; N],
        i: [u8; N], j: [u16; N], k: [u32; N], l: [u64; N], m: [bool; N],
    ) -> (y: [f64; N], z: [u64; N]) {
        for n in 0..N {
            Floats[n] = a[n] as f64 + b[n] as f64 + c[n] as f64 + d[n] + 1f64;
            Signed[n] = e[n] as i64 + f[n] as i64 + g[n] as i64 + h[n];
            Unsigned[n] = i[n] as u64 + j[n] as u64 + k[n] as u64 + l[n];
            y[n] = if m[n] { Floats[n] } else { 0.0 };
            z[n] = Signed[n] as u64 + Unsigned[n];
        }
    }
}

fn main() {
    let (y, z) = all::reference(
        &[f16::ONE], &[bf16::ONE], &[1.0], &[1.0], &[1], &[1], &[1], &[1], &[1], &[1], &[1], &[1], &[true],
    )
    .unwrap();
    assert_eq!((y[0], z[0]), (5.0, 8));
}
