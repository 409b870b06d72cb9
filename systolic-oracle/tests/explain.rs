//! Pictures of maps against brute force: every value of every workload is where the oracle puts it, exactly once, and every
//! dependence joins the place of its producer with that of its consumer.
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use support::files::workloads;
use systolic_compiler::check;
use systolic_compiler::compile::Which;
use systolic_compiler::explain::{Asked, Carrier, Origin, Picture, explain};
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::{Int, Reader, RowKind};
use systolic_compiler::syntax::{self, tree};
use systolic_compiler::target::gpu::H200;
use systolic_oracle::{Instance, Items, Placement};

fn picture(tree: &tree::Kernel, lawful: &Lawful, map: &LawfulMap) -> Picture {
    let sizes: Vec<Int> = vec![512; lawful.kernel().sizes.len()];
    let (which, origin) = match lawful.maps().is_empty() {
        true => (Which::Default, Origin::Rules),
        false => (Which::Map(map.mapping().position), Origin::Written),
    };
    let named = BTreeMap::new();
    let asked = Asked {
        tree,
        lawful,
        which,
        map,
        origin,
        sizes: &named,
        target: Target::Gpu,
        cost: (&H200, &sizes),
        pictures: 1,
    };
    explain(&asked).unwrap_or_else(|why| panic!("{}: {why}", tree.name.text))
}

/// A run of a point: its loops, its block and its time.
type Run = (Vec<Int>, Vec<Int>, Vec<Int>);

/// Block, time, warp rows, lanes and register.
type Place = (Vec<Int>, Vec<Int>, Vec<Int>, Vec<Int>, Int);

fn place(oracle: &Placement<'_>, instance: &Instance) -> Place {
    let (lanes, register) = oracle.lane(instance);
    let rows = |kind| oracle.rows(kind, instance);
    (rows(RowKind::Block), rows(RowKind::Time), rows(RowKind::Warp), lanes, register)
}

/// The lanes along a row. The last one has the fold.
fn extent(map: &LawfulMap, row: usize) -> Int {
    let (low, high) = map.ranges()[row].expect("lanes are constant");
    let is_last = map.places().rows[row + 1..].iter().all(|row| row.kind != RowKind::Lane);
    (high - low) / if is_last { map.mapping().fold } else { 1 } + 1
}

/// Checks one picture, and returns whether all of it was drawn.
fn is_right(lawful: &Lawful, map: &LawfulMap, picture: &Picture) -> bool {
    let kernel = lawful.kernel();
    let name = format!("{} {} {:?}", picture.kernel, picture.instance, picture.map.name);
    let sizes: Vec<Int> = picture.sizes.iter().map(|(_, value)| *value).collect();
    // A picture has items that are as long as they may be.
    let every = kernel.lengths().map(|length| {
        let most = length.range.most.eval(&sizes).expect("a number");
        (format!("every {}", kernel.parameters[length.parameter].name.text), most)
    });
    let items = Items::of_witness(kernel, &every.collect::<Vec<_>>());
    let oracle = Placement::with_items(kernel, map.mapping(), map.places(), &sizes, items);
    let extents: Vec<Int> = oracle.rows_of(RowKind::Lane).map(|row| extent(map, row)).collect();
    // What the oracle runs, by point and place in space and time.
    let mut instances: BTreeMap<Run, Instance> = BTreeMap::new();
    for point in oracle.space.points() {
        for instance in oracle.instances(&point) {
            let key = (point.clone(), oracle.rows(RowKind::Block, &instance), oracle.rows(RowKind::Time, &instance));
            instances.insert(key, instance);
        }
    }
    let mut cores: BTreeSet<(usize, Vec<Int>)> = BTreeSet::new();
    let mut numbers: BTreeMap<(usize, usize, Int, Int, Int), usize> = BTreeMap::new();
    for (k, spot) in picture.spots.iter().enumerate() {
        let key = (spot.point.clone(), picture.blocks[spot.block].clone(), picture.steps[spot.step].clone());
        let instance = instances.get(&key).unwrap_or_else(|| panic!("{name}: the oracle does not run {key:?}"));
        assert_eq!(oracle.is_core(instance), !spot.halo, "{name}: {key:?}");
        let (.., lanes, register) = place(&oracle, instance);
        if picture.map.on == "gpu" {
            let lane = lanes.iter().zip(&extents).fold(0, |number, (lane, extent)| number * extent + lane);
            assert_eq!((lane, register), (spot.lane, spot.register), "{name}: {key:?}");
        }
        assert!(spot.lane < 32 && spot.lane < picture.lanes && spot.warp < picture.warps, "{name}: {key:?}");
        let at = (spot.block, spot.step, spot.warp, spot.lane, spot.register);
        assert_eq!(numbers.insert(at, k), None, "{name}: two points at {at:?}");
        for statement in spot.statements.iter().filter(|_| !spot.halo) {
            let index: Vec<Int> =
                picture.statements[*statement].index.iter().map(|form| form.at(&spot.point)).collect();
            assert!(cores.insert((*statement, index)), "{name}: twice {}", picture.name(*statement, k));
        }
        dependences(&name, &oracle, picture, k, instance);
    }
    if picture.omitted == 0 {
        let points = oracle.world.points();
        for (n, equation) in kernel.equations.iter().enumerate() {
            let found = cores.iter().filter(|(statement, _)| *statement == n).count();
            assert_eq!(found, points.len(), "{name}: values of {}", equation.variable.text);
        }
    }
    picture.omitted == 0
}

/// Compares the dependences of one spot with those of the oracle.
fn dependences(name: &str, oracle: &Placement<'_>, picture: &Picture, spot: usize, instance: &Instance) {
    let equations = oracle.world.kernel.equations.len();
    let mut drawn: BTreeSet<(usize, usize, Run)> = BTreeSet::new();
    let mut cut: BTreeSet<(usize, usize)> = BTreeSet::new();
    for wire in &picture.wires {
        for (_, from) in wire.links.iter().filter(|(to, _)| *to == spot) {
            match from {
                Some(from) => {
                    let producer = &picture.spots[*from];
                    assert!(
                        producer.statements.contains(&wire.variable),
                        "{name}: {}",
                        picture.name(wire.reader, spot)
                    );
                    let (block, time) = (&picture.blocks[producer.block], &picture.steps[producer.step]);
                    let run = (producer.point.clone(), block.clone(), time.clone());
                    drawn.insert((wire.reader, wire.variable, run));
                    same_medium(name, picture, wire.carrier, spot, *from);
                }
                None => {
                    assert!(picture.omitted > 0, "{name}: no producer for {}", picture.name(wire.reader, spot));
                    cut.insert((wire.reader, wire.variable));
                }
            }
        }
    }
    for wire in oracle.wires(instance).iter().filter(|wire| !wire.beyond_rim) {
        let read = &oracle.world.reads[wire.read];
        let reader = match read.reader {
            Reader::Equation(n) => n,
            Reader::Store(n) => equations + n,
        };
        let (block, time) = (oracle.rows(RowKind::Block, &wire.source), oracle.rows(RowKind::Time, &wire.source));
        let run = (oracle.point(&wire.source).to_vec(), block, time);
        let found = drawn.remove(&(reader, read.variable, run));
        // A copy may be loaded instead, and a second read of the same value is the same line.
        let is_loaded = || picture.loads.iter().any(|load| load.reader == reader && load.spots.contains(&spot));
        let again =
            oracle.world.reads[..wire.read].iter().any(|r| (r.reader, r.variable) == (read.reader, read.variable));
        let copy = oracle.copies[read.variable] && is_loaded();
        assert!(
            found || copy || again || cut.contains(&(reader, read.variable)),
            "{name}: {} reads {}",
            picture.name(reader, spot),
            picture.statements[read.variable].name
        );
    }
    assert!(drawn.is_empty(), "{name}: the oracle does not know {drawn:?}");
}

/// The medium fits the places that it joins.
fn same_medium(name: &str, picture: &Picture, carrier: Carrier, to: usize, from: usize) {
    let (reads, makes) = (&picture.spots[to], &picture.spots[from]);
    let same_block = reads.block == makes.block;
    let fine = match carrier {
        Carrier::Register => same_block && reads.warp == makes.warp && reads.lane == makes.lane,
        Carrier::Shuffle => same_block && reads.warp == makes.warp && reads.lane != makes.lane,
        Carrier::Shared => same_block && reads.warp != makes.warp,
        Carrier::Row => same_block && makes.step < reads.step,
        Carrier::Face => !same_block,
        Carrier::Memory => true,
        Carrier::Load | Carrier::Value | Carrier::Store => false,
    };
    assert!(fine, "{name}: {carrier:?} from {makes:?} to {reads:?}");
    assert!(!same_block || makes.step <= reads.step, "{name}: from {makes:?} to {reads:?}");
}

#[test]
fn pictures_of_all_workloads() {
    let (mut maps, mut whole) = (0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    for tree in workloads() {
        let checked = check(syntax::text(&tree).parse().expect("tokens"));
        let [(tree, instances)] = checked.kernels.as_slice() else { panic!("{} is lawful", tree.name.text) };
        let lawful = instances.last().expect("an instance");
        let default = lawful.maps().is_empty().then(|| default_map(lawful, Target::Gpu)).flatten();
        for map in lawful.maps().iter().chain(&default) {
            let started = Instant::now();
            let picture = picture(tree, lawful, map);
            slowest = slowest.max((started.elapsed(), tree.name.text.clone()));
            maps += 1;
            whole += usize::from(is_right(lawful, map, &picture));
        }
    }
    println!("{maps} maps, {whole} drawn whole; slowest {slowest:?}");
    assert!(maps > 80 && whole * 4 > maps * 3, "{maps} maps, {whole} drawn whole");
}
