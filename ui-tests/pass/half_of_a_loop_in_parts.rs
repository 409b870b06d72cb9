//! What the help for `S[r] = x[r / 2] + S[r - 1]` offers: a variable for every remainder.
use systolic::ndarray::arr1;
use systolic::systolic;

systolic! {
    kernel sums(x: [f32; N]) -> (y: [f32; 2 * N]) {
        for r in 0..N {
            S0[r] = x[r] + if r == 0 { 0.0 } else { S1[r - 1] };
            S1[r] = x[r] + S0[r];
            y[2 * r] = S0[r];
            y[2 * r + 1] = S1[r];
        }
    }
}

fn main() {
    let wanted = arr1(&[1.0, 2.0, 4.0, 6.0, 9.0, 12.0]);
    assert_eq!(sums::reference(&[1.0, 2.0, 3.0]).unwrap(), wanted);
    assert_eq!(sums::run(&systolic::Cpu, &[1.0, 2.0, 3.0]).unwrap(), wanted);
}
