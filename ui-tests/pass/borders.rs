use systolic::systolic;

systolic! {
    kernel sums(
        a: [i32; N] border zero,
        b: [i32; N] border clamp,
        c: [i32; N] border reflect,
        d: [i32; N] border wrap,
        e: [i32; N] border constant(-7),
        f: [i32; N] border constant(outside),
        outside: i32,
        g: [i32; N] border symmetric,
    ) -> (y: [i32; N, 7]) {
        for n in 0..N {
            y[n, 0] = a[n + 1];
            y[n, 1] = b[n + 1];
            y[n, 2] = c[n + 1];
            y[n, 3] = d[n + 1];
            y[n, 4] = e[n + 1];
            y[n, 5] = f[n + 1];
            y[n, 6] = g[n + 2];
        }
    }
}

fn main() {
    let x = [1, 2, 3];
    let y = sums::reference(&x, &x, &x, &x, &x, &x, 9, &x).unwrap();
    assert_eq!(y.row(2).to_vec(), [0, 3, 2, 1, -7, 9, 2]);
}
