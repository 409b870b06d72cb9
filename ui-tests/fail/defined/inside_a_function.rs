use systolic::systolic;

fn main() {
    systolic! {
        kernel sum(x: [i32; N]) -> (y: [i32; N]) {
            for n in 0..N { S[n] = x[n] + S[n - 1]; y[n] = S[n]; }
        }
    }
    println!("{:?}", sum::reference(&[1, 2, 3]));
}
