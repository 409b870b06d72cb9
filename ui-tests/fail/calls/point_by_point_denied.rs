#![deny(warnings)]
use systolic::systolic;

systolic! {
    pub kernel sums(x: [i32; 1]) -> (y: [i32; 1]) {
        for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
            V[a, b, c, d, e, f] = x[0];
            if a + b + c + d + e + f == 0 { y[0] = V[a, b, c, d, e, f]; }
        }
        map { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
    }
}

fn main() {}
