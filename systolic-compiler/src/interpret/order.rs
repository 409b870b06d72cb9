//! The order in which blocks run: launch by launch; in a launch any order, or one that tickets and waiting allow.
use super::{Random, Trap};
use crate::program::Tickets;
use crate::schedule::Schedule;
use std::collections::BTreeSet;

/// The blocks of all launches, given in the order of their axes.
pub fn blocks(program: &Schedule, blocks: Vec<Vec<i64>>, random: &mut Random) -> Result<Vec<Vec<i64>>, Trap> {
    let launches = program.frame.launches;
    let mut ordered = Vec::with_capacity(blocks.len());
    for launch in blocks.chunk_by(|a, b| a[..launches] == b[..launches]) {
        let mut launch = launch.to_vec();
        match &program.tickets {
            Some(tickets) => ordered.extend(by_tickets(tickets, launches, launch, random)?),
            None => {
                random.shuffle(&mut launch);
                ordered.extend(launch);
            }
        }
    }
    Ok(ordered)
}

/// Some blocks are resident at a time: those with the lowest tickets that have not ended. Any of them that waits for none may run
/// next. Fails if all of them wait.
fn by_tickets(
    tickets: &Tickets,
    launches: usize,
    mut blocks: Vec<Vec<i64>>,
    random: &mut Random,
) -> Result<Vec<Vec<i64>>, Trap> {
    let number =
        |block: &[i64]| -> i128 { block[launches..].iter().zip(&tickets.order).map(|(b, c)| i128::from(*b) * c).sum() };
    blocks.sort_by_key(|block| (number(block), block.clone()));
    let resident = [1, 2, 3, usize::MAX][random.below(4)];
    let mut open: BTreeSet<Vec<i64>> = blocks.iter().cloned().collect();
    let mut ordered = Vec::with_capacity(blocks.len());
    while !blocks.is_empty() {
        let waits = |block: &[i64]| {
            let before = |delta: &Vec<i128>| -> Vec<i64> {
                let grid = block[launches..].iter().zip(delta).map(|(b, d)| b - *d as i64);
                block[..launches].iter().copied().chain(grid).collect()
            };
            tickets.waits.iter().any(|delta| open.contains(&before(delta)))
        };
        let ready: Vec<usize> = (0..blocks.len().min(resident)).filter(|k| !waits(&blocks[*k])).collect();
        if ready.is_empty() {
            return Err(Trap::Malformed("all resident blocks wait"));
        }
        let block = blocks.remove(ready[random.below(ready.len())]);
        open.remove(&block);
        ordered.push(block);
    }
    Ok(ordered)
}
