use systolic::systolic;

systolic! {
    kernel forth(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { S[n] = x[n] + S[n - 1]; y[n] = S[n]; }
    }
    kernel back(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { S[n] = x[n] + S[n + 1]; y[n] = S[n]; }
    }
}

fn main() {}
