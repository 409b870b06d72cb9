//! Loops as one would write them by hand, which rustc vectorises.
use crate::contest::Cores;
use crate::vectors::widest;
use rayon::prelude::*;
use systolic::ndarray::Array2;

/// Computes one row of a convolution from the rows of the image that it needs, all `width` wide.
pub type Row<const P: usize> = fn(&[f32], usize, &[[f32; P]; P], &mut [f32]);

/// A convolution, row by row.
pub fn convolve<const P: usize>(cores: Cores, row: Row<P>, x: &Array2<f32>, w: &[[f32; P]; P], z: &mut Array2<f32>) {
    let (width, columns) = (x.ncols(), z.ncols());
    let (Some(x), Some(z)) = (x.as_slice(), z.as_slice_mut()) else { return };
    let each = |(r, z): (usize, &mut [f32])| row(&x[r * width..(r + P) * width], width, w, z);
    match cores {
        Cores::One => z.chunks_exact_mut(columns).enumerate().for_each(each),
        Cores::All => z.par_chunks_exact_mut(columns).enumerate().for_each(each),
    }
}

/// Output by output.
pub fn by_output<const P: usize>(x: &[f32], width: usize, w: &[[f32; P]; P], z: &mut [f32]) {
    widest(
        #[inline(always)]
        move |_| {
            for (c, z) in z.iter_mut().enumerate() {
                let mut sum = 0.0;
                for p in 0..P {
                    for q in 0..P {
                        sum += x[p * width + c + q] * w[p][q];
                    }
                }
                *z = sum;
            }
        },
    );
}

/// Weight by weight, over a whole row of outputs each; fused if the CPU supports it.
pub fn by_weight<const P: usize>(x: &[f32], width: usize, w: &[[f32; P]; P], z: &mut [f32]) {
    widest(
        #[inline(always)]
        move |fused| {
            z.fill(0.0);
            for (x, w) in x.chunks_exact(width).zip(w) {
                for (q, w) in w.iter().enumerate() {
                    let pairs = z.iter_mut().zip(&x[q..]);
                    if fused {
                        pairs.for_each(|(z, x)| *z = x.mul_add(*w, *z));
                    } else {
                        pairs.for_each(|(z, x)| *z += x * w);
                    }
                }
            }
        },
    );
}

/// Sums along every row.
pub fn scan_rows(cores: Cores, x: &Array2<f32>, y: &mut Array2<f32>) {
    let columns = x.ncols();
    let (Some(x), Some(y)) = (x.as_slice(), y.as_slice_mut()) else { return };
    let each = |(y, x): (&mut [f32], &[f32])| {
        let mut sum = 0.0;
        for (y, x) in y.iter_mut().zip(x) {
            sum += x;
            *y = sum;
        }
    };
    match cores {
        Cores::One => y.chunks_exact_mut(columns).zip(x.chunks_exact(columns)).for_each(each),
        Cores::All => y.par_chunks_exact_mut(columns).zip(x.par_chunks_exact(columns)).for_each(each),
    }
}

/// Sums down every column: each row adds a row of the input to the row above it. On several cores, in strips.
pub fn scan_columns(cores: Cores, x: &Array2<f32>, y: &mut Array2<f32>) {
    let columns = x.ncols();
    let strip = columns.div_ceil(cores.count());
    let Some(x) = x.as_slice() else { return };
    let mut strips: Vec<_> = y.axis_chunks_iter_mut(systolic::ndarray::Axis(1), strip).collect();
    strips.par_iter_mut().enumerate().for_each(|(k, y)| {
        let mut above = vec![0.0; y.ncols()];
        for (mut y, x) in y.rows_mut().into_iter().zip(x.chunks_exact(columns)) {
            let Some(y) = y.as_slice_mut() else { return };
            widest(
                #[inline(always)]
                |_| {
                    for ((y, above), x) in y.iter_mut().zip(&mut above).zip(&x[k * strip..]) {
                        *above += x;
                        *y = *above;
                    }
                },
            );
        }
    });
}

/// Copies all elements.
pub fn copy(cores: Cores, x: &Array2<f32>, y: &mut Array2<f32>) {
    let (Some(x), Some(y)) = (x.as_slice(), y.as_slice_mut()) else { return };
    let part = y.len().div_ceil(cores.count());
    y.par_chunks_mut(part).zip(x.par_chunks(part)).for_each(|(y, x)| y.copy_from_slice(x));
}
