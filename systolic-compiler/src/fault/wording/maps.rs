//! The text of the laws on maps, from `matrix` to `resources`.
use super::super::*;
use super::{LIMIT, count, other, point, quoted, times};

pub fn matrix(fact: &MatrixFact) -> String {
    match fact {
        MatrixFact::Rows { expected, found } => {
            format!("expected {}, one per new loop, found {found}", count(*expected, "row", "rows"))
        }
        MatrixFact::Columns { expected, found } => {
            format!("expected {}, one per old loop, found {found}", count(*expected, "entry", "entries"))
        }
        MatrixFact::Dependent { row, combination } => {
            format!("the row of `{row}` is not independent: {combination}")
        }
        MatrixFact::Entry { text, limit } => format!("the entry `{text}` is beyond ±{limit}: a limit"),
        MatrixFact::Repeated { name } => format!("`{name}` occurs twice among the old loops"),
        MatrixFact::TooManyRows { rows, loops } => {
            format!("{rows} rows over {} cannot be independent", count(*loops, "loop", "loops"))
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
        CollisionFact::Same { place } => format!("two points have the same place and step: {}", times(place)),
        CollisionFact::Undecided => {
            format!("could not decide whether two points have the same place and step; {LIMIT}")
        }
    }
}

pub fn collision_proof(witness: &Witness) -> String {
    format!("points {} and {}", point(&witness.point), other(witness))
}

pub fn lanes(fact: &LanesFact) -> String {
    match fact {
        LanesFact::NoLanes => "the map has no `lanes`, so it does not say which loop runs across the warp".to_string(),
        LanesFact::NothingFits => {
            "the clauses of this automatic map leave no loop for the lanes: `tile` one, or leave one out".to_string()
        }
        LanesFact::RunTime { row } => {
            format!("the extent of `{row}` is known only at run time; a warp has 32 lanes")
        }
        LanesFact::TooMany { rows, extent, limit, fold } => {
            let have = if rows.len() == 1 { "has" } else { "together have" };
            let room = match fold {
                1 => "a warp has only 32 lanes".to_string(),
                _ => format!("32 lanes with a fold of {fold} hold only {limit}"),
            };
            format!("{} {have} {extent} values, but {room}", quoted(rows))
        }
        LanesFact::TooManyWarps { rows, extent } => {
            let give = if rows.len() == 1 { "gives" } else { "together give" };
            format!("{} {give} {extent} warps, but a block has at most 32", quoted(rows))
        }
        LanesFact::Undecided { row } => format!("could not decide how far `{row}` extends; {LIMIT}"),
    }
}

pub fn causality(fact: &CausalityFact) -> String {
    match fact {
        CausalityFact::Later { look, row } => {
            format!("`{}` is used before it is computed: along `{row}` the read goes to a later step", look.variable)
        }
        CausalityFact::LaterLaunch { variable, row, .. } => {
            format!("`{variable}` is used before it is computed: along `{row}` the read goes to a later launch")
        }
        CausalityFact::Undecided { variable } => {
            format!("could not decide whether `{variable}` is used before it is computed; {LIMIT}")
        }
    }
}

pub fn causality_proof(fact: &CausalityFact, witness: &Witness) -> String {
    match fact {
        CausalityFact::Later { look, .. } => looks(look, witness),
        CausalityFact::LaterLaunch { row, runs, computed, .. } => format!(
            "point {} runs in launch {row} = {runs}; it reads {}, computed in launch {row} = {computed}",
            point(&witness.point),
            other(witness)
        ),
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
        times(&look.computed)
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
            let chain = parts.join(", which needs ").replacen(", which needs ", " needs ", 1);
            format!("the values of one step need each other across lanes: {chain}")
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
            format!("`{variable}` is computed in another block of `{loop_name}`, and blocks run in any order")
        }
        BlocksFact::Narrow { variable, of, .. } => {
            format!("the overlap of `{of}` is too narrow: a value of `{variable}` that the tile needs lies outside it")
        }
        BlocksFact::Lengths { length, loop_name } => format!(
            "`{length}` differs between the points of a step, unless `{loop_name}` is a whole loop of blocks, launches or \
             time: a limit"
        ),
        BlocksFact::ShiftedLengths { length, loop_name } => {
            format!("a variable is shifted along `{loop_name}`, on which the length `{length}` depends: a limit")
        }
        BlocksFact::Ring { loops, ring } => {
            let vector = |delta: &[i128]| delta.iter().map(i128::to_string).collect::<Vec<_>>().join(", ");
            let part = |(count, delta): &(i128, Vec<i128>)| match count {
                1 => format!("({})", vector(delta)),
                count => format!("{count} times ({})", vector(delta)),
            };
            let parts: Vec<String> = ring.iter().map(part).collect();
            format!(
                "the blocks ({}) would wait for each other: the distances {} lead back to the same block",
                loops.join(", "),
                parts.join(" and ")
            )
        }
        BlocksFact::Displacements { count, limit } => {
            format!("a block would wait for {count} other blocks, more than {limit}: a limit")
        }
        BlocksFact::OverlapInOrder { of } => {
            format!("the tiles of `{of}` overlap, and values cross blocks that run in order; {LIMIT}")
        }
        BlocksFact::Undecided { variable } => {
            format!("could not decide for `{variable}` whether a block computes all values that it reads; {LIMIT}")
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
        BlocksFact::Lengths { .. }
        | BlocksFact::ShiftedLengths { .. }
        | BlocksFact::Ring { .. }
        | BlocksFact::Displacements { .. }
        | BlocksFact::OverlapInOrder { .. }
        | BlocksFact::Undecided { .. } => String::new(),
    }
}

pub fn resources(fact: &ResourcesFact) -> String {
    match fact {
        ResourcesFact::Parameters { bytes, limit } => {
            format!("the parameters take {bytes} bytes, but a launch passes at most {limit}")
        }
        ResourcesFact::Instances { count, limit } => {
            format!("`unroll` and `fold` need {count} copies of the step, more than {limit}: a limit")
        }
        ResourcesFact::Registers { registers, limit, variables } => {
            let most = most(variables);
            format!("values kept for later steps take {registers} registers per lane, more than {limit}: {most}")
        }
        ResourcesFact::Steps { row, evaluations, points, per_point } => format!(
            "a block evaluates the equations {evaluations} times for at most {points} points, more than {per_point} times per \
             point: most steps along `{row}` have no point"
        ),
        ResourcesFact::Scratch { bytes, points, variables } => {
            let most = most(variables);
            format!(
                "values kept for later steps take {bytes} bytes of memory per block, which has at most {points} points: {most}"
            )
        }
        ResourcesFact::Shared { bytes, limit, parts } => {
            let most = most(parts);
            format!("a block takes {bytes} bytes of shared memory, more than {limit}: {most}")
        }
    }
}

/// The first three of a list: `S` 288, `T` 4
fn most(list: &[(String, i128)]) -> String {
    list.iter().take(3).map(|(name, amount)| format!("`{name}` {amount}")).collect::<Vec<_>>().join(", ")
}
