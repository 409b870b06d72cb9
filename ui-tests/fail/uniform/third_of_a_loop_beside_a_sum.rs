use systolic::systolic;

systolic! {
    kernel sums(x: [f32; N], n: size) -> (y: f32) {
        for r in 0..n {
            S[r] = x[r / 3] + if r == 0 { 0.0 } else { S[r - 1] };
            if r == n - 1 { y = S[r]; }
        }
    }
}

fn main() {}
