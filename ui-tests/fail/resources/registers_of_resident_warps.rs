use systolic::systolic;

systolic! {
    kernel late(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r < 9 { 0.0 } else { S[r - 9, c] };
            y[r, c] = S[r, c];
        }
        map {
            tile c by 256 as (cb, ci);
            blocks (cb);
            space_time (ci, r) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s fold 8;
            resident 32;
        }
    }
}

fn main() {}
