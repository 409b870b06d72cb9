//! Loads of coming steps: so that memory is not waited for, what a step loads is asked for some steps before. Short steps
//! are also written several times over, so that less moves from register to register.
use super::super::{Condition, Line, Operation, Piece, Program, Step};
use super::least::range;
use crate::mapping::Target;
use crate::model::{Array, Int};
use crate::target::{GPU, tuning};

/// How far a piece looks ahead, how often its step is written, and what that may take at most.
struct Way {
    ahead: usize,
    written: usize,
    /// Instructions of the loop, as often as it is written. What is long hides its loads by itself.
    longest: usize,
    /// Words a lane, of carried values and of loads to come.
    most_words: usize,
}

/// The best first.
const WAYS: [Way; 3] = [
    Way { ahead: 3, written: 3, longest: tuning::UNROLLED_INSTRUCTIONS, most_words: 112 },
    Way { ahead: 2, written: 2, longest: tuning::UNROLLED_INSTRUCTIONS, most_words: 120 },
    Way { ahead: 1, written: 1, longest: usize::MAX, most_words: 136 },
];
/// Blocks at edges are few: they look ahead too, or the others would wait for them, but by no more text.
const AT_EDGES: [Way; 1] = [Way { ahead: 1, written: 1, longest: usize::MAX, most_words: 170 }];
/// The same where they also load one by one: that takes registers.
const ALONE_AT_EDGES: [Way; 1] = [Way { most_words: 110, ..AT_EDGES[0] }];

/// On a CPU the runtime asks for rows ahead.
pub fn ahead(program: &mut Program) {
    if program.target != Target::Gpu || program.frame.loops.is_empty() {
        return;
    }
    let carried = program.carried_words() as usize;
    let room = program.room();
    let mut pieces = std::mem::take(&mut program.pieces);
    for piece in pieces.iter_mut().filter(|p| is_long(p)) {
        let alone = piece.step.wide_loads.iter().any(|wide| wide.when != Condition::True);
        let ways = match piece.at_edge {
            true if alone => &ALONE_AT_EDGES[..],
            true => &AT_EDGES[..],
            false => &WAYS[..],
        };
        let (each, length) = (loaded(program, &piece.step), instructions(&piece.step));
        let fits = |way: &&Way| {
            let most_words = way.most_words * room / GPU.lane_registers as usize;
            way.written * length <= way.longest && carried + (way.ahead + 1) * each <= most_words
        };
        let way = match program.wishes.ahead {
            Some(0) => None,
            Some(wish) if ways.len() > 1 => Some(wished(wish, length)),
            _ => ways.iter().find(fits).map(|way| (way.ahead, way.written)),
        };
        if let Some(way) = way.filter(|_| each > 0) {
            (piece.ahead, piece.written) = way;
        }
    }
    // A short one before a long one that loads alike begins what that goes on with.
    for k in (1..pieces.len()).rev() {
        let (before, after) = pieces.split_at_mut(k);
        let (Some(short), Some(next)) = (before.last_mut(), after.first()) else { continue };
        if short.ahead == 0
            && !is_long(short)
            && short.when == next.when
            && loads(program, short) == loads(program, next)
        {
            short.ahead = next.ahead;
        }
    }
    program.pieces = pieces;
}

/// As far ahead as the map asks, and written as often, so that nothing moves from register to register; once where that is
/// more than an instruction cache holds.
fn wished(ahead: Int, length: usize) -> (usize, usize) {
    let ahead = ahead as usize;
    (ahead, if ahead * length <= tuning::UNROLLED_INSTRUCTIONS { ahead.max(1) } else { 1 })
}

fn is_long(piece: &Piece) -> bool {
    range(&piece.low, &piece.high).is_none_or(|(low, high)| high - low + 1 >= tuning::PREFETCHED_LOOP)
}

/// Words that a step loads from memory.
fn loaded(program: &Program, step: &Step) -> usize {
    fetched(program, step).map(|l| l.made.ty.words()).sum()
}

fn loads<'p>(program: &Program, piece: &'p Piece) -> Vec<&'p Line> {
    fetched(program, &piece.step).collect()
}

/// The lines that load from memory.
fn fetched<'s>(program: &Program, step: &'s Step) -> impl Iterator<Item = &'s Line> {
    step.lines.iter().filter(|l| is_fetched(program, &l.made.operation))
}

/// Whether it is a load from memory.
pub fn is_fetched(program: &Program, operation: &Operation) -> bool {
    matches!(operation, Operation::Load { array: array @ Array::Parameter(_), .. } if program.in_memory(*array))
}

fn instructions(step: &Step) -> usize {
    step.operations() + 2 * step.stores.len()
}
