use systolic::systolic;

systolic! {
    kernel symmetric(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for p in 0..N, s in 0..N {
            V[p, s] = if p > s { V[s, p] } else { x[p, s] + if p == 0 { 0.0 } else { V[p - 1, s] } };
            y[p, s] = V[p, s];
        }
    }
}

fn main() {}
