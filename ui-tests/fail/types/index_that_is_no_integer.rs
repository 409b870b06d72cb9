use systolic::systolic;

systolic! {
    kernel gather(x: [f32; N] border clamp, at: [f32; M]) -> (y: [f32; M]) {
        for m in 0..M { y[m] = x[at[m]]; }
    }
}

fn main() {}
