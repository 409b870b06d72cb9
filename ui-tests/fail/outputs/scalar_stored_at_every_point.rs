use systolic::systolic;

systolic! {
    kernel total(x: [f32; N]) -> (s: f32) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0.0 } else { S[n - 1] };
            s = S[n];
        }
    }
}

fn main() {}
