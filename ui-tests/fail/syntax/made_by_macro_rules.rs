use systolic::systolic;

macro_rules! scale {
    ($name:ident, $by:expr) => {
        systolic! {
            kernel $name(x: [f32; N]) -> (y: [f32; N]) {
                for n in 0..N { y[n] = $by * x[n] }
            }
        }
    };
}

scale!(double, 2.0);

fn main() {}
