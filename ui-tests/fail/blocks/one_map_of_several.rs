use systolic::systolic;

systolic! {
    kernel columns(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
        map down { tile r by 32 as (rb, ri); blocks (rb); lanes ri; }
        map across { tile r by 32 as (rb, ri); blocks (rb, c); lanes ri; }
    }
}

fn main() {}
