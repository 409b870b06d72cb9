use systolic::systolic;

systolic! {
    kernel scaled<const Q: usize in [0, 2]>(x: [f32; N], w: const [f32; 3, Q]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = if Q == 0 { x[n] } else { w[0, 0] * x[n] };
        }
    }
}

fn main() {}
