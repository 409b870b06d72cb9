use systolic::systolic;

systolic! {
    kernel symmetric(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for p in 0..N, s in 0..N {
            V[p, s] = if p > s { V[s, p] } else { x[p, s] };
            y[p, s] = V[p, s];
        }
    }
}

fn main() {}
