//! Faces: memory through which values go from one block to another, or from one launch to a later one.
//!
//! A face holds values of one variable, each found by its iteration point. Along a tiled loop that the readers cross, only the
//! iterations near the edge of the tile are kept; along a launch loop, only the launches that readers look back to:
//!
//! ```text
//! for i in 0..N, j in 0..M    tile i by 32 as (ib, ii); tile j by 64 as (jb, jj); blocks (ib, jb) in order;
//!
//! S[i - 1, j] and S[i - 1, j - 1]    face of i    ib, and ii = 31    all j        the corner reads this face too
//! S[i, j - 1]                        face of j    all i    jb, and jj = 63
//!
//! for t in 0..T, n in 0..N    launches (t); tile n by 64 as (nb, ni); blocks (nb);
//!
//! V[t - 1, n - 1]                    face         t mod 2    all n
//! ```
use super::bound::Bound;
use super::layout::Layout;
use super::place_form::{Atom, PlaceForm};
use crate::dependence::{Class, Dependences};
use crate::laws::Tickets;
use crate::model::{Form, Int, Kernel, Mapping, Places};
use crate::planted::planted;
use crate::sorted;

/// A face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub variable: usize,
    /// Whether it carries values to later launches; otherwise to blocks of the same launch.
    pub launched: bool,
    /// One per loop of the kernel.
    pub axes: Vec<FaceAxis>,
}

/// What a face keeps along a loop of the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaceAxis {
    /// All iterations.
    Whole,
    /// A launch loop: the last `copies` launches.
    Turn { copies: Int },
    /// A tiled loop: of every tile the `depth` iterations from `first` on. If the outer loop is a launch loop, only the last
    /// `copies` launches.
    Near { outer: usize, inner: usize, by: Int, first: Int, depth: Int, copies: Option<Int> },
}

/// The tiled loops that a class crosses: the loop, the part of the producer's tile, and the direction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    of: usize,
    first: Int,
    last: Int,
    up: bool,
}

/// Collects the faces of a map.
struct Collector<'a> {
    kernel: &'a Kernel,
    mapping: &'a Mapping,
    places: &'a Places,
    faces: Vec<(Face, Vec<Side>)>,
}

/// The faces of all reads that leave their block or their launch.
pub fn faces(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    dependences: &Dependences,
    tickets: Option<&Tickets>,
) -> Vec<Face> {
    if mapping.launches.is_empty() && tickets.is_none() {
        return Vec::new();
    }
    let mut classes: Vec<(usize, &Class)> = Vec::new();
    for read in kernel.reads().iter().filter(|r| kernel.equations[r.variable].copy.is_none()) {
        let far = dependences.of(read.distance).iter().filter(|c| c.launched || is_waited_for(places, tickets, c));
        classes.extend(far.map(|class| (read.variable, class)));
    }
    let mut collector = Collector { kernel, mapping, places, faces: Vec::new() };
    // Those that cross one side first: a corner reads one of their faces.
    sorted::sort_by_key(&mut classes, |(_, class)| collector.sides(class).len());
    for (variable, class) in &classes {
        collector.add(*variable, class);
    }
    let copies: Vec<Vec<Option<Int>>> =
        collector.faces.iter().map(|(face, _)| collector.copies(face, &classes)).collect();
    let finished =
        collector.faces.iter().zip(&copies).map(|((face, sides), copies)| collector.finish(face, sides, copies));
    finished.collect()
}

/// The first and the last iteration in a tile of `by` that a read finds there if it moves by `inside` along the inner loop.
fn kept(inside: Int, by: Int) -> (Int, Int) {
    ((-inside).max(0), (by - inside).min(by) - 1)
}

/// Whether a class leads to a block that a block waits for.
fn is_waited_for(places: &Places, tickets: Option<&Tickets>, class: &Class) -> bool {
    !class.launched && tickets.is_some_and(|tickets| tickets.waits.contains(&class.between_blocks(places)))
}

impl Collector<'_> {
    /// The sides that a class crosses, where the outer loop of a tile is a block or launch loop and the inner one has none.
    fn sides(&self, class: &Class) -> Vec<Side> {
        let is_far = |node: usize| {
            let leaf = self.mapping.leaf_of(node);
            leaf.is_some_and(|l| {
                self.mapping.launches.contains(&l) || (!class.launched && self.mapping.blocks.contains(&l))
            })
        };
        let mut sides = Vec::new();
        for of in 0..self.kernel.loops.len() {
            let Some(tile) = &self.mapping.nodes[of].tile else { continue };
            let Some(outer) = self.mapping.leaf_of(tile.outer) else { continue };
            let over = class.moved(outer);
            if over == 0 || !is_far(tile.outer) || self.least_tile(of, tile.by).is_none() {
                continue;
            }
            let (first, last) = kept(class.moved_along(self.places, tile.inner), tile.by);
            sides.push(Side { of, first, last, up: over > 0 });
        }
        sides
    }

    /// The first tile of a loop, if it is a constant.
    fn least_tile(&self, of: usize, by: Int) -> Option<Int> {
        let low = self.places.least(self.kernel, of);
        low.is_constant().then(|| low.constant.div_euclid(by))
    }

    fn add(&mut self, variable: usize, class: &Class) {
        let sides = self.sides(class);
        let same = |a: &Side, b: &Side| a.of == b.of && a.up == b.up;
        let serves = |(face, kept): &&mut (Face, Vec<Side>)| {
            face.variable == variable
                && face.launched == class.launched
                && kept.iter().all(|k| sides.iter().any(|s| same(k, s)))
                // Along a tiled launch loop a face without its side would keep nothing of the tile's other iterations.
                && kept.is_empty() == sides.is_empty()
        };
        let Some((_, kept)) = self.faces.iter_mut().find(serves) else {
            let axes = vec![FaceAxis::Whole; self.kernel.loops.len()];
            self.faces.push((Face { variable, launched: class.launched, axes }, sides));
            return;
        };
        for side in kept.iter_mut() {
            if let Some(other) = sides.iter().find(|s| same(side, s)) {
                (side.first, side.last) = (side.first.min(other.first), side.last.max(other.last));
            }
        }
    }

    /// Of every launch loop, how many launches a face keeps; `None`: all of them, because a launch loop further out has a
    /// distance.
    fn copies(&self, face: &Face, classes: &[(usize, &Class)]) -> Vec<Option<Int>> {
        let of_face = || classes.iter().filter(|(v, c)| *v == face.variable && c.launched && face.launched);
        let back = |k: usize| of_face().map(|(_, c)| c.displacement[k].abs()).max().unwrap_or(0);
        let more = Int::from(!planted(84) || !face.launched);
        (0..self.places.launches).map(|k| (0..k).all(|outer| back(outer) == 0).then(|| back(k) + more)).collect()
    }

    fn finish(&self, face: &Face, sides: &[Side], copies: &[Option<Int>]) -> Face {
        let mut face = face.clone();
        for (k, axis) in face.axes.iter_mut().enumerate() {
            let launch = |node: usize| {
                let leaf = self.mapping.leaf_of(node)?;
                self.mapping.launches.iter().position(|l| *l == leaf).map(|n| copies[n])
            };
            *axis = match (&self.mapping.nodes[k].tile, sides.iter().find(|s| s.of == k)) {
                (None, _) => match launch(k) {
                    Some(Some(copies)) => FaceAxis::Turn { copies },
                    _ => FaceAxis::Whole,
                },
                (Some(tile), Some(side)) => {
                    let depth = side.last - side.first + 1 - Int::from(planted(85) && side.last > side.first);
                    let (outer, inner, by) = (tile.outer, tile.inner, tile.by);
                    let copies = launch(tile.outer).flatten();
                    FaceAxis::Near { outer, inner, by, first: side.first, depth, copies }
                }
                // A launch has one tile of the loop.
                (Some(tile), None) => match launch(tile.outer) {
                    Some(Some(copies)) if !face.launched => {
                        let (outer, inner, by) = (tile.outer, tile.inner, tile.by);
                        FaceAxis::Near { outer, inner, by, first: 0, depth: by, copies: Some(copies) }
                    }
                    _ => FaceAxis::Whole,
                },
            };
        }
        face
    }
}

impl Layout<'_> {
    /// The face that serves a class of reads of a variable; `None` if no point reads so.
    pub fn face(&self, variable: usize, class: &Class) -> Option<usize> {
        if !class.launched && !is_waited_for(self.places, self.tickets, class) {
            return None;
        }
        let serves_axis = |axis: &FaceAxis| match axis {
            FaceAxis::Near { by, first: 0, depth, .. } if by == depth => true,
            FaceAxis::Near { outer, inner, by, first, depth, .. } => {
                let Some(outer) = self.mapping.leaf_of(*outer) else { return false };
                let (low, high) = kept(class.moved_along(self.places, *inner), *by);
                (class.moved(outer) != 0 || planted(91))
                    && (planted(85) || planted(91) || *first <= low && high < first + depth)
            }
            FaceAxis::Whole | FaceAxis::Turn { .. } => true,
        };
        let has_side = |face: &Face| face.axes.iter().any(|axis| matches!(axis, FaceAxis::Near { .. }));
        let serves = |face: &&Face| {
            face.variable == variable && face.launched == class.launched && face.axes.iter().all(serves_axis)
        };
        let all = || self.faces.iter().enumerate().filter(|(_, face)| serves(face));
        all().find(|(_, face)| has_side(face)).or_else(|| all().next()).map(|(k, _)| k)
    }

    /// The extents of a face, as bounds over sizes.
    pub fn face_dims(&self, face: &Face) -> Vec<Bound> {
        let extent = |(k, axis): (usize, &FaceAxis)| {
            let (low, high) = (self.places.least(self.kernel, k), self.places.beyond(self.kernel, k));
            let (low, high) = (of_sizes(&low), of_sizes(&high));
            match axis {
                FaceAxis::Whole => Bound::Form(high.sub(&low)),
                FaceAxis::Turn { copies } => Bound::number(*copies),
                FaceAxis::Near { depth, copies: Some(copies), .. } => Bound::number(depth * copies),
                FaceAxis::Near { by, depth, copies: None, .. } => {
                    let (first, last) = (Bound::Form(low).quotient(*by), Bound::Form(high.plus(-1)).quotient(*by));
                    Bound::sum(vec![(*depth, last), (-*depth, first), (*depth, Bound::number(1))])
                }
            }
        };
        face.axes.iter().enumerate().map(extent).collect()
    }
}

/// A form of the sizes as a form of the place.
pub fn of_sizes(form: &Form) -> PlaceForm {
    let sizes = form.coefs.iter().enumerate().filter(|(_, c)| **c != 0);
    sizes.fold(PlaceForm::constant(form.constant), |sum, (k, c)| sum.add(&PlaceForm::atom(Atom::Size(k)).scale(*c, 1)))
}
