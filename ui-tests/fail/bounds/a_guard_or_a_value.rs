use systolic::systolic;

systolic! {
    kernel peaks(x: [i32; N], lows: [i32; N]) -> (y: [bool; N]) {
        for n in 0..N {
            y[n] = n == 0 || x[n] > x[n - 1] && x[n] > lows[n - 1];
        }
    }
}

fn main() {}
