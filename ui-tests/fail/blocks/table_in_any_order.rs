use systolic::systolic;

systolic! {
    kernel area(x: [i32; R, C]) -> (z: [i32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + (if r == 0 { 0 } else { S[r - 1, c] }) + (if c == 0 { 0 } else { S[r, c - 1] });
            z[r, c] = S[r, c];
        }
        map { tile r by 16 as (rb, ri); tile c by 32 as (cb, ci); blocks (rb); space_time (ci, ri) -> (s, t) = [[1, 0], [1, 1]]; lanes s; }
    }
}

fn main() {}
