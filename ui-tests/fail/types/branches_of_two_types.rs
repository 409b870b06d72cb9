use systolic::systolic;

systolic! {
    kernel pick(x: [f32; N], k: [i32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = if n == 0 { x[n] } else { k[n] };
        }
    }
}

fn main() {}
