use systolic::systolic;

systolic! {
    kernel add(x: [u64; N]) -> (y: [u64; N]) {
        for n in 0..N {
            y[n] = x[n] + 340282366920938463463374607431768211456;
        }
    }
}

fn main() {}
