//! The laws of maps at given sizes: collision, lanes, causality, broadcast, blocks.
use crate::placement::{Instance, Placement, Verdict};
use crate::step::Step;
use crate::violation::{Site, Violation};
use std::collections::{BTreeMap, BTreeSet};
use systolic_compiler::fault::Law;
use systolic_compiler::model::{Int, Kernel, Mapping, Places, Reader, RowKind};

/// The number of lanes per warp, and the maximum number of warps per block.
pub const WIDTH: Int = 32;

/// All violations of the map at these sizes, for a kernel whose equations have none.
pub fn map_violations(kernel: &Kernel, mapping: &Mapping, places: &Places, sizes: &[Int]) -> Vec<Violation> {
    more_violations(kernel, mapping, places, sizes, &mut Step::default())
}

/// The same, adding to an instruction order collected at other sizes: one instruction sequence serves all sizes.
pub fn more_violations(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    sizes: &[Int],
    step: &mut Step,
) -> Vec<Violation> {
    let placement = Placement::new(kernel, mapping, places, sizes);
    if !placement.world.is_assumed() {
        return Vec::new();
    }
    let instances: Vec<Instance> =
        placement.space.points().iter().flat_map(|point| placement.instances(point)).collect();
    let mut found = Vec::new();
    collision(&placement, &instances, &mut found);
    lanes(&placement, &instances, &mut found);
    wires(&placement, &instances, step, &mut found);
    found
}

fn collision(placement: &Placement, instances: &[Instance], found: &mut Vec<Violation>) {
    let mut seen: BTreeMap<Vec<Int>, &Instance> = BTreeMap::new();
    for instance in instances {
        let place = (0..placement.places.rows.len()).map(|row| placement.row(row, instance)).collect();
        if let Some(first) = seen.insert(place, instance) {
            found.push(Violation {
                law: Law::Collision,
                site: Site::Map,
                point: placement.point(instance).to_vec(),
                other: Some(placement.point(first).to_vec()),
                element: None,
            });
        }
    }
}

/// The number of lanes and warps that these instances need.
pub fn lane_count(placement: &Placement, instances: &[Instance]) -> (Int, Int) {
    let extent = |row| {
        let values = || instances.iter().map(|i| placement.row(row, i));
        values().max().zip(values().min()).map_or(0, |(most, least)| most - least + 1)
    };
    let warps = placement.rows_of(RowKind::Warp).map(extent).product();
    let mut lanes: Vec<Int> = placement.rows_of(RowKind::Lane).map(extent).collect();
    if let Some(last) = lanes.last_mut() {
        *last = (*last + placement.mapping.fold - 1) / placement.mapping.fold;
    }
    (lanes.iter().product(), warps)
}

fn lanes(placement: &Placement, instances: &[Instance], found: &mut Vec<Violation>) {
    let (lanes, warps) = lane_count(placement, instances);
    for (kind, count) in [(RowKind::Lane, lanes), (RowKind::Warp, warps)] {
        let row = placement.rows_of(kind).next();
        if count > WIDTH || kind == RowKind::Lane && row.is_none() {
            found.push(Violation {
                law: Law::Lanes,
                site: row.map_or(Site::Map, Site::Row),
                point: Vec::new(),
                other: None,
                element: None,
            });
        }
    }
}

fn wires(placement: &Placement, instances: &[Instance], step: &mut Step, found: &mut Vec<Violation>) {
    let mut broken = |law, read, sink: &Instance, source: &Instance| {
        found.push(Violation {
            law,
            site: Site::Read(read),
            point: placement.written(placement.world.reads[read].reader, sink),
            other: Some(placement.written(Reader::Equation(placement.world.reads[read].variable), source)),
            element: None,
        });
    };
    let mut waits: BTreeSet<(Vec<Int>, Vec<Int>)> = BTreeSet::new();
    let mut examples = None;
    let blocks = |placement: &Placement, instance: &Instance| placement.rows(RowKind::Block, instance);
    for sink in instances {
        for wire in placement.wires(sink) {
            let law = match placement.judge(sink, &wire) {
                Verdict::Fine => continue,
                Verdict::SameTime => {
                    step.note(placement, sink, &wire);
                    continue;
                }
                Verdict::WaitsFor => {
                    waits.insert((blocks(placement, sink), blocks(placement, &wire.source)));
                    examples.get_or_insert((wire.read, sink.clone(), wire.source.clone()));
                    continue;
                }
                Verdict::Later | Verdict::LaterLaunch => Law::Causality,
                Verdict::OtherWarp => Law::Broadcast,
                Verdict::OtherBlock => Law::Blocks,
                Verdict::BeyondRim => {
                    if !placement.is_needed(placement.world.reads[wire.read].reader, sink) {
                        continue;
                    }
                    Law::Blocks
                }
            };
            broken(law, wire.read, sink, &wire.source);
        }
    }
    if let Some((read, sink, source)) = examples.filter(|_| has_cycle(waits)) {
        broken(Law::Blocks, read, &sink, &source);
    }
    if let Some(example) = step.rings().first() {
        broken(Law::Broadcast, example.read, &example.sink, &example.source);
    }
}

/// Whether blocks wait for each other in a circle: each pair is a block and one that it waits for.
fn has_cycle(mut waits: BTreeSet<(Vec<Int>, Vec<Int>)>) -> bool {
    loop {
        // Who waits for nobody runs, and nobody waits for it any more.
        let waiting: BTreeSet<Vec<Int>> = waits.iter().map(|(block, _)| block.clone()).collect();
        let before = waits.len();
        waits.retain(|(_, other)| waiting.contains(other));
        if waits.len() == before {
            return before > 0;
        }
    }
}
