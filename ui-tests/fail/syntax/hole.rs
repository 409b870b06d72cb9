// `_` stands for a number of `tile`, `fold`, `resident` and `ahead`, and for nothing else.

systolic::systolic! {
    kernel copy(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c]; }
        map { tile c by _ as (cb, ci); overlap c by _; lanes ci; }
    }
}

fn main() {}
