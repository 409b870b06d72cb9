use systolic::systolic;

systolic! {
    kernel count(x: [f32; N], t: f32) -> (y: [i32; N]) {
        for n in 0..N {
            C[n] = if n == 0 { 0 } else { C[n - 1] } + (x[n] > t);
            y[n] = C[n];
        }
    }
}

fn main() {}
