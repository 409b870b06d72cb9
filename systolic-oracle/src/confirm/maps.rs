//! Confirms faults of a map at their witnesses.
use super::MOST_POINTS;
use super::witness::{instances, other, places, point, same, sizes};
use crate::maps::{WIDTH, lane_count};
use crate::origin::box_count;
use crate::placement::{Instance, Placement, Verdict, Wire};
use crate::rank::rank;
use crate::sizes::{raised_sizes, sizes_of_many_lanes, some_sizes};
use crate::step::Step;
use crate::window::window;
use systolic_compiler::fault::{
    BlocksFact, BroadcastFact, CausalityFact, CollisionFact, Fault, LanesFact, Look, Witness,
};
use systolic_compiler::model::{Int, Kernel, Mapping, Places, Reader, RowKind};
use systolic_compiler::region::Region;

/// Confirms that the rows of the matrix are linearly dependent.
pub fn matrix(mapping: &Mapping) -> Result<(), String> {
    let matrix = mapping.matrix.as_ref().ok_or("there is no matrix")?;
    if rank(&matrix.rows) == matrix.rows.len() { Err("its rows are independent".to_string()) } else { Ok(()) }
}

/// Confirms that the claimed reverse is not the inverse of the matrix.
pub fn reverse(mapping: &Mapping) -> Result<(), String> {
    let matrix = mapping.matrix.as_ref().ok_or("there is no matrix")?;
    let (reverse, _) = matrix.reverse.as_ref().ok_or("there is no reverse")?;
    let loops = matrix.old.len();
    let entry = |row: &[Int], column: usize| row.iter().zip(&matrix.rows).map(|(r, m)| r * m[column]).sum::<Int>();
    let is_unit = |(k, row): (usize, &Vec<Int>)| (0..loops).all(|c| entry(row, c) == Int::from(c == k));
    let fits = reverse.len() == loops && reverse.iter().all(|row| row.len() == matrix.new.len());
    if fits && reverse.iter().enumerate().all(is_unit) { Err("it undoes the matrix".to_string()) } else { Ok(()) }
}

/// Confirms that two different instances have the place that the fault names.
pub fn collision(placement: &Placement, fact: &CollisionFact, witness: &Witness) -> Result<(), String> {
    let CollisionFact::Same { place } = fact else { return Err("a limit".to_string()) };
    let mut why = String::new();
    for shift in placement.shifts.all().iter().map(|s| Some(s.as_slice())).chain([None]) {
        let pair = places(placement, &witness.point, shift)
            .and_then(|first| Ok((first, places(placement, other(witness)?, shift)?)));
        match pair.and_then(|(first, second)| one_place(placement, place, &first, &second)) {
            Ok(()) => return Ok(()),
            Err(reason) => why = reason,
        }
    }
    Err(why)
}

/// Confirms that an instance of the first list and another one of the second list have this place.
fn one_place(
    placement: &Placement,
    place: &[(String, Int)],
    first: &[Instance],
    second: &[Instance],
) -> Result<(), String> {
    let named = |instance: &Instance| {
        place.iter().all(|(name, v)| {
            let row = placement.places.rows.iter().position(|r| r.name == *name);
            row.is_some_and(|row| placement.row(row, instance) == *v)
        })
    };
    let whole = |instance: &Instance| -> Vec<Int> {
        (0..placement.places.rows.len()).map(|row| placement.row(row, instance)).collect()
    };
    let pairs = || first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    if pairs().any(|(a, b)| a != b && whole(a) == whole(b) && named(a)) {
        return Ok(());
    }
    let places: Vec<_> = first.iter().chain(second).map(whole).collect();
    Err(format!("the places are {places:?}, not {place:?}"))
}

/// Confirms the number of lanes or warps at the sizes of the witness, or at other sizes if it has none.
pub fn lanes(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    fact: &LanesFact,
    fault: &Fault,
) -> Result<(), String> {
    let has_lanes = places.rows.iter().any(|row| row.kind == RowKind::Lane);
    let mut tries = some_sizes(kernel, std::slice::from_ref(mapping));
    if let Some(witness) = &fault.witness {
        tries.insert(0, sizes(kernel, witness)?);
    }
    let count = |sizes: &Vec<Int>| {
        let placement = Placement::new(kernel, mapping, places, sizes);
        if !placement.world.is_assumed() || placement.space.has_more_points_than(MOST_POINTS) {
            return None;
        }
        let points = placement.space.points();
        let instances: Vec<Instance> = points.iter().flat_map(|p| placement.instances(p)).collect();
        Some((lane_count(&placement, &instances), extents(&placement, &instances)))
    };
    let larger = sizes_of_many_lanes(kernel, mapping);
    let exceeds = |taken: fn((Int, Int)) -> Int| {
        tries.iter().chain(&larger).filter_map(count).any(|(counted, _)| taken(counted) > WIDTH)
    };
    // An overlapped tile runs its whole inner loop, even where the domain is smaller. If a full tile has too many
    // points to enumerate, only its bounding box can be counted.
    let is_large =
        |sizes: &Vec<Int>| Placement::new(kernel, mapping, places, sizes).space.has_more_points_than(MOST_POINTS);
    let by_box = is_overlapped(mapping) || tries.iter().any(is_large);
    match fact {
        LanesFact::NoLanes if has_lanes => Err("there are lanes".to_string()),
        LanesFact::NoLanes => Ok(()),
        // No map was found, so there is none to confirm it with.
        LanesFact::NothingFits => Ok(()),
        LanesFact::TooMany { fold, .. } if *fold != mapping.fold => Err(format!("the fold is {}", mapping.fold)),
        LanesFact::TooMany { .. } if exceeds(|(lanes, _)| lanes) => Ok(()),
        LanesFact::TooManyWarps { .. } if exceeds(|(_, warps)| warps) => Ok(()),
        LanesFact::TooMany { .. } if by_box && box_count(kernel, mapping, places, RowKind::Lane) > WIDTH => Ok(()),
        LanesFact::TooManyWarps { .. } if by_box && box_count(kernel, mapping, places, RowKind::Warp) > WIDTH => Ok(()),
        LanesFact::TooMany { .. } | LanesFact::TooManyWarps { .. } => {
            Err("no more than 32 at any size tried".to_string())
        }
        LanesFact::RunTime { row } => {
            let row = places.rows.iter().position(|r| r.name == *row).ok_or(format!("no row {row}"))?;
            let mut seen: Vec<Int> =
                tries.iter().filter_map(count).map(|(_, extents)| extents[row]).filter(|e| *e > 0).collect();
            seen.dedup();
            if seen.len() > 1 { Ok(()) } else { Err(format!("its extent is {seen:?} at all sizes tried")) }
        }
        LanesFact::Undecided { .. } => Err("a limit".to_string()),
    }
}

fn extents(placement: &Placement, instances: &[Instance]) -> Vec<Int> {
    let values = |row: usize| instances.iter().map(move |i| placement.row(row, i));
    let rows = 0..placement.places.rows.len();
    rows.map(|row| values(row).max().zip(values(row).min()).map_or(0, |(h, l)| h - l + 1)).collect()
}

fn is_overlapped(mapping: &Mapping) -> bool {
    mapping.nodes.iter().filter_map(|n| n.tile.as_ref()).any(|t| t.before > 0 || t.after > 0)
}

/// The wires of this variable from `other` to `point`, each with the consuming instance.
fn wires(placement: &Placement, variable: &str, witness: &Witness) -> Result<Vec<(Instance, Wire)>, String> {
    let from = point(&placement.world, other(witness)?)?;
    let mut found = Vec::new();
    for shift in placement.shifts.all() {
        for sink in instances(placement, &witness.point, &shift)? {
            for wire in placement.wires(&sink) {
                let read = &placement.world.reads[wire.read];
                let name = &placement.world.kernel.equations[read.variable].variable.text;
                let told = placement.shifts.of(read.reader) == shift && is_source(placement, &wire, &from);
                if name == variable && told {
                    found.push((sink.clone(), wire));
                }
            }
        }
    }
    if found.is_empty() { Err(format!("the point does not read {variable} at {from:?}")) } else { Ok(found) }
}

/// Whether a wire begins at this point of the kernel.
fn is_source(placement: &Placement, wire: &Wire, point: &[Int]) -> bool {
    placement.written(Reader::Equation(placement.world.reads[wire.read].variable), &wire.source) == point
}

/// Whether a wire's consumer and producer run at the times that the fault states.
fn looks(placement: &Placement, look: &Look, sink: &Instance, wire: &Wire) -> bool {
    let said = |list: &[(String, Int)], instance: &Instance| {
        list.iter().all(|(name, v)| {
            let row = placement.places.rows.iter().position(|r| r.name == *name);
            row.is_some_and(|row| placement.row(row, instance) == *v)
        })
    };
    said(&look.runs, sink) && said(&look.computed, &wire.source)
}

/// Confirms that a wire reads a value of a later time, at the stated times.
pub fn causality(placement: &Placement, fact: &CausalityFact, witness: &Witness) -> Result<(), String> {
    if let CausalityFact::LaterLaunch { variable, row, runs, computed } = fact {
        let row = placement.places.rows.iter().position(|r| r.name == *row).ok_or(format!("no row {row}"))?;
        let is_late = |(sink, wire): &(Instance, Wire)| {
            matches!(placement.judge(sink, wire), Verdict::LaterLaunch)
                && (placement.row(row, sink), placement.row(row, &wire.source)) == (*runs, *computed)
        };
        let late = wires(placement, variable, witness)?.iter().any(is_late);
        return if late { Ok(()) } else { Err("the value is of an earlier launch, or fed".to_string()) };
    }
    let CausalityFact::Later { look, .. } = fact else { return Err("a limit".to_string()) };
    let wires = wires(placement, &look.variable, witness)?;
    let mut late = wires.iter().filter(|(sink, wire)| matches!(placement.judge(sink, wire), Verdict::Later)).peekable();
    if late.peek().is_none() {
        return Err("the value is made in time, or fed".to_string());
    }
    if late.any(|(sink, wire)| looks(placement, look, sink, wire)) {
        Ok(())
    } else {
        Err("the times differ".to_string())
    }
}

pub fn broadcast(placement: &Placement, fact: &BroadcastFact, witness: &Witness) -> Result<(), String> {
    match fact {
        BroadcastFact::Warps { look, row, from, to } => {
            let wires = wires(placement, &look.variable, witness)?;
            let row = placement.places.rows.iter().position(|r| r.name == *row).ok_or(format!("no row {row}"))?;
            let seen = wires.iter().any(|(sink, wire)| {
                matches!(placement.judge(sink, wire), Verdict::OtherWarp)
                    && looks(placement, look, sink, wire)
                    && (placement.row(row, &wire.source), placement.row(row, sink)) == (*from, *to)
            });
            if seen { Ok(()) } else { Err("no value of another warp is read when it is made".to_string()) }
        }
        BroadcastFact::NoOrder { ring, .. } => no_order(placement, ring, witness),
        BroadcastFact::Undecided { .. } => Err("a limit".to_string()),
    }
}

/// Confirms that each cell of the cycle waits for the next, or each for the one before, at some sizes. One instruction
/// sequence serves all sizes, so the edges may come from different sizes.
fn no_order(placement: &Placement, ring: &[(String, Int)], witness: &Witness) -> Result<(), String> {
    let (kernel, mapping) = (placement.world.kernel, placement.mapping);
    let variable = |name: &String| {
        kernel.equations.iter().position(|e| e.variable.text == *name).ok_or(format!("no variable {name}"))
    };
    let cells = ring.iter().map(|(name, r)| Ok((variable(name)?, *r))).collect::<Result<Vec<_>, String>>()?;
    let centre = point(&placement.world, &witness.point)?;
    let source = point(&placement.world, other(witness)?)?;
    let mut in_step = false;
    for shift in placement.shifts.all() {
        in_step |= instances(placement, &witness.point, &shift)?.iter().any(|sink| {
            placement.wires(sink).iter().any(|wire| {
                placement.shifts.of(placement.world.reads[wire.read].reader) == shift
                    && is_source(placement, wire, &source)
                    && matches!(placement.judge(sink, wire), Verdict::SameTime)
            })
        });
    }
    if !in_step {
        return Err(format!("{centre:?} does not read {source:?} in its own step"));
    }
    let mut step = Step::default();
    let points = window(&placement.space, &[&centre], MOST_POINTS);
    step.add(placement, points.iter().flat_map(|p| placement.instances(p)));
    let follows = |step: &Step, back: bool| {
        (0..cells.len()).all(|k| {
            let (a, b) = (cells[k], cells[(k + 1) % cells.len()]);
            if back { step.has(b, a) } else { step.has(a, b) }
        })
    };
    // A cycle may need as many different sizes as it has edges: try those of the witness, changed one by one.
    let here = placement.world.sizes.clone();
    let nearby = (0..here.len()).flat_map(|k| {
        let here = &here;
        (1..=here[k] + ring.len() as Int).map(move |v| {
            let mut sizes = here.clone();
            sizes[k] = v;
            sizes
        })
    });
    // If loops bound each other, the edge of a tile is reached only when all sizes grow.
    let raised = raised_sizes(&here, mapping.fold.max(ring.len() as Int));
    for sizes in raised.into_iter().chain(some_sizes(kernel, std::slice::from_ref(mapping))).chain(nearby) {
        if follows(&step, false) || follows(&step, true) {
            return Ok(());
        }
        let placement = Placement::new(kernel, mapping, placement.places, &sizes);
        if placement.world.is_assumed() && !placement.space.has_more_points_than(MOST_POINTS) {
            step.add(&placement, placement.space.points().iter().flat_map(|p| placement.instances(p)));
        }
    }
    if follows(&step, false) || follows(&step, true) {
        return Ok(());
    }
    Err(format!(
        "the ring {ring:?} is not seen; the step {}",
        if step.rings().is_empty() { "has an order" } else { "has another" }
    ))
}

/// Confirms that a wire comes from another block. For a value beyond the halo, a store must also need it.
pub fn blocks(placement: &Placement, fact: &BlocksFact, at: Region, witness: &Witness) -> Result<(), String> {
    let (BlocksFact::Crosses { variable, .. } | BlocksFact::Narrow { variable, .. }) = fact else {
        return Err("a limit".to_string());
    };
    let mut why = "it does not point at the read".to_string();
    for (sink, wire) in wires(placement, variable, witness)? {
        let read = &placement.world.reads[wire.read];
        if !same(read.at, at) && !read.index_at.iter().any(|r| same(*r, at)) {
            continue;
        }
        if let BlocksFact::Crosses { loop_name, from, to, .. } = fact {
            // This includes a read beyond the halo of another loop, which leaves the block too.
            let row = placement.places.rows.iter().position(|r| r.name == *loop_name && r.kind == RowKind::Block);
            let row = row.ok_or(format!("no block loop {loop_name}"))?;
            let crosses = (placement.row(row, &wire.source), placement.row(row, &sink)) == (*from, *to) && from != to;
            if crosses && !placement.copies[read.variable] {
                return Ok(());
            }
            why = format!("{loop_name} does not go from {from} to {to}, or the value is fed");
        } else if !matches!(placement.judge(&sink, &wire), Verdict::BeyondRim) {
            why = "the value lies in the tile, or is fed".to_string();
        } else if placement.is_needed(read.reader, &sink) {
            return Ok(());
        } else {
            why = "no store needs the value that reads it".to_string();
        }
    }
    Err(why)
}

/// Confirms that distances between blocks lead back to the same block, and that at some sizes blocks wait along each of them.
pub fn ring(kernel: &Kernel, mapping: &Mapping, places: &Places, ring: &[(Int, Vec<Int>)]) -> Result<(), String> {
    let rank = ring.first().map_or(0, |(_, delta)| delta.len());
    let leads_back = |axis: usize| ring.iter().map(|(count, delta)| count * delta[axis]).sum::<Int>() == 0;
    if rank == 0 || !(0..rank).all(leads_back) || ring.iter().any(|(count, _)| *count < 1) {
        return Err(format!("the distances {ring:?} do not lead back"));
    }
    let mut open: Vec<&Vec<Int>> = ring.iter().map(|(_, delta)| delta).collect();
    let one = std::slice::from_ref(mapping);
    for sizes in some_sizes(kernel, one).into_iter().chain(sizes_of_many_lanes(kernel, mapping)) {
        let placement = Placement::new(kernel, mapping, places, &sizes);
        if !placement.world.is_assumed() || placement.space.has_more_points_than(MOST_POINTS) {
            continue;
        }
        for sink in placement.space.points().iter().flat_map(|p| placement.instances(p)) {
            for wire in placement.wires(&sink) {
                if matches!(placement.judge(&sink, &wire), Verdict::WaitsFor) {
                    let (to, from) =
                        (placement.rows(RowKind::Block, &sink), placement.rows(RowKind::Block, &wire.source));
                    let delta: Vec<Int> = to.iter().zip(&from).map(|(a, b)| a - b).skip(places.launches).collect();
                    open.retain(|wanted| **wanted != delta);
                }
            }
        }
        if open.is_empty() {
            return Ok(());
        }
    }
    Err(format!("no block waits for the one at distance {:?}, at any size tried", open[0]))
}
