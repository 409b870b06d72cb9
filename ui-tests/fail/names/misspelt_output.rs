use systolic::systolic;

systolic! {
    kernel last(x: [f32; N]) -> (total: [f32; 1]) {
        for n in 0..N {
            if n == N - 1 { totl[0] = x[n]; }
        }
    }
}

fn main() {}
