use systolic::systolic;

systolic! {
    kernel rows(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
        map { tile c by 32 as (cb, ci); blocks (r); lanes ci; }
    }
}

fn main() {}
