//! How long the filter takes, and whether its bits are those of the equations.
use crate::picture::Picture;
use crate::{Weights, filter};
use std::fmt;
use std::time::{Duration, Instant};
use systolic::ndarray::{Array3, ArrayView3};
use systolic::{Auto, Gpu};

/// How often the filter is run.
const RUNS: u32 = 9;

pub struct Speed {
    pixels: usize,
    /// The median time of a call: on a GPU with the way there and back.
    call: Duration,
    /// On a GPU, the time of the kernel alone.
    kernel: Option<Duration>,
}

/// Times the filter of a picture. Another result than that of the equations, taken point by point, is an error.
pub fn measure(picture: &Picture, weights: &Weights, result: &Array3<u8>) -> Result<Speed, Box<dyn std::error::Error>> {
    let colours = picture.colours();
    let wanted = filter::reference(colours, weights)?;
    let mut found = result.clone();
    let call = median(|| filter::run_into(&Auto, colours, weights, &mut found))?;
    let mut results = vec![result.clone(), found];
    let mut kernel = None;
    if let Some(gpu) = filter::choice(&Auto).gpu {
        let (time, found) = on_device(&gpu, colours, weights)?;
        kernel = Some(time);
        results.push(found);
    }
    if results.iter().any(|found| *found != wanted) {
        return Err("a result has other bits than the equations".into());
    }
    let (_, rows, columns) = colours.dim();
    Ok(Speed { pixels: rows * columns, call, kernel })
}

/// The kernel alone on arrays that lie on the device: its time between two events of a stream, and what it gives.
fn on_device(gpu: &Gpu, x: ArrayView3<'_, u8>, w: &Weights) -> Result<(Duration, Array3<u8>), systolic::Error> {
    let stream = gpu.stream()?;
    let mut y = gpu.zeros(x.dim())?;
    let x = gpu.upload(x)?;
    let start = stream.record()?;
    for _ in 0..RUNS {
        filter::launch(&stream, &x, w, &mut y)?;
    }
    let end = stream.record()?;
    Ok((end.since(&start)? / RUNS, y.download()?))
}

fn median(mut work: impl FnMut() -> Result<(), systolic::Error>) -> Result<Duration, systolic::Error> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, name: &str, time: Duration| {
            let rate = self.pixels as f64 / time.as_secs_f64().max(1e-9) / 1e6;
            writeln!(f, "{name:<12} {:>9.3} ms  {rate:>9.1} megapixels a second", time.as_secs_f64() * 1e3)
        };
        line(f, "a call", self.call)?;
        self.kernel.map_or(Ok(()), |time| line(f, "its kernel", time))?;
        write!(f, "the median of {RUNS} calls; all bits are those of the equations")
    }
}
