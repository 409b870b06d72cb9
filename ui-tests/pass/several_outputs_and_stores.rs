use systolic::systolic;

systolic! {
    kernel split(x: [i32; N]) -> (y: [i32; N], last: [i32; 1], sums: [i32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0 } else { S[n - 1] };
            if n == 0 { y[n] = -1; }
            if n > 0 && !(n % 2 == 0) { y[n] = x[n]; }
            if n > 0 && n % 2 == 0 { y[n] = 0; }
            if n == N - 1 { last[0] = x[n]; }
            sums[n] = S[n];
        }
    }
}

fn main() {
    let (y, last, sums) = split::reference(&[1, 2, 3]).unwrap();
    assert_eq!((y.to_vec(), last[0], sums.to_vec()), (vec![-1, 2, 0], 3, vec![1, 3, 6]));
}
