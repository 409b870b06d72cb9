use systolic::systolic;

systolic! {
    /// With one element, no point has `n == 1`.
    kernel second(x: [f32; N]) -> (s: f32) {
        for n in 0..N {
            if n == 1 { s = x[n]; }
        }
    }
}

fn main() {}
