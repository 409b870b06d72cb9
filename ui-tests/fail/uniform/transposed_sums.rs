use systolic::systolic;

systolic! {
    kernel turn(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for p in 0..N, s in 0..N {
            V[p, s] = x[p, s] + if s == 0 { 0.0 } else { V[p, s - 1] };
            y[p, s] = V[s, p];
        }
    }
}

fn main() {}
