use systolic::systolic;

systolic! {
    kernel blur(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            V[r, c] = x[r, c] + if r < 2 { 0.0 } else { V[r - 2, c] };
            y[r, c] = V[r, c] + if r >= R - 2 { 0.0 } else { V[r + 2, c] };
        }
        map {
            tile c by 32 as (cb, ci); blocks (cb);
            space_time (ci, r) -> (s, t) = [[1, 0], [0, -1]]; lanes s;
        }
    }
}

fn main() {}
