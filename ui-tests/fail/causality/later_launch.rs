use systolic::systolic;

systolic! {
    kernel backward(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == R - 1 { 0.0 } else { S[r + 1, c] };
            z[r, c] = S[r, c];
        }
        map { launches (r); tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
    }
}

fn main() {}
