use systolic::{Cpu, systolic};

systolic! {
    kernel window<type T in [f32, f64, i32], type U in [f32, f64], const P: usize in [3, 5]>(
        x: [T; N + P - 1],
        u: [U; N],
    ) -> (y: [T; N], v: [U; N])
    where T != i32, T == U, N > 1 {
        for n in 0..N, p in 0..P {
            S[n, p] = x[n + p] * (p as T) + if p == 0 { 0 as T } else { S[n, p - 1] };
            if p == P - 1 { y[n] = S[n, p]; v[n] = u[n]; }
        }
        map where T == f64 { tile n by 64 as (nb, ni); blocks (nb); lanes ni fold 2; }
        map where T != f64, P <= 3 { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
        map wide where f32 == T { tile n by 256 as (nb, ni); blocks (nb); lanes ni fold 8; }
    }
}

fn narrow<const N: usize>() -> ([f32; N], [f32; 300]) {
    (std::array::from_fn(|n| (n % 17) as f32 * 0.3), std::array::from_fn(|n| n as f32))
}

fn main() {
    let (x, u) = narrow::<302>();
    let want = window::<f32, f32, 3>::reference(&x, &u).unwrap();
    assert_eq!(want.0[1], 0.3 * 2.0 + 2.0 * (3.0 * 0.3));
    assert_eq!(window::<f32, f32, 3>::run(&Cpu, &x, &u).unwrap(), want);
    assert_eq!(window_wide::<f32, f32, 3>::run(&Cpu, &x, &u).unwrap(), want);
    let (x, u) = narrow::<304>();
    let want = window::<f32, f32, 5>::reference(&x, &u).unwrap();
    assert_eq!(window::<f32, f32, 5>::run(&Cpu, &x, &u).unwrap(), want);
    let (x, u) = (x.map(f64::from), u.map(f64::from));
    let want = window::<f64, f64, 5>::reference(&x, &u).unwrap();
    assert_eq!(window::<f64, f64, 5>::run(&Cpu, &x, &u).unwrap(), want);
    // Every type has its map: a block of 64, of 32 and of 256 points.
    assert_eq!(window::<f64, f64, 3>::describe(300).pes, 64);
    assert_eq!(window::<f32, f32, 3>::describe(300).pes, 32);
    assert_eq!(window::<f32, f32, 5>::describe(300).pes, 256);
    assert_eq!(window_wide::<f32, f32, 3>::describe(300).pes, 256);
}
