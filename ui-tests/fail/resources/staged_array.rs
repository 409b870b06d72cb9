use systolic::systolic;

systolic! {
    kernel blur(x: [f32; R + 63, C + 1023]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c] + x[r + 63, c + 1023]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
            stage x in shared at cb;
        }
    }
}

fn main() {}
