use systolic::systolic;

systolic! {
    kernel count(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            Seen[n] = if n == 0 { 1 } else { Seen[n - 1] + 1 };
            y[n] = x[n];
        }
    }
}

fn main() {}
