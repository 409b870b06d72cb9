use systolic::systolic;

systolic! {
    kernel histogram(x: [i32; N], M: size) -> (h: [i32; M]) {
        for n in 0..N {
            V[n] = 1;
            h[x[n]] = V[n];
        }
    }
}

fn main() {}
