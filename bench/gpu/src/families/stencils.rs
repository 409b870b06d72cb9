//! The stencils of chen2019, Table 3: one step over a square or a cube, with the nearest element outside.
use super::ssam::{ssam, stencil};
use super::sum::{Launch, Peers, Sum};
use crate::Fallible;
use crate::automatic::both;
use crate::lab::{Lab, Number, Rows};
use crate::sizes::Shapes;
use crate::standing::Standing;
use crate::taps::{Border, Taps};
use crate::weights::{Weight, cube, line, square};
use systolic::ndarray::{Ix2, Ix3};
use systolic::{DeviceArray, Error, Launched, Stream};

/// The side of a square, and of a cube.
const SQUARE: usize = 8192;
const CUBE: usize = 512;

type Plain<T, D, W> = fn(&Stream, &DeviceArray<T, D>, &W, &mut DeviceArray<T, D>) -> Result<Launched, Error>;
/// A kernel with its maps, and without.
type Both<T, D, W> = [Plain<T, D, W>; 2];

/// All stencils of a type.
macro_rules! stencils {
    ($lab:ident, $type:ident, $boxes:ident) => {
        [
            star::<$type, _, 5>($lab, "2d5pt", flat(), both!(star2d::star5<$type>: s x w y))?,
            star::<$type, _, 9>($lab, "2d9pt", flat(), both!(star2d::star9<$type>: s x w y))?,
            star::<$type, _, 13>($lab, "2d13pt", flat(), both!(star2d::star13<$type>: s x w y))?,
            star::<$type, _, 17>($lab, "2d17pt", flat(), both!(star2d::star17<$type>: s x w y))?,
            star::<$type, _, 21>($lab, "2d21pt", flat(), both!(star2d::star21<$type>: s x w y))?,
            star::<$type, _, 25>($lab, "2ds25pt", flat(), both!(star2d::star25<$type>: s x w y))?,
            box_of_squares::<$type, 3>($lab, "2d9-box", both!(box2d::$boxes<3>: s x w y))?,
            box_of_squares::<$type, 5>($lab, "2d25pt", both!(box2d::$boxes<5>: s x w y))?,
            box_of_squares::<$type, 8>($lab, "2d64pt", both!(box2d::$boxes<8>: s x w y))?,
            box_of_squares::<$type, 9>($lab, "2d81pt", both!(box2d::$boxes<9>: s x w y))?,
            box_of_squares::<$type, 11>($lab, "2d121pt", both!(box2d::$boxes<11>: s x w y))?,
            star::<$type, _, 7>($lab, "3d7pt", solid(), both!(star3d::star7<$type>: s x w y))?,
            star::<$type, _, 13>($lab, "3d13pt", solid(), both!(star3d::star13<$type>: s x w y))?,
            box_of_cubes::<$type, 3>($lab, "3d27pt", both!(box3d::boxes<$type, 3>: s x w y))?,
            box_of_cubes::<$type, 5>($lab, "3d125pt", both!(box3d::boxes<$type, 5>: s x w y))?,
            poisson::<$type>($lab, both!(star3d::poisson<$type>: s x w y))?,
        ]
    };
}

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let held = [stencils!(lab, f32, boxes), stencils!(lab, f64, boxes_f64)];
    Ok(held.into_iter().flatten().flatten().collect())
}

fn flat() -> Ix2 {
    Ix2(SQUARE, SQUARE)
}

fn solid() -> Ix3 {
    Ix3(CUBE, CUBE, CUBE)
}

fn star<T: Number + Weight, D: Shapes + 'static, const N: usize>(
    lab: &Lab,
    name: &str,
    shape: D,
    launches: Both<T, D, [T; N]>,
) -> Fallible<Option<Standing>> {
    let (weights, axes) = (line::<T, N>(), shape.ndim());
    let (taps, family) = (star_taps(axes, &weights), format!("stars {axes}d"));
    let planes = if axes == 3 { CUBE } else { 1 };
    let peers = |x, y| Ok(vec![("SSAM's form", stencil(lab, name, planes, N / (2 * axes), [x, y], &weights)?)]);
    hold(lab, (name, &family, N), shape, taps, weighted(launches, weights), peers)
}

/// The neighbours along each axis, plane by plane and row by row. Weights are numbered from the centre, ring by ring,
/// the earlier of two first.
pub fn star_taps<W: Weight>(axes: usize, weights: &[W]) -> Taps {
    let ring = |k: i32| (3 - axes..3).flat_map(move |axis| [along(axis, -k), along(axis, k)]);
    let places = std::iter::once([0; 3]).chain((1..).flat_map(ring));
    let mut weighted: Vec<([i32; 3], f64)> = places.zip(weights).map(|(at, weight)| (at, (*weight).into())).collect();
    weighted.sort_by_key(|(at, _)| *at);
    Taps { begins: false, border: Border::Clamp, ..Taps::new(weighted) }
}

/// The neighbour at this distance along an axis.
fn along(axis: usize, distance: i32) -> [i32; 3] {
    let mut at = [0; 3];
    at[axis] = distance;
    at
}

fn box_of_squares<T: Number + Weight, const P: usize>(
    lab: &Lab,
    name: &str,
    launches: Both<T, Ix2, [[T; P]; P]>,
) -> Fallible<Option<Standing>> {
    let weights = square::<T, P>();
    let taps = Taps::filter([1, P, P], weights.as_flattened()).around([1, P, P], Border::Clamp);
    let peers = |x, y| Ok(vec![("SSAM's form", ssam(lab, x, y, &weights, P / 2)?)]);
    hold(lab, (name, "boxes 2d", P * P), flat(), taps, weighted(launches, weights), peers)
}

fn box_of_cubes<T: Number + Weight, const P: usize>(
    lab: &Lab,
    name: &str,
    launches: Both<T, Ix3, [[[T; P]; P]; P]>,
) -> Fallible<Option<Standing>> {
    let weights = cube::<T, P>();
    let all = weights.as_flattened().as_flattened();
    let taps = Taps::filter([P, P, P], all).around([P, P, P], Border::Clamp);
    let peers = |x, y| Ok(vec![("SSAM's form", stencil(lab, name, CUBE, P / 2, [x, y], all)?)]);
    hold(lab, (name, "boxes 3d", P * P * P), solid(), taps, weighted(launches, weights), peers)
}

/// The centre, 6 faces and 12 edges, plane by plane, with one weight per kind.
fn poisson<T: Number + Weight>(lab: &Lab, launches: Both<T, Ix3, [T; 3]>) -> Fallible<Option<Standing>> {
    let weights = line::<T, 3>();
    let all = (0..27).map(|k| [k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1]);
    let weight = |at: [i32; 3]| weights.get(at.iter().filter(|i| **i != 0).count()).map(|w| (at, (*w).into()));
    let taps = Taps::new(all.filter_map(weight));
    let peers = |x, y| Ok(vec![("SSAM's form", stencil(lab, "poisson", CUBE, 1, [x, y], &weights)?)]);
    hold(lab, ("poisson", "poisson", 19), solid(), taps, weighted(launches, weights), peers)
}

/// The same launches with these weights.
fn weighted<T: Number, D: Shapes + 'static, W: Copy + 'static>(
    launches: Both<T, D, W>,
    weights: W,
) -> [Launch<T, D>; 2] {
    launches.map(|launch| -> Launch<T, D> { Box::new(move |s, x, y| launch(s, x, &weights, y)) })
}

/// Holds the contest of a stencil, given its name, family and number of points.
fn hold<'l, T: Number, D: Shapes + 'static>(
    lab: &'l Lab<'l>,
    (name, family, size): (&str, &str, usize),
    shape: D,
    taps: Taps,
    launches: [Launch<T, D>; 2],
    peers: impl FnOnce(Rows, Rows) -> Fallible<Peers<'l>>,
) -> Fallible<Option<Standing>> {
    let (title, family) = (format!("stencil {name} {}", T::NAME), format!("{family} {}", T::NAME));
    let taps = Taps { border: Border::Clamp, ..taps };
    Sum { title, family, size, input: shape.clone(), output: shape, taps }.hold(lab, launches, peers)
}
