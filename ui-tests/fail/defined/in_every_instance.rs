use systolic::systolic;

systolic! {
    kernel trail<type T in [f32, f64]>(x: [T; R, C]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + S[r - 1, c];
            y[r, c] = S[r, c];
        }
        map where T == f32 { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
        map where T == f64 { tile c by 16 as (cb, ci); blocks (cb); lanes ci; }
    }
}

fn main() {}
