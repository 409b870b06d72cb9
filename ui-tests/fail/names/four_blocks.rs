use systolic::systolic;

systolic! {
    kernel copy(x: [f32; A, B, C, D]) -> (y: [f32; A, B, C, D]) {
        for a in 0..A, b in 0..B, c in 0..C, d in 0..D {
            y[a, b, c, d] = x[a, b, c, d];
        }
        map { tile d by 32 as (db, di); blocks (a, b, c, db); lanes di; }
    }
}

fn main() {}
