//! 2-D convolution of a padded image, for filters of several sizes and types.
use super::ssam::ssam;
use super::sum::{self, Peers, Sum, kernels};
use crate::Fallible;
use crate::automatic::both;
use crate::code::Arguments;
use crate::contest::Entry;
use crate::lab::{Lab, Number, Rows};
use crate::standing::Standing;
use crate::taps::Taps;
use crate::weights::{Weight, square};
use std::cell::RefCell;
use systolic::ndarray::Ix2;
use systolic::{DeviceArray, Error, Launched, Stream, f16};

/// The number of rows and of columns of the output.
const SIDE: usize = 8192;

type Image<T> = DeviceArray<T, Ix2>;

/// Creates the peers for a given input and output.
type Others<'l, W, const P: usize> = fn(&'l Lab<'l>, Rows, Rows, &[[W; P]; P]) -> Fallible<Peers<'l>>;

/// A launch of a kernel with its weights.
type Plain<T, W, const P: usize> = fn(&Stream, &Image<T>, &[[W; P]; P], &mut Image<T>) -> Result<Launched, Error>;
/// One that may hold arrays of its own.
type Launch<T, W, const P: usize> = Box<dyn Fn(&Stream, &Image<T>, &[[W; P]; P], &mut Image<T>) -> Result<Launched, Error>>;

macro_rules! sizes {
    ($lab:ident, $module:ident::$kernel:ident, $type:ident, $weight:ident, $columns:expr, $peers:ident: $($p:literal)+) => {
        vec![$({
            let plain: [Plain<$type, $weight, $p>; 2] = both!($module::$kernel<$p>: s x w z);
            contest::<$type, $weight, $p>($lab, "", $columns, plain.map(boxed), $peers)?
        }),+]
    };
}

macro_rules! known {
    ($lab:ident: $($p:literal $kernel:ident)+) => {
        vec![$({
            let plain: [fn(&Stream, &Image<f32>, &mut Image<f32>) -> Result<Launched, Error>; 2] =
                both!(known::$kernel<$p>: s x z);
            let launches = plain.map(|plain| -> Launch<f32, f32, $p> { Box::new(move |s, x, _, z| plain(s, x, z)) });
            contest::<f32, f32, $p>($lab, ", weights in the kernel", SIDE, launches, of_f32)?
        }),+]
    };
}

/// Splits the rows of a filter over two launches; the partial sum of the first is an image as large as the output. The
/// first launch does not read its initial sum.
macro_rules! parts {
    ($lab:ident: $($p:literal)+) => {
        vec![$(contest::<f32, f32, $p>($lab, "", SIDE, [parts!($p kernels), parts!($p automatic)], of_f32)?),+]
    };
    ($p:literal $maps:ident) => {{
        use crate::$maps::conv2d::rows;
        let held = RefCell::new(None);
        let launch: Launch<f32, f32, $p> = Box::new(move |s, x, w, z| {
            let (first, rest) = (std::array::from_fn(|p| w[p]), std::array::from_fn(|p| w[10 + p]));
            let mut held = held.borrow_mut();
            let [unread, sum] = as_large(&mut held, z)?;
            rows::<$p, 0>::launch(s, x, &first, unread, sum)?;
            rows::<$p, 1>::launch(s, x, &rest, sum, z)
        });
        launch
    }};
}

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let mut held = sizes!(lab, conv2d::conv2d, f32, f32, SIDE, of_f32: 3 5 7 9 13);
    held.extend(parts!(lab: 19 20));
    held.extend(known!(lab: 9 nine 13 thirteen 19 nineteen 20 twenty));
    held.extend(sizes!(lab, types::double, f64, f64, SIDE, of_f64: 3 5 7 9));
    held.extend(sizes!(lab, types::half, f16, f32, SIDE, of_f16: 3 5));
    for columns in [SIDE - 1, SIDE + 1] {
        held.extend(sizes!(lab, conv2d::conv2d, f32, f32, columns, of_f32: 3 9));
    }
    Ok(held.into_iter().flatten().collect())
}

fn boxed<T: Number, W: Weight, const P: usize>(launch: Plain<T, W, P>) -> Launch<T, W, P> {
    Box::new(launch)
}

/// Two images as large as an output, created again if its shape has changed.
fn as_large<'h>(held: &'h mut Option<[Image<f32>; 2]>, z: &Image<f32>) -> Result<&'h mut [Image<f32>; 2], Error> {
    let fits = held.take().filter(|[image, _]| image.shape() == z.shape());
    let images = match fits {
        Some(images) => images,
        None => {
            let (gpu, shape) = (z.gpu(), Ix2(z.shape()[0], z.shape()[1]));
            let images = [gpu.zeros(shape)?, gpu.zeros(shape)?];
            gpu.own_stream().synchronize()?;
            images
        }
    };
    Ok(held.insert(images))
}

fn contest<'l, T: Number, W: Weight, const P: usize>(
    lab: &'l Lab<'l>,
    variant: &str,
    columns: usize,
    launches: [Launch<T, W, P>; 2],
    peers: Others<'l, W, P>,
) -> Fallible<Option<Standing>> {
    let weights = square::<W, P>();
    let width = if columns == SIDE { String::new() } else { format!(", {columns} wide") };
    let sum = Sum {
        title: format!("conv2d {P}×{P} {}{variant}{width}", T::NAME),
        family: format!("conv2d {}{variant}{width}", T::NAME),
        size: P,
        input: Ix2(SIDE + P - 1, columns + P - 1),
        output: Ix2(SIDE, columns),
        taps: Taps::filter([1, P, P], weights.as_flattened()),
    };
    let weighted =
        |launch: Launch<T, W, P>| -> sum::Launch<T, Ix2> { Box::new(move |s, x, z| launch(s, x, &weights, z)) };
    sum.hold(lab, launches.map(weighted), |x, z| peers(lab, x, z, &weights))
}

fn of_f32<'l, const P: usize>(lab: &'l Lab<'l>, x: Rows, z: Rows, weights: &[[f32; P]; P]) -> Fallible<Peers<'l>> {
    Ok(vec![
        ("by hand", hand(lab, x, z, weights)?),
        ("SSAM's form", ssam(lab, x, z, weights, 0)?),
        ("NPP FilterBorder", lab.libraries.npp.filter(lab, x, z, P, weights.as_flattened())?),
    ])
}

fn of_f64<'l, const P: usize>(lab: &'l Lab<'l>, x: Rows, z: Rows, weights: &[[f64; P]; P]) -> Fallible<Peers<'l>> {
    Ok(vec![("SSAM's form", ssam(lab, x, z, weights, 0)?)])
}

fn of_f16<'l, const P: usize>(lab: &'l Lab<'l>, x: Rows, z: Rows, weights: &[[f32; P]; P]) -> Fallible<Peers<'l>> {
    Ok(vec![("NPP FilterBorder", lab.libraries.npp.filter(lab, x, z, P, weights.as_flattened())?)])
}

/// The constants in a kernel of `conv2d.cu`: columns per lane, and rows per band.
fn shape(filter: usize) -> (u64, u64) {
    match filter {
        3 => (4, 8),
        5 => (4, 6),
        7 => (8, 128),
        _ => (8, 249),
    }
}

/// The hand-written kernel; for a large filter two of them, with half of the filter's columns each.
fn hand<'a, const P: usize>(lab: &Lab, x: Rows, z: Rows, weights: &[[f32; P]; P]) -> Fallible<Entry<'a>> {
    let (fold, band) = shape(P);
    let strip = 4 * 32 * fold;
    if !z.columns.is_multiple_of(strip) {
        return Ok(Entry::Absent(format!("only for multiples of {strip} columns")));
    }
    let grid = [z.columns / strip, z.rows.div_ceil(band), 1];
    let kernel = |name: String, from: usize, to: usize| {
        let arguments = Arguments::default().words([x.address + 4 * from as u64, z.address]);
        let arguments = arguments.lengths([x.pitch, z.pitch, z.rows, band])?;
        let weights: Vec<f32> = weights.iter().flat_map(|row| row[from..to].iter().copied()).collect();
        lab.code.kernel(&name, grid, 128, arguments.floats(&weights))
    };
    if P < 19 {
        return Ok(kernels(vec![kernel(format!("hand_{P}"), 0, P)?]));
    }
    Ok(kernels(vec![kernel(format!("hand_{P}_first"), 0, 10)?, kernel(format!("hand_{P}_second"), 10, P)?]))
}
