//! Kernels without maps on images of many widths and heights: how much more an element costs where rows are narrow, or do not end
//! where a block does.
use super::stencils::star_taps;
use crate::Fallible;
use crate::automatic::{conv2d::conv2d, star2d::star5};
use crate::contest::{Contest, Entry};
use crate::lab::Lab;
use crate::problem::Problem;
use crate::standing::{Outcome, Role, Standing, Subject, automatic};
use crate::taps::Taps;
use crate::weights::{line, square};
use crate::widths::{HEIGHTS, WIDTHS};
use std::rc::Rc;
use systolic::ndarray::Ix2;
use systolic::{DeviceArray, Error, Launched, Stream, systolic};

/// Columns of images with a width of their own, and the elements of such an image: few, which the second cache holds, and many.
const COLUMNS: [usize; 5] = [100, 1000, 1023, 5000, 8191];
const ELEMENTS: [(&str, usize); 2] = [("10⁶", 1_000_000), ("2²⁶", 1 << 26)];
/// Rows of wide images, and their width.
const ROWS: [usize; 3] = [1, 10, 100];
const WIDE: usize = 8192;
/// Launches between two marks of the device's clock: some take only microseconds.
const REPEATED: usize = 20;

type Image = DeviceArray<f32, Ix2>;

systolic! {
    /// Every element as it is.
    kernel copied(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c];
        }
    }
}

macro_rules! filters {
    ($lab:ident: $($p:literal)+) => {
        [$({
            let weights = square::<f32, $p>();
            let taps = Taps::filter([1, $p, $p], weights.as_flattened());
            let kernel = Kernel { name: concat!("conv2d ", $p, "×", $p, " f32"), taps, halo: $p - 1 };
            kernel.contests($lab, move |s, x, z| conv2d::<$p>::launch(s, x, &weights, z))?
        }),+]
    };
}

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let taps = Taps { begins: false, ..Taps::new([([0; 3], 1.0)]) };
    let mut held = Kernel { name: "copy f32", taps, halo: 0 }.contests(lab, copied::launch)?;
    let weights = line::<f32, 5>();
    let star = Kernel { name: "2d5pt f32", taps: star_taps(2, &weights), halo: 0 };
    held.extend(star.contests(lab, move |s, x, y| star5::<f32>::launch(s, x, &weights, y))?);
    held.extend(filters!(lab: 3 5 9).into_iter().flatten());
    Ok(held)
}

struct Kernel {
    name: &'static str,
    taps: Taps,
    /// Rows and columns that the input has more than the output.
    halo: usize,
}

impl Kernel {
    /// Holds the requested contests of this kernel, one per shape.
    fn contests(
        &self,
        lab: &Lab,
        launch: impl Fn(&Stream, &Image, &mut Image) -> Result<Launched, Error> + Copy + 'static,
    ) -> Fallible<Vec<Standing>> {
        let widths = ELEMENTS.into_iter().flat_map(|(count, elements)| {
            COLUMNS.map(|columns| {
                (format!("{WIDTHS}{}, {count} elements", self.name), elements.div_ceil(columns), columns)
            })
        });
        let heights = ROWS.map(|rows| (format!("{HEIGHTS}{}", self.name), rows, WIDE));
        let mut held = Vec::new();
        for (family, rows, columns) in widths.chain(heights) {
            let title = format!("{family}, {rows} × {columns}");
            if lab.plan.wants(&title) {
                held.push(self.contest(lab, (title, family), Ix2(rows, columns), launch)?);
            }
        }
        Ok(held)
    }

    fn contest(
        &self,
        lab: &Lab,
        (title, family): (String, String),
        output: Ix2,
        launch: impl Fn(&Stream, &Image, &mut Image) -> Result<Launched, Error> + 'static,
    ) -> Fallible<Standing> {
        let (rows, columns) = (output[0], output[1]);
        let problem = Problem::new(lab, Ix2(rows + self.halo, columns + self.halo), output)?;
        let expected = Rc::new(self.taps.expected(lab, &problem.x, output)?);
        let mut contestants =
            vec![problem.copy()?, problem.ours(Role::Automatic, automatic("ours"), &expected, launch)];
        contestants.iter_mut().for_each(|contestant| repeat(&mut contestant.entry));
        let (cells, bytes) = ((rows * columns) as u64, problem.bytes());
        let subject =
            Subject { title, family, size: columns, bytes, operations: cells * self.taps.taps.len() as u64, cells };
        let mut standing = Contest { subject, contestants }.quietly(lab);
        for line in &mut standing.lines {
            if let Outcome::Times(times) = &mut line.outcome {
                times.iter_mut().for_each(|time| *time /= REPEATED as f64);
            }
        }
        Ok(standing)
    }
}

/// Makes one run of a contestant many launches.
fn repeat(entry: &mut Entry) {
    let once = std::mem::replace(entry, Entry::Absent(String::new()));
    *entry = match once {
        Entry::Ready(run) => Entry::Ready(Box::new(move |stream| (0..REPEATED).try_for_each(|_| run(stream)))),
        Entry::Absent(why) => Entry::Absent(why),
    };
}
