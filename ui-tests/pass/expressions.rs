use systolic::systolic;

systolic! {
    kernel floats(x: [f32; N], a: f32) -> (y: [f32; N]) {
        const K: [f32; 2, 2] = [[0.25, -0.5], [1e-3, 1.0f32]];
        const BIAS: f32 = -1.5;
        for n in 0..N {
            A[n] = min(x[n], a, 3.0) + max(x[n], -a) * abs(x[n]) - sqrt(x[n] * x[n]) / (1.0 + exp(-x[n] * x[n]));
            B[n] = fma(K[0, 0], K[0, 1], K[1, 0]) * K[1, 1] + BIAS + ln(1.0 + abs(A[n])) % 2.0;
            y[n] = if A[n] < B[n] && !(x[n] >= a) || n == 0 { A[n] } else if x[n] == a { B[n] } else { (2 * n + 1) as f32 };
        }
    }

    kernel functions(x: [f64; N], y: [f64; N]) -> (z: [f64; N], last: f64) {
        for n in 0..N {
            A[n] = sin(x[n]) + cos(x[n]) * tan(y[n]) - atan(x[n]) / cosh(sinh(x[n]));
            B[n] = pow(abs(x[n]), y[n]) + exp2(tanh(x[n])) - log2(1.0 + abs(y[n]));
            C[n] = floor(A[n]) + ceil(B[n]) - round(A[n]) * round_even(B[n]) + trunc(A[n]);
            z[n] = A[n] + B[n] + C[n];
            if n == N - 1 { last = C[n]; }
        }
    }

    kernel bits(x: [u32; N]) -> (y: [u32; N]) {
        for n in 0..N {
            y[n] = (x[n] & 255 | 1 << 4 ^ !x[n] >> 3) + x[n] / 3 % 7 + (x[n] > 5) as u32;
        }
    }
}

fn main() {
    assert_eq!(floats::reference(&[1.0, 2.0], 0.5).unwrap().len(), 2);
    let (z, last) = functions::reference(&[1.0, 2.5], &[0.5, -1.0]).unwrap();
    assert_eq!((z.len(), last.fract()), (2, 0.0));
    assert_eq!(bits::reference(&[1, 2, 3]).unwrap().len(), 3);
}
