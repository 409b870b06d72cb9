//! ∀ active class of a computed value with Δtime = 0: Δwarp = 0, and the instances of the step,
//! (variable, register), have an order in which each comes after those it reads
use super::causality::look;
use super::set::{Asked, ask};
use super::witness::read_witness;
use crate::dependence::Ranges;
use crate::dependence::{Class, fold_source, readers};
use crate::fault::{BroadcastFact, Fault, Faults};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, Reader, RowKind};
use crate::sorted::{SortedMap, SortedSet};

/// A wire within one step: from a register to a register.
pub struct SameTime<'k> {
    pub read: Read<'k>,
    pub class: Class,
}

/// The fault of a class that crosses warps without time passing.
pub fn warps(kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) -> Option<Fault> {
    let delta = &class.displacement;
    let k = (0..delta.len()).find(|k| places.rows[*k].kind == RowKind::Warp && delta[*k] != 0)?;
    let row = &places.rows[k];
    let time = places.rows.iter().rev().find(|r| r.kind == RowKind::Time && r.matrix_row.is_some());
    let at = time.map_or(read.at, |r| r.at);
    match ask(places.dims(), &readers(kernel, mapping, places, read, class)) {
        Asked::Empty => None,
        Asked::GaveUp => {
            let variable = kernel.equations[read.variable].variable.text.clone();
            Some(Fault::new(at, BroadcastFact::Undecided { variable }))
        }
        Asked::Point(point) => {
            let to = places.form(row).eval(&point).unwrap_or_default();
            let fact = BroadcastFact::Warps {
                look: look(kernel, places, read, delta, &point),
                row: row.name.clone(),
                from: to - delta[k],
                to,
            };
            let witness = read_witness(kernel, places, read, &point);
            Some(Fault::new(at, fact).with_witness(witness))
        }
    }
}

/// The wires within a step must not close a ring of instances. All are taken as active first; only a ring is looked at.
pub fn order(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    ranges: &Ranges,
    wires: &[SameTime],
    faults: &mut Faults,
) {
    let lane = (0..places.rows.len()).rev().find(|k| places.rows[*k].kind == RowKind::Lane);
    let Some(lane) = lane else { return };
    let low = ranges[lane].map_or(0, |r| r.0);
    let fold = mapping.fold;
    let mut edges: Vec<Edge> = Vec::new();
    for (wire, w) in wires.iter().enumerate() {
        let Reader::Equation(reader) = w.read.reader else { continue };
        for register in 0..fold {
            let source = fold_source(fold, register, w.class.displacement[lane]).1;
            edges.push(Edge { wire, to: (reader, register), from: (w.read.variable, source), active: None });
        }
    }
    while let Some(ring) = ring(&edges) {
        let unknown: Vec<usize> = ring.iter().copied().filter(|k| edges[*k].active.is_none()).collect();
        if unknown.is_empty() {
            faults.push(no_order(kernel, places, wires, &edges, &ring, fold));
            return;
        }
        for k in unknown {
            let wire = &wires[edges[k].wire];
            let mut set = readers(kernel, mapping, places, &wire.read, &wire.class);
            if fold > 1 {
                let form: Form = places.form(&places.rows[lane]).plus(-low);
                set = set.and(Formula::Remainder { form, modulus: fold, is: edges[k].to.1 });
            }
            edges[k].active = Some(ask(places.dims(), &set));
        }
        edges.retain(|e| !matches!(e.active, Some(Asked::Empty)));
    }
}

/// A variable in one register of the fold.
type Node = (usize, Int);

struct Edge {
    wire: usize,
    to: Node,
    from: Node,
    active: Option<Asked>,
}

/// The edges of some ring, in order, each reading what the next makes.
fn ring(edges: &[Edge]) -> Option<Vec<usize>> {
    let mut into: SortedMap<Node, Vec<usize>> = SortedMap::new();
    for (k, edge) in edges.iter().enumerate() {
        into.or_default(edge.to).push(k);
    }
    let mut done: SortedSet<Node> = SortedSet::new();
    for start in 0..edges.len() {
        // Depth first with a stack of its own: a node met while open closes a ring.
        let mut stack: Vec<(usize, usize)> = vec![(start, 0)];
        let mut open = SortedMap::from([(edges[start].to, 0)]);
        while let Some((edge, next)) = stack.last_mut() {
            let Edge { to, from: node, .. } = edges[*edge];
            if let Some(from) = open.get(&node) {
                return Some(stack[*from..].iter().map(|(e, _)| *e).collect());
            }
            let follow = into.get(&node).and_then(|all| all.get(*next)).filter(|_| !done.contains(&node));
            match follow {
                Some(k) => {
                    *next += 1;
                    open.insert(node, stack.len());
                    stack.push((*k, 0));
                }
                None => {
                    done.insert(node);
                    open.remove(&to);
                    stack.pop();
                }
            }
        }
    }
    None
}

fn no_order(kernel: &Kernel, places: &Places, wires: &[SameTime], edges: &[Edge], ring: &[usize], fold: Int) -> Fault {
    let name = |v: usize| kernel.equations[v].variable.text.clone();
    let first = &edges[ring[0]];
    let wire = &wires[first.wire];
    let time = places.rows.iter().rev().find(|r| r.kind == RowKind::Time && r.matrix_row.is_some());
    let at = time.map_or(wire.read.at, |r| r.at);
    if ring.iter().any(|k| matches!(edges[*k].active, Some(Asked::GaveUp))) {
        return Fault::new(at, BroadcastFact::Undecided { variable: name(first.from.0) });
    }
    let around = ring.iter().map(|k| (name(edges[*k].to.0), edges[*k].to.1)).collect();
    let fault = Fault::new(at, BroadcastFact::NoOrder { ring: around, fold });
    match &first.active {
        Some(Asked::Point(point)) => fault.with_witness(read_witness(kernel, places, &wire.read, point)),
        _ => fault,
    }
}
