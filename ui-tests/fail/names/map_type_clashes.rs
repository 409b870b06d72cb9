use systolic::systolic;

systolic! {
    kernel conv(x: [f32; 32]) -> (y: [f32; 32]) {
        for n in 0..32 { y[n] = 2.0 * x[n]; }
        map rows { lanes n; }
    }
    kernel conv_rows(x: [f32; 32]) -> (y: [f32; 32]) {
        for n in 0..32 { y[n] = 3.0 * x[n]; }
    }
}

fn main() {}
