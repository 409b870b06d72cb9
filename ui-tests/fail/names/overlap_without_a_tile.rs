use systolic::systolic;

systolic! {
    kernel double(x: [f32; 32]) -> (y: [f32; 32]) {
        for n in 0..32 {
            y[n] = 2.0 * x[n];
        }
        map { lanes n; overlap n by 1; }
    }
}

fn main() {}
