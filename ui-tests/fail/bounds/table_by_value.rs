use systolic::systolic;

systolic! {
    kernel scores(a: [u8; N], w: const [i32; 4, 4]) -> (s: [i32; N]) {
        for n in 0..N { s[n] = w[a[n], n]; }
    }
}

fn main() {}
