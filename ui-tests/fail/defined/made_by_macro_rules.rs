use systolic::systolic;

macro_rules! scan {
    ($name:ident, $ty:ident, $back:literal) => {
        systolic! {
            kernel $name(x: [$ty; N]) -> (y: [$ty; N]) {
                for n in 0..N {
                    S[n] = x[n] + if n == 0 { 0 } else { S[n - $back] };
                    y[n] = S[n];
                }
            }
        }
    };
}

scan!(fine, i32, 1);
scan!(too_far, i64, 2);

fn main() {}
