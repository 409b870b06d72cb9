//! Local alignment of many pairs of sequences with affine gaps: the score of each pair.
use crate::Plan;
use crate::contest::{Contest, Contestant, Cores, Role, Run, Standing};
use crate::data::Random;
use crate::kernels::{smith_waterman_pairs, smith_waterman_waves};
use crate::pool::timed;
use bio::alignment::pairwise::Aligner;
use block_aligner::scan_block::{Block, PaddedBytes};
use block_aligner::scores::{Gaps, NucMatrix};
use rayon::prelude::*;
use std::time::Duration;
use systolic::ndarray::{Array2, ArrayView1, Axis};
use systolic::{Cpu, Error};

/// Numbers of pairs and lengths of their sequences. A length is a power of 2, because the blocks of a peer are.
const BATCHES: [(usize, usize); 2] = [(256, 512), (64, 1024)];

/// A gap costs `OPEN`, each further letter `EXTEND`.
const OPEN: i8 = 5;
const EXTEND: i8 = 1;
const HIT: i8 = 2;
const MISS: i8 = -3;

type Ours = fn(&Array2<u8>, &Array2<u8>) -> Result<Vec<i32>, Error>;

macro_rules! map {
    ($kernel:ident) => {
        |a, b| {
            let [open, extend, hit, miss] = [OPEN, EXTEND, HIT, MISS].map(i32::from);
            // Vectors of 32-bit letters can be compared, vectors of bytes cannot.
            let (a, b) = (a.mapv(i32::from), b.mapv(i32::from));
            let best = $kernel::run(&Cpu, &a, &b, open, extend, hit, miss)?;
            Ok(best.rows().into_iter().map(|row| row.iter().copied().fold(0, i32::max)).collect())
        }
    };
}

const MAPS: [(&str, Ours); 2] =
    [("ours, waves", map!(smith_waterman_waves)), ("ours, pairs", map!(smith_waterman_pairs))];

/// Holds every requested contest.
pub fn contests(plan: &Plan) -> Result<Vec<Standing>, String> {
    Ok(BATCHES.iter().filter_map(|(pairs, length)| contest(plan, *pairs, *length)).collect())
}

fn contest(plan: &Plan, pairs: usize, length: usize) -> Option<Standing> {
    let title = format!("smith-waterman {length}");
    if !plan.wants(&title) {
        return None;
    }
    let (a, b) = &batch(pairs, length);
    let expected = &scores(Cores::All, a, b, || local);
    let mut contestants = Vec::new();
    for cores in Cores::BOTH {
        let mut add = |name: &str, role, run| {
            let check = Box::new(move |found: &Vec<i32>| same(found, expected));
            contestants.push(Contestant { name: name.to_string(), cores, role, run: Ok(run), check });
        };
        for (name, map) in MAPS {
            add(name, Role::Ours, ours(cores, map, a, b));
        }
        add("loop, rows", Role::Peer, each(cores, a, b, || local));
        add("bio", Role::Peer, each(cores, a, b, || bio(length)));
        add("block-aligner", Role::Peer, each(cores, a, b, || blocks(length)));
    }
    let work = format!("{pairs} pairs of {length} letters, the score of each");
    let spoil: fn(&mut Vec<i32>) = |scores| scores.fill(-1);
    Some(Contest { title, work, goal: 1.0, contestants, output: vec![-1; pairs], spoil }.hold(plan.rounds))
}

/// Random sequences, and relatives of them with some letters changed, removed or inserted.
fn batch(pairs: usize, length: usize) -> (Array2<u8>, Array2<u8>) {
    let mut random = Random::new(3);
    let mut letter = move || b"ACGT"[(random.bits() % 4) as usize];
    let a = Array2::from_shape_simple_fn((pairs, length), &mut letter);
    let mut b = Array2::from_shape_simple_fn((pairs, length), &mut letter);
    let mut random = Random::new(4);
    for (a, mut b) in a.rows().into_iter().zip(b.rows_mut()) {
        let (mut from, mut to) = (0, 0);
        while from < length && to < length {
            match random.bits() % 40 {
                0 => from += 1,
                1 => to += 1,
                2 | 3 => (from, to) = (from + 1, to + 1),
                _ => {
                    b[to] = a[from];
                    (from, to) = (from + 1, to + 1);
                }
            }
        }
    }
    (a, b)
}

fn same(found: &[i32], expected: &[i32]) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} scores instead of {}", found.len(), expected.len()));
    }
    let wrong = found.iter().zip(expected).position(|(f, e)| f != e);
    wrong.map_or(Ok(()), |k| Err(format!("pair {k}: {} instead of {}", found[k], expected[k])))
}

fn ours<'a>(cores: Cores, map: Ours, a: &'a Array2<u8>, b: &'a Array2<u8>) -> Run<'a, Vec<i32>> {
    Box::new(move |scores, _| {
        let (time, found) = timed(cores, || map(a, b))?;
        *scores = found.map_err(|e| e.to_string())?;
        Ok(time)
    })
}

/// A peer that takes one pair after another; `make` is called once per thread.
fn each<'a, F: FnMut(&[u8], &[u8]) -> i32>(
    cores: Cores,
    a: &'a Array2<u8>,
    b: &'a Array2<u8>,
    make: impl Fn() -> F + Sync + Send + Copy + 'a,
) -> Run<'a, Vec<i32>> {
    Box::new(move |found, _| {
        let (time, scores): (Duration, Vec<i32>) = timed(cores, || scores(cores, a, b, make))?;
        *found = scores;
        Ok(time)
    })
}

/// The score of each pair.
fn scores<F: FnMut(&[u8], &[u8]) -> i32>(
    cores: Cores,
    a: &Array2<u8>,
    b: &Array2<u8>,
    make: impl Fn() -> F + Sync + Send,
) -> Vec<i32> {
    let letters = |sequence: ArrayView1<'_, u8>| sequence.to_vec();
    let score = |align: &mut F, k: usize| align(&letters(a.index_axis(Axis(0), k)), &letters(b.index_axis(Axis(0), k)));
    let part = a.nrows().div_ceil(8 * cores.count()).max(1);
    let all: Vec<usize> = (0..a.nrows()).collect();
    let some = |part: &[usize]| {
        let mut align = make();
        part.iter().map(|k| score(&mut align, *k)).collect::<Vec<_>>()
    };
    all.par_chunks(part).flat_map_iter(some).collect()
}

/// Gotoh's recurrence, keeping two rows.
fn local(a: &[u8], b: &[u8]) -> i32 {
    let [open, extend, hit, miss] = [OPEN, EXTEND, HIT, MISS].map(i32::from);
    const NEVER: i32 = -1_000_000;
    let (mut h, mut f) = (vec![0; b.len() + 1], vec![NEVER; b.len() + 1]);
    let mut best = 0;
    for a in a {
        let (mut diagonal, mut left, mut e) = (0, 0, NEVER);
        for ((h, f), b) in h[1..].iter_mut().zip(&mut f[1..]).zip(b) {
            e = (e - extend).max(left - open);
            *f = (*f - extend).max(*h - open);
            let letters = if a == b { hit } else { miss };
            left = 0.max(e).max(*f).max(diagonal + letters);
            diagonal = std::mem::replace(h, left);
            best = best.max(left);
        }
    }
    best
}

/// `bio` also computes the path; it cannot do without.
fn bio(length: usize) -> impl FnMut(&[u8], &[u8]) -> i32 {
    let [open, extend, hit, miss] = [OPEN, EXTEND, HIT, MISS].map(i32::from);
    let score = move |a: u8, b: u8| if a == b { hit } else { miss };
    let mut aligner = Aligner::with_capacity(length, length, -open, -extend, score);
    move |a, b| aligner.local(a, b).score
}

/// `block-aligner` with one block as large as the sequences, which makes it exact. It also finds where the best
/// alignment ends.
fn blocks(length: usize) -> impl FnMut(&[u8], &[u8]) -> i32 {
    let size = (length + 1).next_power_of_two();
    let matrix = NucMatrix::new_simple(HIT, MISS);
    let gaps = Gaps { open: -OPEN, extend: -EXTEND };
    let mut block = Block::<false, true, true>::new(length, length, size);
    let (mut query, mut reference) =
        (PaddedBytes::new::<NucMatrix>(length, size), PaddedBytes::new::<NucMatrix>(length, size));
    move |a, b| {
        query.set_bytes::<NucMatrix>(a, size);
        reference.set_bytes::<NucMatrix>(b, size);
        block.align(&query, &reference, &matrix, gaps, size..=size, i32::MAX / 2);
        block.res().score
    }
}
