//! The classes of a read: the ways in which it crosses the edges of tiles, each with one constant displacement.
use super::Ranges;
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, Reader, RowKind};

/// One way for a read to cross tile edges.
#[derive(Clone, Debug)]
pub struct Class {
    /// How far the producer lies back, along every leaf of the map's loops.
    moved: Vec<Int>,
    /// How far it lies back along every row of the map.
    pub displacement: Vec<Int>,
    /// Where the read crosses in this way, over sizes and leaves of the consumer.
    pub condition: Formula,
    /// Whether it leaves a tile. A copy is loaded again there.
    pub crosses: bool,
    /// Whether it reads a value of another launch. Then only the launch rows of the displacement count: the value is found by its
    /// iteration point, whichever block computed it.
    pub launched: bool,
}

/// The classes of a distance.
pub fn classes(mapping: &Mapping, places: &Places, distance: &[Int]) -> Vec<Class> {
    let mut classes = vec![Class::new(vec![0; mapping.leaves.len()])];
    // Loops with a launch loop first: where the launch differs, the other loops need not be split.
    let has_launch =
        |node: usize| mapping.launches.iter().any(|leaf| places.nodes[node].coef(places.sizes + leaf) != 0);
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..distance.len()).partition(|node| has_launch(*node));
    for node in first {
        classes = product(&classes, &split(mapping, places, node, distance[node]));
    }
    for class in &mut classes {
        class.launched = mapping.launches.iter().any(|leaf| class.moved[*leaf] != 0);
        class.crosses |= class.launched;
    }
    let (launched, mut classes): (Vec<Class>, Vec<Class>) = classes.into_iter().partition(|c| c.launched);
    for node in rest {
        classes = product(&classes, &split(mapping, places, node, distance[node]));
    }
    classes.extend(launched);
    for class in &mut classes {
        let along = |coefs: &[Int]| coefs.iter().zip(&class.moved).map(|(c, m)| c * m).sum();
        class.displacement = places.rows.iter().map(|row| along(&row.coefs)).collect();
    }
    classes
}

fn product(classes: &[Class], parts: &[Class]) -> Vec<Class> {
    classes.iter().flat_map(|c| parts.iter().map(|p| join(c, p))).collect()
}

fn join(a: &Class, b: &Class) -> Class {
    Class {
        moved: a.moved.iter().zip(&b.moved).map(|(x, y)| x + y).collect(),
        condition: a.condition.clone().and(b.condition.clone()),
        crosses: a.crosses || b.crosses,
        launched: a.launched || b.launched,
        displacement: Vec::new(),
    }
}

/// The ways in which node `n` moves by `d`.
fn split(mapping: &Mapping, places: &Places, n: usize, d: Int) -> Vec<Class> {
    let Some(tile) = &mapping.nodes[n].tile else {
        let mut moved = vec![0; mapping.leaves.len()];
        if let Some(leaf) = mapping.leaf_of(n) {
            moved[leaf] = d;
        }
        return vec![Class::new(moved)];
    };
    let inner = &places.nodes[tile.inner];
    let (low, high) = (Form::constant(-tile.before), Form::constant(tile.by + tile.after));
    if tile.before > 0 || tile.after > 0 {
        // Recomputed in the same block: either the read stays in the tile, or its value is not needed.
        let mut classes = split(mapping, places, tile.inner, d);
        for class in &mut classes {
            let inside = if d == 0 { Formula::True } else { Formula::within(&inner.plus(-d), &low, &high) };
            class.condition = class.condition.clone().and(inside);
        }
        return classes;
    }
    let over = d.div_euclid(tile.by);
    let overs = if d.rem_euclid(tile.by) == 0 { vec![over] } else { vec![over, over + 1] };
    let mut classes = Vec::new();
    for over in overs {
        let inside = d - tile.by * over;
        let edge = if inside == 0 { Formula::True } else { Formula::within(&inner.plus(-inside), &low, &high) };
        for a in split(mapping, places, tile.outer, over) {
            for b in split(mapping, places, tile.inner, inside) {
                let mut class = join(&a, &b);
                class.condition = class.condition.and(edge.clone());
                class.crosses |= over != 0;
                classes.push(class);
            }
        }
    }
    classes
}

/// The consumers of a class: points of the domain whose guards hold and that cross edges in this way. Halos store nothing.
pub fn readers(kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) -> Formula {
    let runs = match read.reader {
        Reader::Store(_) => places.domain(kernel, mapping).and(places.core(mapping)),
        Reader::Equation(_) => places.domain(kernel, mapping),
    };
    runs.and(read.guard.substitute(&places.images(kernel))).and(class.condition.clone())
}

impl Class {
    fn new(moved: Vec<Int>) -> Class {
        Class { moved, displacement: Vec::new(), condition: Formula::True, crosses: false, launched: false }
    }

    /// How far the producer lies back along a leaf of the map's loops. Of a class that is `launched`, only launch loops count.
    pub fn moved(&self, leaf: usize) -> Int {
        self.moved[leaf]
    }

    /// How far the producer lies back along a node of the map: a loop, or a loop of a tile.
    pub fn moved_along(&self, places: &Places, node: usize) -> Int {
        self.moved.iter().enumerate().map(|(leaf, d)| places.nodes[node].coef(places.sizes + leaf) * d).sum()
    }

    /// The displacement along the rows of one kind.
    pub fn along(&self, places: &Places, kind: RowKind) -> Vec<Int> {
        places.rows.iter().zip(&self.displacement).filter(|(r, _)| r.kind == kind).map(|(_, d)| *d).collect()
    }

    /// The displacement between blocks of the same launch.
    pub fn between_blocks(&self, places: &Places) -> Vec<Int> {
        self.along(places, RowKind::Block).split_off(places.launches)
    }

    /// Whether producer and consumer differ in a row of this kind.
    pub fn moves(&self, places: &Places, kind: RowKind) -> bool {
        self.along(places, kind).iter().any(|d| *d != 0)
    }
}

/// The points of a set of places that lie in one register of the fold.
pub fn in_register(mapping: &Mapping, places: &Places, ranges: &Ranges, set: Formula, register: Int) -> Formula {
    let lane = (0..places.rows.len()).rev().find(|k| places.rows[*k].kind == RowKind::Lane);
    let (Some(lane), 2..) = (lane, mapping.fold) else { return set };
    let low = ranges[lane].map_or(0, |(low, _)| low);
    let form = places.form(&places.rows[lane]).plus(-low);
    set.and(Formula::Remainder { form, modulus: mapping.fold, is: register })
}
