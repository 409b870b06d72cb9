//! How long the filter takes, and whether its bits are those of the equations.
use crate::picture::Picture;
use crate::{Weights, filter};
use std::fmt;
use std::time::{Duration, Instant};
use systolic::ndarray::{Array3, ArrayView3, s};
use systolic::{Auto, Gpu};

/// How often the filter is run, unless that takes longer than [`ENOUGH`].
const RUNS: u32 = 9;
const ENOUGH: Duration = Duration::from_secs(1);
/// How many values are compared with the equations, which are slow to follow point by point.
const CHECKED: usize = 1 << 20;

pub struct Speed {
    pixels: usize,
    calls: usize,
    /// The median time of a call: on a GPU with the way there and back.
    call: Duration,
    /// On a GPU, the mean time of the kernel alone.
    kernel: Option<Duration>,
    /// The rows that were compared.
    checked: usize,
}

/// Times the filter of a picture. Another result than that of the equations is an error.
pub fn measure(picture: &Picture, weights: &Weights, result: &Array3<u8>) -> Result<Speed, Box<dyn std::error::Error>> {
    let x = picture.colours();
    let mut found = Array3::zeros(x.dim());
    let (calls, call) = median(|| filter::run_into(&Auto, x, weights, &mut found))?;
    let mut results = vec![result.clone(), found];
    let mut kernel = None;
    if let Some(gpu) = filter::choice(&Auto).gpu {
        let (time, found) = on_device(&gpu, x, weights)?;
        kernel = Some(time);
        results.push(found);
    }
    let (_, rows, columns) = x.dim();
    // No side of a PNG is 0.
    let checked = rows.min(CHECKED.div_ceil(x.len() / rows));
    if !same_bits(x, weights, &results, checked)? {
        return Err("a result has other bits than the equations".into());
    }
    Ok(Speed { pixels: rows * columns, calls, call, kernel, checked })
}

/// Whether so many rows of all results are those of the equations, point by point.
fn same_bits(x: ArrayView3<'_, u8>, w: &Weights, results: &[Array3<u8>], rows: usize) -> Result<bool, systolic::Error> {
    // Two rows more are read.
    let read = x.dim().1.min(rows + 2);
    let wanted = filter::reference(x.slice(s![.., ..read, ..]), w)?;
    Ok(results.iter().all(|found| found.slice(s![.., ..rows, ..]) == wanted.slice(s![.., ..rows, ..])))
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

/// How often something was done, and its median time.
fn median(mut work: impl FnMut() -> Result<(), systolic::Error>) -> Result<(usize, Duration), systolic::Error> {
    let begin = Instant::now();
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed());
        if begin.elapsed() > ENOUGH {
            break;
        }
    }
    times.sort();
    Ok((times.len(), times[times.len() / 2]))
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, name: &str, time: Duration, what: &str| {
            let seconds = time.as_secs_f64().max(1e-9);
            let rate = self.pixels as f64 / seconds / 1e6;
            writeln!(f, "{name:<10} {:>9.3} ms, {rate:.1} megapixels a second, {what}", seconds * 1e3)
        };
        line(f, "a call", self.call, &format!("median of {}", self.calls))?;
        if let Some(time) = self.kernel {
            line(f, "its kernel", time, &format!("mean of {RUNS}, on the device's clock"))?;
        }
        write!(f, "checked: the bits of {} rows are those of the equations", self.checked)
    }
}
