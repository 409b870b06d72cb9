use systolic::systolic;

macro_rules! scan {
    ($($name:ident $ty:ident $zero:literal $op:tt),*) => {
        $(systolic! {
            /// A scan.
            pub kernel $name(x: [$ty; N]) -> (y: [$ty; N]) {
                for n in 0..N {
                    S[n] = x[n] $op if n == 0 { $zero } else { S[n - 1] };
                    y[n] = S[n];
                }
            }
        })*
    };
}

scan!(sums i32 0 +, products f64 1.0 *, masks u8 0 |);

fn main() {
    assert_eq!(sums::reference(&[1, 2, 3]).unwrap().to_vec(), [1, 3, 6]);
    assert_eq!(products::reference(&[2.0, 3.0]).unwrap().to_vec(), [2.0, 6.0]);
    assert_eq!(masks::reference(&[1, 4]).unwrap().to_vec(), [1, 5]);
}
