// An automatic map keeps its clauses: no way to complete it makes blocks of a scan independent.

systolic::systolic! {
    kernel sums(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
        map auto { tile c by _ as (cb, ci); blocks (cb); }
    }
}

fn main() {}
