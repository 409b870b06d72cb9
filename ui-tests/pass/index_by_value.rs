use systolic::{Cpu, systolic};

systolic! {
    kernel tables<type I in [u8, i32, u64]>(
        x: [i32; N, 2] border clamp,
        w: const [i32; 3] border constant(outside),
        at: [I; M],
        outside: i32,
    ) -> (y: [i32; M, 3]) {
        const K: [i32; 2, 2] border wrap = [[1, 2], [3, 4]];
        for m in 0..M {
            y[m, 0] = x[at[m], m];
            y[m, 1] = w[at[m] + 1] + w[0];
            y[m, 2] = K[x[at[m], 1], w[at[m]] as u8];
        }
    }
}

fn main() {
    let x = [[10, 11], [20, 21], [30, 31]];
    let x = systolic::ndarray::arr2(&x);
    let y = tables::<i32>::run(&Cpu, &x, &[1, 2, 3], &[0, 1, 5], 100).unwrap();
    assert_eq!(y, tables::<i32>::reference(&x, &[1, 2, 3], &[0, 1, 5], 100).unwrap());
    assert_eq!(y.column(0).to_vec(), [10, 21, 31]);
    assert_eq!(y.column(1).to_vec(), [3, 4, 101]);
    let y = tables::<u64>::run(&Cpu, &x, &[1, 2, 3], &[u64::MAX], 100).unwrap();
    assert_eq!(y[[0, 0]], 30);
}
