use systolic::systolic;

systolic! {
    #[cfg(not(test))]
    kernel scale(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
    }

    #[cfg(any())]
    kernel absent(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 3.0 * x[n]; }
    }
}

#[allow(non_camel_case_types, dead_code)]
struct absent;

fn main() {
    assert_eq!(scale::reference(&[1.0]).unwrap()[0], 2.0);
}
