//! Measures a 9×9 convolution of `f32`, written like emitted code, at every level of this CPU, against the peak rate of fma.
//! `cargo run --release -p systolic-runtime --example lanes`
use std::hint::black_box;
use std::time::{Duration, Instant};
use systolic_runtime::emitted::cpu::{ALL, Block, In, Level, Offsets, Out, Scratch, Simd, Vector, launch_on};
use systolic_runtime::emitted::{Border, Failure};
use systolic_runtime::ndarray::Array2;

const TAPS: usize = 9;
const BAND: i64 = 64;
const SAME: &Offsets = &Offsets::line(0, 0);
const NEXT: &Offsets = &Offsets::line(0, 1);

/// A block is a strip of 32 columns in a band of rows. Nine partial sums move down the rows while the input is read row by row.
struct Convolution<'a> {
    x: In<'a, f32, 2>,
    w: [[f32; TAPS]; TAPS],
    z: Out<'a, f32, 2>,
    rows: i64,
    ahead: i64,
}

impl Block for Convolution<'_> {
    const APART: bool = true;
    const LIVE: usize = TAPS + 1;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, [_, band, strip]: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let (top, left) = (BAND * band, 32 * strip);
        let zero = simd.zero::<f32>();
        let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7] = [zero; 8];
        for t in 0..(BAND.min(self.rows - top) + TAPS as i64 - 1) {
            let [mut n0, mut n1, mut n2, mut n3, mut n4] = [zero, s0, s1, s2, s3];
            let [mut n5, mut n6, mut n7, mut n8] = [s4, s5, s6, s7];
            if self.ahead > 0 {
                self.x.prefetch(simd, [top + t, left + 32 * self.ahead], [SAME, NEXT]);
            }
            for q in 0..TAPS {
                let x = self.x.load(simd, [top + t, left + q as i64], [SAME, NEXT]);
                n0 = x.fma(simd.splat(self.w[0][q]), n0);
                n1 = x.fma(simd.splat(self.w[1][q]), n1);
                n2 = x.fma(simd.splat(self.w[2][q]), n2);
                n3 = x.fma(simd.splat(self.w[3][q]), n3);
                n4 = x.fma(simd.splat(self.w[4][q]), n4);
                n5 = x.fma(simd.splat(self.w[5][q]), n5);
                n6 = x.fma(simd.splat(self.w[6][q]), n6);
                n7 = x.fma(simd.splat(self.w[7][q]), n7);
                n8 = x.fma(simd.splat(self.w[8][q]), n8);
            }
            if t >= TAPS as i64 - 1 {
                self.z.store(simd, [top + t - (TAPS as i64 - 1), left], [SAME, NEXT], ALL, n8);
            }
            [s0, s1, s2, s3] = [n0, n1, n2, n3];
            [s4, s5, s6, s7] = [n4, n5, n6, n7];
        }
        Ok(())
    }
}

/// Independent fma operations in registers: the peak rate of a core.
struct Peak(u32);

impl Block for Peak {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let (a, b) = (simd.splat(black_box(0.5f32)), simd.splat(black_box(1.0f32)));
        let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5] = [a; 6];
        for _ in 0..self.0 {
            s0 = s0.fma(a, b);
            s1 = s1.fma(a, b);
            s2 = s2.fma(a, b);
            s3 = s3.fma(a, b);
            s4 = s4.fma(a, b);
            s5 = s5.fma(a, b);
        }
        black_box(s0.add(s1).add(s2).add(s3).add(s4).add(s5).to_lanes());
        Ok(())
    }
}

/// The least time of several runs.
fn least(times: u32, mut run: impl FnMut()) -> Duration {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..times).map(|_| time(&mut run)).min().unwrap_or_default()
}

fn convolve(level: Level, x: &Array2<f32>, z: &mut Array2<f32>, ahead: i64) {
    let w = std::array::from_fn(|p| std::array::from_fn(|q| ((7 * p + 3 * q) % 11) as f32 / 64.0));
    let (rows, columns) = z.dim();
    let x = In::new(x.view(), Border::Constant(0.0)).unwrap();
    let block = Convolution { x, w, z: Out::new(z.view_mut()), rows: rows as i64, ahead };
    let last = [0, (rows as i64 - 1) / BAND, (columns as i64 - 1) / 32];
    launch_on(level, &block, [0; 3], last).unwrap();
}

fn main() {
    let threads = rayon_core::current_num_threads();
    println!("9×9 convolution, Gfma/s and the share of the peak; the least time of many runs");
    println!(
        "{:>8} {:>8} {:>26} {:>26}",
        "level",
        "peak",
        "64 × 32, one thread",
        format!("4096 × 4096, {threads} threads")
    );
    let mut expected: Option<Array2<f32>> = None;
    for level in Level::available() {
        let slow = level == Level::Plain;
        let rounds = if slow { 2_000 } else { 100_000 };
        let peak = least(9, || launch_on(level, &Peak(rounds), [0; 3], [0; 3]).unwrap());
        let peak = 6.0 * 32.0 * f64::from(rounds) / peak.as_secs_f64() / 1e9;
        print!("{:>8} {peak:>8.1}", format!("{level:?}"));
        for (rows, columns, cores, ahead, times) in [(64, 32, 1, 0, 1000), (4096, 4096, threads, 2, 10)] {
            if slow && rows > 64 {
                continue;
            }
            let value = |(r, c)| ((r * 31 + c * 17) % 101) as f32;
            let x = Array2::from_shape_fn((rows + TAPS - 1, columns + TAPS - 1), value);
            let mut z = Array2::zeros((rows, columns));
            let time = least(if slow { 9 } else { times }, || convolve(level, &x, &mut z, ahead)).as_secs_f64();
            // A band of 64 rows computes on 72 rows; only the results that are stored count.
            let rate = (rows * columns * TAPS * TAPS) as f64 / time / 1e9;
            print!(" {:>9.4} ms {rate:>7.1} {:>3.0} %", 1e3 * time, 100.0 * rate / (peak * cores as f64));
            if rows == 64 {
                assert!(expected.get_or_insert_with(|| z.clone()) == &z, "{level:?} gives other bits");
            }
        }
        println!();
    }
}
