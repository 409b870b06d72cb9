use systolic::systolic;

systolic! {
    kernel taps<const Q: usize in [2, 5]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = (Q as f32) * x[n]; }
        map wide where Q > 2 { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {
    println!("{}", taps_wide::<2>::describe(16).pes);
}
