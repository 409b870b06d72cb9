use systolic::systolic;

systolic! {
    kernel blur(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            V[r, c] = 0.2 * x[r, c];
            W[r, c] = if r < 2 || r >= R - 2 { V[r, c] } else {
                V[r - 2, c] + V[r - 1, c] + V[r, c] + V[r + 1, c] + V[r + 2, c]
            };
            y[r, c] = W[r, c];
        }
        map { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
    }
}

fn main() {}
