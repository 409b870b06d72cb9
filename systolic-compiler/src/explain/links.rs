//! The dependences of every spot: which value or element each statement reads there, and what carries it.
use super::picture::{Carrier, Load, Spot, Statement, Wire};
use super::places::{Spots, World};
use crate::dependence::{Class, Dependences};
use crate::laws::stays;
use crate::mapping::{Instance, Layout, Medium, medium};
use crate::model::{Array, Border, Element, Form, Formula, Int, Kernel, ParameterKind, Read, Reader, RowKind};
use std::collections::BTreeMap;

/// What is collected.
#[derive(Default)]
pub struct Links {
    pub wires: Vec<Wire>,
    pub loads: Vec<Load>,
}

/// Collects the dependences of all spots. Without a layout the map runs point by point.
pub struct Linker<'a> {
    pub world: &'a World<'a>,
    pub dependences: &'a Dependences,
    pub layout: Option<&'a Layout<'a>>,
    pub spots: &'a Spots,
}

/// The number of a statement.
pub fn statement(kernel: &Kernel, reader: Reader) -> usize {
    match reader {
        Reader::Equation(n) => n,
        Reader::Store(n) => kernel.equations.len() + n,
    }
}

/// The statements of a kernel; `lines` says where each stands in the source.
pub fn statements(world: &World<'_>, lines: &dyn Fn(usize) -> (usize, usize)) -> Vec<Statement> {
    let kernel = world.kernel;
    let equations = kernel.equations.iter().enumerate().map(|(n, equation)| {
        let by = |k: usize| equation.shift.get(k).copied().unwrap_or(0);
        let index =
            (0..kernel.loops.len()).map(|k| world.affine(&Form::var(kernel.loop_dim(k)).plus(-by(k)))).collect();
        Statement { name: equation.variable.text.clone(), is_store: false, index, lines: lines(n) }
    });
    let stores = kernel.stores.iter().enumerate().map(|(n, store)| {
        let output = &kernel.outputs[store.output];
        // A scalar is one element, but has no index in the kernel.
        let index = if output.is_scalar { &[][..] } else { &store.index };
        let index = index.iter().map(|form| world.affine(form)).collect();
        let name = output.name.text.clone();
        Statement { name, is_store: true, index, lines: lines(kernel.equations.len() + n) }
    });
    equations.chain(stores).collect()
}

/// The statements that run at a spot: equations at the points of their variables, stores outside halos where their guard holds.
pub fn running(world: &World<'_>, spot: &Spot) -> Vec<usize> {
    let (kernel, at) = (world.kernel, world.dims(&spot.point, &spot.point));
    let holds = |formula: &Formula| formula.holds(&at) == Some(true);
    let equations = (0..kernel.equations.len()).filter(|n| holds(&kernel.equations[*n].runs));
    let stores = (0..kernel.stores.len()).filter(|n| !spot.halo && holds(&kernel.stores[*n].guard));
    equations.chain(stores.map(|n| kernel.equations.len() + n)).collect()
}

impl Linker<'_> {
    /// All dependences.
    pub fn run(&self) -> Links {
        let mut links = Links::default();
        let by_leaves: BTreeMap<&[Int], usize> =
            self.spots.leaves.iter().enumerate().map(|(k, leaves)| (leaves.as_slice(), k)).collect();
        let cores = self.spots.spots.iter().enumerate().filter(|(_, spot)| !spot.halo);
        let by_point: BTreeMap<&[Int], usize> = cores.map(|(k, spot)| (spot.point.as_slice(), k)).collect();
        for read in self.world.kernel.reads() {
            self.read(&read, &by_leaves, &by_point, &mut links);
        }
        self.elements(&mut links);
        links
    }

    fn read(
        &self,
        read: &Read<'_>,
        by_leaves: &BTreeMap<&[Int], usize>,
        by_point: &BTreeMap<&[Int], usize>,
        links: &mut Links,
    ) {
        let world = self.world;
        let reader = statement(world.kernel, read.reader);
        let classes = self.dependences.of(read.distance);
        let stays = matches!(read.reader, Reader::Equation(n)
            if stays(world.kernel, world.mapping, world.places, world.ranges, n));
        for (k, (spot, leaves)) in self.spots.spots.iter().zip(&self.spots.leaves).enumerate() {
            if !spot.statements.contains(&reader)
                || read.guard.holds(&world.dims(&spot.point, &spot.point)) != Some(true)
            {
                continue;
            }
            let at = world.dims(&spot.point, leaves);
            // Without a class the producer lies beyond the halo: nothing needs the value.
            let Some(class) = classes.iter().find(|class| class.condition.holds(&at) == Some(true)) else { continue };
            let carried = if stays && self.layout.is_some() {
                Some((Carrier::Load, "loaded once, before the innermost loop".to_string()))
            } else {
                self.carrier(read, class, spot, leaves)
            };
            let Some((carrier, words)) = carried else { continue };
            if carrier == Carrier::Load {
                self.copied(read, k, words, &mut links.loads);
                continue;
            }
            let from = if class.launched {
                let point: Vec<Int> = spot.point.iter().zip(read.distance).map(|(x, d)| x - d).collect();
                by_point.get(point.as_slice())
            } else {
                let from: Vec<Int> = leaves.iter().enumerate().map(|(leaf, x)| x - class.moved(leaf)).collect();
                by_leaves.get(from.as_slice())
            };
            let distance = world.kernel.written_distance(read);
            let same = |w: &&mut Wire| {
                (w.reader, w.variable, w.carrier) == (reader, read.variable, carrier)
                    && w.distance == distance
                    && w.words == words
            };
            let link = (k, from.copied());
            match links.wires.iter_mut().find(same) {
                Some(wire) if wire.links.last() == Some(&link) => {}
                Some(wire) => wire.links.push(link),
                None => {
                    let variable = read.variable;
                    links.wires.push(Wire { reader, variable, distance, carrier, words, links: vec![link] });
                }
            }
        }
    }

    /// What carries a value, and how; `None` if no point reads so.
    fn carrier(&self, read: &Read<'_>, class: &Class, spot: &Spot, leaves: &[Int]) -> Option<(Carrier, String)> {
        let world = self.world;
        let Some(layout) = self.layout else { return Some((Carrier::Memory, "through memory".to_string())) };
        let rows = world.rows(leaves);
        let unrolled = layout.unrolled.iter().map(|row| rows[*row]).collect();
        let instance = Instance { unrolled, register: if world.strided { 0 } else { spot.register } };
        let within =
            if class.moves(world.places, RowKind::Time) { "earlier in the unrolled step" } else { "same time" };
        named(&medium(layout, read.variable, class, &instance), within)
    }

    /// A read of a copy that is loaded again.
    fn copied(&self, read: &Read<'_>, spot: usize, words: String, loads: &mut Vec<Load>) {
        let kernel = self.world.kernel;
        let Some(element) = &kernel.equations[read.variable].copy else { return };
        let mut images: Vec<Form> = (0..kernel.dims()).map(Form::var).collect();
        for (k, by) in read.distance.iter().enumerate() {
            images[kernel.loop_dim(k)] = Form::var(kernel.loop_dim(k)).plus(-by);
        }
        let index = element.index.iter().map(|form| form.substitute(&images)).collect();
        let element = Element { array: element.array, index };
        self.load(statement(kernel, read.reader), &element, words, spot, loads);
    }

    /// The reads of arrays.
    fn elements(&self, links: &mut Links) {
        let world = self.world;
        for (reader, element, guard) in world.kernel.elements() {
            let reader = statement(world.kernel, reader);
            for (k, spot) in self.spots.spots.iter().enumerate() {
                if spot.statements.contains(&reader) && guard.holds(&world.dims(&spot.point, &spot.point)) == Some(true)
                {
                    self.load(reader, &element, String::new(), k, &mut links.loads);
                }
            }
        }
    }

    fn load(&self, reader: usize, element: &Element, words: String, spot: usize, loads: &mut Vec<Load>) {
        let (world, kernel) = (self.world, self.world.kernel);
        let index: Vec<_> = element.index.iter().map(|form| world.affine(form)).collect();
        let (array, dims, in_memory) = match element.array {
            Array::Parameter(k) => {
                let parameter = &kernel.parameters[k];
                let (dims, in_memory) = match &parameter.kind {
                    ParameterKind::Array { dims, .. } => {
                        (dims.iter().map(|form| world.affine(form).constant).collect(), true)
                    }
                    ParameterKind::Const { dims, .. } => (dims.clone(), false),
                    ParameterKind::Scalar { .. } | ParameterKind::Size => (Vec::new(), false),
                };
                (parameter.name.text.clone(), dims, in_memory)
            }
            Array::Constant(k) => (kernel.constants[k].name.text.clone(), kernel.constants[k].dims.clone(), false),
        };
        let same = |l: &&mut Load| l.reader == reader && l.array == array && l.index == index && l.words == words;
        match loads.iter_mut().find(same) {
            Some(load) if load.spots.last() == Some(&spot) => {}
            Some(load) => load.spots.push(spot),
            None => {
                let carrier = if in_memory { Carrier::Load } else { Carrier::Value };
                let border = kernel.border(element.array).map(border);
                loads.push(Load { reader, array, index, dims, border, carrier, words, spots: vec![spot] });
            }
        }
    }
}

/// The word of a border.
fn border(border: &Border) -> String {
    let word = match border {
        Border::Zero => "zero",
        Border::Clamp => "clamp",
        Border::Reflect => "reflect",
        Border::Symmetric => "symmetric",
        Border::Wrap => "wrap",
        Border::Constant(_) | Border::Scalar(_) => "constant",
    };
    word.to_string()
}

/// A medium in words; `within` says when the value was computed if that is in the same step of the program.
fn named(medium: &Medium, within: &str) -> Option<(Carrier, String)> {
    Some(match medium {
        Medium::Rename(_) => (Carrier::Register, format!("same lane, {within}")),
        Medium::Shuffle { lanes, .. } => (Carrier::Shuffle, format!("{}, {within}", lane(*lanes))),
        Medium::Rotation { lanes: 0, delay, .. } => (Carrier::Register, format!("same lane, {}", ago(*delay))),
        Medium::Rotation { lanes, delay, .. } => (Carrier::Shuffle, format!("{}, {}", lane(*lanes), ago(*delay))),
        Medium::Shared { lanes, warps, delay, .. } => {
            let when = if *delay == 0 { format!("{within}, after a barrier") } else { ago(*delay) };
            (Carrier::Shared, format!("{}, {}, {when}", warp(*warps), lane(*lanes)))
        }
        Medium::Scratch { lanes, warps, laps, .. } => {
            let place = if *warps == 0 { lane(*lanes) } else { format!("{}, {}", warp(*warps), lane(*lanes)) };
            (Carrier::Row, format!("{place}, {} of an outer loop before", count(*laps, "iteration")))
        }
        Medium::Face { .. } => (Carrier::Face, "from another block or an earlier launch".to_string()),
        Medium::Feed => (Carrier::Load, "a copy, loaded again where no wire leads".to_string()),
        Medium::Never => return None,
    })
}

fn lane(by: Int) -> String {
    from("lane", by)
}

fn warp(by: Int) -> String {
    from("warp", by)
}

/// `from the lane 1 below`
fn from(what: &str, by: Int) -> String {
    match by {
        0 => format!("same {what}"),
        by if by > 0 => format!("from the {what} {by} below"),
        by => format!("from the {what} {} above", -by),
    }
}

fn ago(delay: Int) -> String {
    format!("{} before", count(delay, "step"))
}

fn count(n: Int, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}
