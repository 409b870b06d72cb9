//! Measures the time of the filter and checks its bits against the equations.
use crate::picture::Picture;
use crate::{Weights, filter};
use std::fmt;
use std::time::{Duration, Instant};
use systolic::ndarray::{Array3, ArrayView3, s};
use systolic::{Auto, Gpu};

/// The number of runs, unless they take longer than [`ENOUGH`].
const RUNS: u32 = 9;
const ENOUGH: Duration = Duration::from_secs(1);
/// The number of values that are compared with the equations, whose evaluation point by point is slow.
const CHECKED: usize = 1 << 20;

pub struct Speed {
    pixels: usize,
    calls: usize,
    /// The median time of a call; on a GPU including transfers.
    call: Duration,
    /// The mean time of the kernel alone, on a GPU.
    kernel: Option<Duration>,
    /// The number of rows that were compared.
    checked: usize,
}

/// Times the filter of a picture. Fails if a result differs from the equations.
pub fn measure(picture: &Picture, weights: &Weights, result: &Array3<u8>) -> Result<Speed, Box<dyn std::error::Error>> {
    let x = picture.colours();
    let mut found = Array3::zeros(x.dim());
    let (calls, call) = median(|| filter::run_into(&Auto, x, weights, &mut found))?;
    let mut results = vec![result.clone(), found];
    let mut kernel = None;
    if let Some(gpu) = filter::choice(&Auto).gpu() {
        let (time, found) = on_device(gpu, x, weights)?;
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

/// Whether the first `rows` rows of all results equal those of the equations, evaluated point by point.
fn same_bits(x: ArrayView3<'_, u8>, w: &Weights, results: &[Array3<u8>], rows: usize) -> Result<bool, systolic::Error> {
    // The filter reads two more rows.
    let read = x.dim().1.min(rows + 2);
    let wanted = filter::reference(x.slice(s![.., ..read, ..]), w)?;
    Ok(results.iter().all(|found| found.slice(s![.., ..rows, ..]) == wanted.slice(s![.., ..rows, ..])))
}

/// The kernel alone, on arrays in device memory: its time between two events of a stream, and its result.
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

/// Repeats `work`; returns the number of runs and the median time.
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
