use systolic::systolic;

systolic! {
    kernel last(x: [i32; B, N], n: [u32; B] in 0..=N) -> (y: [i32; B]) {
        for k in 0..B, i in 0..n[k] {
            if i == n[k] - 1 { y[k] = x[k, i]; }
        }
    }
}

fn main() {}
