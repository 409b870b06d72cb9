//! The text of the laws on maps, from `matrix` to `resources`.
use super::super::*;
use super::{LIMIT, count, other, point, quoted, times};

pub fn matrix(fact: &MatrixFact) -> String {
    match fact {
        MatrixFact::Rows { expected, found } => {
            let (rows, loops) = (count(*found, "row", "rows"), count(*expected, "new loop", "new loops"));
            format!("the matrix has {rows} for {loops}: every new loop has one row")
        }
        MatrixFact::Columns { expected, found } => {
            let (entries, loops) = (count(*found, "entry", "entries"), count(*expected, "old loop", "old loops"));
            format!("the row has {entries} for {loops}: every old loop has one entry")
        }
        MatrixFact::Dependent { row, combination } => {
            format!("the row of `{row}` says nothing new: {combination}")
        }
        MatrixFact::Entry { text, limit } => format!("`{text}` is beyond ±{limit}, the largest entry: a limit"),
        MatrixFact::Repeated { name } => format!("`{name}` stands twice among the old loops"),
        MatrixFact::TooManyRows { rows, loops } => {
            format!("{rows} rows of {} cannot be independent", count(*loops, "loop", "loops"))
        }
    }
}

pub fn reverse(fact: &ReverseFact) -> String {
    match fact {
        ReverseFact::Shape { rows, columns, found_rows, found_columns } => format!(
            "expected a `reverse` of {rows} of {columns}, one row per old loop, found {found_rows} of {found_columns}",
            rows = count(*rows, "row", "rows"),
            columns = count(*columns, "entry", "entries"),
            found_rows = count(*found_rows, "row", "rows"),
        ),
        ReverseFact::NotInverse { loop_name, becomes } => {
            format!("`reverse` does not undo the matrix: `{loop_name}` comes back as `{becomes}`")
        }
    }
}

pub fn collision(fact: &CollisionFact) -> String {
    match fact {
        CollisionFact::Same { place } => format!("two points share one place: {}", times(place)),
        CollisionFact::Undecided => format!("could not decide whether two points share a place; {LIMIT}"),
    }
}

pub fn collision_proof(witness: &Witness) -> String {
    format!("points {} and {}", point(&witness.point), other(witness))
}

pub fn lanes(fact: &LanesFact) -> String {
    match fact {
        LanesFact::NoLanes => "the map has no `lanes`, so it does not say which loop runs across the warp".to_string(),
        LanesFact::RunTime { row } => {
            format!("the extent of `{row}` is known only at run time; a warp has 32 lanes")
        }
        LanesFact::TooMany { rows, extent, limit, fold } => {
            let have = if rows.len() == 1 { "has" } else { "have together" };
            let room = match fold {
                1 => "a warp has 32 lanes".to_string(),
                _ => format!("32 lanes, folded {fold} times, have room for {limit}"),
            };
            format!("{} {have} {extent} values, and {room}", quoted(rows))
        }
        LanesFact::TooManyWarps { rows, extent } => {
            let make = if rows.len() == 1 { "makes" } else { "make together" };
            format!("{} {make} {extent} warps, and a block has 32 at most", quoted(rows))
        }
        LanesFact::Undecided { row } => format!("could not decide how far `{row}` extends; {LIMIT}"),
    }
}

pub fn causality(fact: &CausalityFact) -> String {
    match fact {
        CausalityFact::Later { look, row } => {
            format!("`{}` is used before it is computed: along `{row}` the read goes to a later step", look.variable)
        }
        CausalityFact::Undecided { variable } => {
            format!("could not decide whether `{variable}` is used before it is computed; {LIMIT}")
        }
    }
}

pub fn causality_proof(fact: &CausalityFact, witness: &Witness) -> String {
    match fact {
        CausalityFact::Later { look, .. } => looks(look, witness),
        CausalityFact::Undecided { .. } => String::new(),
    }
}

fn looks(look: &Look, witness: &Witness) -> String {
    if look.runs.is_empty() {
        return format!("point {} reads {} in the only step", point(&witness.point), other(witness));
    }
    format!(
        "point {} runs at step {}; it reads {}, computed at step {}",
        point(&witness.point),
        times(&look.runs),
        other(witness),
        times(&look.made)
    )
}

pub fn broadcast(fact: &BroadcastFact) -> String {
    match fact {
        BroadcastFact::Warps { look, .. } => {
            format!("`{}` would go from one warp to another within a step", look.variable)
        }
        BroadcastFact::NoOrder { ring, fold } => {
            let name = |(v, f): &(String, i128)| {
                if *fold == 1 { format!("`{v}`") } else { format!("`{v}` in register {f}") }
            };
            let mut parts: Vec<String> = ring.iter().map(name).collect();
            parts.extend(ring.first().map(name));
            format!("the values of one step wait for each other across lanes: {}", parts.join(" waits for "))
        }
        BroadcastFact::Undecided { variable } => {
            format!("could not decide whether `{variable}` can be passed on within a step; {LIMIT}")
        }
    }
}

pub fn broadcast_proof(fact: &BroadcastFact, witness: &Witness) -> String {
    match fact {
        BroadcastFact::Warps { look, row, from, to } => {
            let step =
                if look.runs.is_empty() { String::new() } else { format!(", both at step {}", times(&look.runs)) };
            let (here, there) = (point(&witness.point), other(witness));
            format!("point {here} in warp {row} = {to} reads {there} of warp {row} = {from}{step}")
        }
        _ => format!("point {} reads {} in the same step", point(&witness.point), other(witness)),
    }
}

pub fn blocks(fact: &BlocksFact) -> String {
    match fact {
        BlocksFact::Crosses { variable, loop_name, .. } => {
            format!("`{variable}` is computed in another block of `{loop_name}`, and blocks run in no order")
        }
        BlocksFact::Narrow { variable, of, .. } => {
            format!("the overlap of `{of}` is too narrow: a value of `{variable}` that the tile needs lies outside it")
        }
        BlocksFact::Undecided { variable } => {
            format!("could not decide whether the values that a block of `{variable}` needs lie in it; {LIMIT}")
        }
    }
}

pub fn blocks_proof(fact: &BlocksFact, witness: &Witness) -> String {
    match fact {
        BlocksFact::Crosses { loop_name, from, to, .. } => format!(
            "point {} in block {loop_name} = {to} reads {} of block {loop_name} = {from}",
            point(&witness.point),
            other(witness)
        ),
        BlocksFact::Narrow { reach, low, high, .. } => format!(
            "point {} reads {}, at {reach} in its tile, which holds {low} to {high}",
            point(&witness.point),
            other(witness)
        ),
        BlocksFact::Undecided { .. } => String::new(),
    }
}

pub fn resources(fact: &ResourcesFact) -> String {
    match fact {
        ResourcesFact::Parameters { bytes, limit } => {
            format!("the parameters take {bytes} bytes, and a launch passes {limit} at most")
        }
        ResourcesFact::Instances { count, limit } => {
            format!("`unroll` and `fold` write the step out {count} times, {limit} at most: a limit")
        }
        ResourcesFact::Registers { registers, limit, variables } => {
            let most = most(variables);
            format!("values that wait to be read take {registers} registers per lane, of {limit}: {most}")
        }
        ResourcesFact::Steps { row, evaluations, points, per_point } => format!(
            "a block evaluates the equations {evaluations} times for at most {points} points, more than {per_point} times per \
             point: most steps along `{row}` have no point"
        ),
        ResourcesFact::Scratch { bytes, points, variables } => {
            let most = most(variables);
            format!(
                "values that wait for later steps take {bytes} bytes of memory per block, which has at most {points} points: {most}"
            )
        }
        ResourcesFact::Shared { bytes, limit, parts } => {
            let most = most(parts);
            format!("a block takes {bytes} bytes of shared memory, of {limit}: {most}")
        }
    }
}

/// The first three of a list: `S` 288, `T` 4
fn most(list: &[(String, i128)]) -> String {
    list.iter().take(3).map(|(name, amount)| format!("`{name}` {amount}")).collect::<Vec<_>>().join(", ")
}
