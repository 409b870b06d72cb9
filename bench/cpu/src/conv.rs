//! 2-D convolution of a square image, for filters of several sizes.
use crate::Plan;
use crate::contest::{Check, Contest, Contestant, Cores, Role, Run, Standing};
use crate::data::{Random, close, same_bits, spoil};
use crate::image_peers::{Image, imageproc};
use crate::kernels::{conv2d_rows, conv2d_same_rows};
use crate::plain;
use crate::pool::timed;
use crate::python::Python;
use crate::vectors::widest;
use rayon::prelude::*;
use std::cell::RefCell;
use systolic::ndarray::Array2;
use systolic::{Cpu, Error};

/// The number of rows and of columns of the image.
const SIDE: usize = 4096;
/// From this filter size on, ours should be faster by this factor.
const LARGE: (usize, f64) = (9, 2.5);

/// The `run_into` function of a map's instance.
type Ours<const P: usize> = fn(&Array2<f32>, &[[f32; P]; P], &mut Array2<f32>) -> Result<(), Error>;

/// Our maps for a filter: for a padded image, and for one with a border.
struct Maps<const P: usize> {
    rimmed: Ours<P>,
    same: Ours<P>,
    /// Computes an output with `run`.
    make: fn(&Array2<f32>, &[[f32; P]; P]) -> Result<Array2<f32>, Error>,
}

macro_rules! maps {
    ($p:literal) => {
        Maps::<$p> {
            rimmed: |x, w, z| conv2d_rows::<$p, $p>::run_into(&Cpu, x, w, z),
            same: |x, w, z| conv2d_same_rows::<$p, $p>::run_into(&Cpu, x, w, z),
            make: |x, w| conv2d_rows::<$p, $p>::run(&Cpu, x, w),
        }
    };
}

/// Holds every requested contest.
pub fn contests(plan: &Plan) -> Result<Vec<Standing>, String> {
    if ![3, 5, 9, 15].iter().any(|p| plan.wants(&title(*p))) {
        return Ok(Vec::new());
    }
    let image = Random::new(1).image(SIDE, SIDE);
    let python = RefCell::new(Python::start(&image)?);
    let held = [
        contest(plan, &image, &python, maps!(3))?,
        contest(plan, &image, &python, maps!(5))?,
        contest(plan, &image, &python, maps!(9))?,
        contest(plan, &image, &python, maps!(15))?,
    ];
    Ok(held.into_iter().flatten().collect())
}

fn title(p: usize) -> String {
    format!("conv2d {p}×{p}")
}

fn contest<const P: usize>(
    plan: &Plan,
    image: &Array2<f32>,
    python: &RefCell<Python>,
    maps: Maps<P>,
) -> Result<Option<Standing>, String> {
    let title = title(P);
    if !plan.wants(&title) {
        return Ok(None);
    }
    let mut random = Random::new(P as u64);
    let weights: [[f32; P]; P] = std::array::from_fn(|_| std::array::from_fn(|_| random.float()));
    let (rimmed, weights) = (&rim(image, P / 2), &weights);
    let expected = &expected(rimmed, weights);
    // The values lie between −1 and 1; another order of the sum changes far less than this margin.
    let margin = 1e-5 * weights.as_flattened().iter().map(|w| w.abs()).sum::<f32>();
    let bits = || -> Check<'_, Array2<f32>> { Box::new(|found| same_bits(found, expected)) };
    let near = || -> Check<'_, Array2<f32>> { Box::new(move |found| close(found, expected, margin)) };
    python.borrow_mut().filter(weights.as_flattened(), P)?;
    let pixels = &Image::of(image)?;
    let mut contestants = Vec::new();
    let mut add = |name: &str, cores, role, run, check| {
        contestants.push(Contestant { name: name.to_string(), cores, role, run, check });
    };
    for cores in Cores::BOTH {
        let whole = || -> Check<'_, Array2<f32>> { Box::new(|found| same_bits(found, image)) };
        add("copy", cores, Role::Bound, Ok(copy(cores, image)), whole());
        add("ours", cores, Role::Ours, Ok(ours(cores, maps.rimmed, rimmed, weights)), bits());
        add("ours, clamped", cores, Role::Ours, Ok(ours(cores, maps.same, image, weights)), bits());
        add("loop by output", cores, Role::Peer, Ok(by_hand(cores, plain::by_output, rimmed, weights)), near());
        add("loop by weight", cores, Role::Peer, Ok(by_hand(cores, plain::by_weight, rimmed, weights)), near());
        add("imageproc", cores, Role::Peer, Ok(imageproc(cores, pixels, weights)), near());
        for peer in ["OpenCV", "SciPy"].into_iter().filter(|peer| *peer == "OpenCV" || cores == Cores::One) {
            add(peer, cores, Role::Peer, crate::python::peer(python, peer, cores), near());
        }
    }
    let output = (maps.make)(rimmed, weights).map_err(|e| e.to_string())?;
    let work = format!("{SIDE} × {SIDE} f32");
    let goal = if P >= LARGE.0 { LARGE.1 } else { 1.0 };
    Ok(Some(Contest { title, work, goal, contestants, output, spoil }.hold(plan.rounds)))
}

/// The image, padded with its nearest elements.
fn rim(image: &Array2<f32>, width: usize) -> Array2<f32> {
    let (rows, columns) = image.dim();
    let nearest = |k: usize, length: usize| k.saturating_sub(width).min(length - 1);
    let shape = (rows + 2 * width, columns + 2 * width);
    Array2::from_shape_fn(shape, |(r, c)| image[[nearest(r, rows), nearest(c, columns)]])
}

/// The result as the kernel defines it: each product is added without intermediate rounding, along the rows of the
/// filter.
fn expected<const P: usize>(x: &Array2<f32>, w: &[[f32; P]; P]) -> Array2<f32> {
    let mut z = Array2::zeros((x.nrows() - P + 1, x.ncols() - P + 1));
    let mut rows: Vec<_> = z.rows_mut().into_iter().collect();
    rows.par_iter_mut().enumerate().for_each(|(r, z)| {
        widest(|_| {
            for (p, w) in w.iter().enumerate() {
                for (q, w) in w.iter().enumerate() {
                    z.iter_mut().zip(x.row(r + p).iter().skip(q)).for_each(|(z, x)| *z = x.mul_add(*w, *z));
                }
            }
        });
    });
    z
}

fn ours<'a, const P: usize>(
    cores: Cores,
    map: Ours<P>,
    x: &'a Array2<f32>,
    w: &'a [[f32; P]; P],
) -> Run<'a, Array2<f32>> {
    Box::new(move |z, _| {
        let (time, result) = timed(cores, || map(x, w, z))?;
        result.map(|()| time).map_err(|e| e.to_string())
    })
}

fn by_hand<'a, const P: usize>(
    cores: Cores,
    row: plain::Row<P>,
    x: &'a Array2<f32>,
    w: &'a [[f32; P]; P],
) -> Run<'a, Array2<f32>> {
    Box::new(move |z, _| Ok(timed(cores, || plain::convolve(cores, row, x, w, z))?.0))
}

fn copy(cores: Cores, image: &Array2<f32>) -> Run<'_, Array2<f32>> {
    Box::new(move |z, _| Ok(timed(cores, || plain::copy(cores, image, z))?.0))
}
