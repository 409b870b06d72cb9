use systolic::systolic;

systolic! {
    kernel swap(x: [f32; N, N], steps: size) -> (y: [f32; N, N]) {
        for t in 0..steps + 1, p in 0..N, s in 0..N {
            V[t, p, s] = if t == 0 { x[p, s] } else { 0.5 * V[t - 1, s, p] };
            if t == steps { y[p, s] = V[t, p, s]; }
        }
    }
}

fn main() {}
