use systolic::systolic;

systolic! {
    kernel gather(x: [f32; N - 1] border clamp, at: [i32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[at[n]]; }
    }
}

fn main() {}
