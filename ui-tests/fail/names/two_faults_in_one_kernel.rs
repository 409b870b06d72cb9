use systolic::systolic;

systolic! {
    kernel mix(left: [f32; N], right: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            Mixed[n] = lft[n] + rigt[n];
            y[n] = Mixed[n];
        }
    }
}

fn main() {}
