//! Convolution by `imageproc`, which has its own image type.
use crate::contest::{Cores, Run};
use crate::pool::timed;
use image::{ImageBuffer, Luma};
use imageproc::filter::{filter, filter_parallel};
use imageproc::kernel::Kernel;
use systolic::ndarray::Array2;

/// A grey image of floats.
pub struct Image(ImageBuffer<Luma<f32>, Vec<f32>>);

impl Image {
    pub fn of(image: &Array2<f32>) -> Result<Image, String> {
        let (rows, columns) = image.dim();
        let pixels = image.iter().copied().collect();
        let made = ImageBuffer::from_raw(columns as u32, rows as u32, pixels);
        made.map(Image).ok_or("an image of another size".to_string())
    }
}

/// The filter of `imageproc`, on one core or on all.
pub fn imageproc<'a, const P: usize>(cores: Cores, x: &'a Image, w: &'a [[f32; P]; P]) -> Run<'a, Array2<f32>> {
    Box::new(move |z, keep| {
        let kernel = || Kernel::new(w.as_flattened(), P as u32, P as u32);
        let (time, found): (_, ImageBuffer<Luma<f32>, Vec<f32>>) = timed(cores, || match cores {
            Cores::One => filter(&x.0, kernel(), |sum: f32| sum),
            Cores::All => filter_parallel(&x.0, kernel(), |sum: f32| sum),
        })?;
        if keep {
            z.iter_mut().zip(found.as_raw()).for_each(|(z, pixel)| *z = *pixel);
        }
        Ok(time)
    })
}
