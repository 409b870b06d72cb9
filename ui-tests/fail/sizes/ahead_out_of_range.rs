use systolic::systolic;

systolic! {
    kernel twice<const Q: usize in [2, 9]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] + x[n];
        }
        map { tile n by 32 as (nb, ni); blocks (nb); lanes ni; ahead (Q * Q * 4); }
    }
}

fn main() {}
