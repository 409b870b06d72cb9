use systolic::systolic;

systolic! {
    kernel double<type T in [f32, f64, i32]>(x: [T; N]) -> (y: [T; N]) where T != i32 {
        for n in 0..N { y[n] = 2 as T * x[n]; }
        map narrow where T == f32 { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {
    println!("{}", double_narrow::<f64>::describe(16).pes);
}
