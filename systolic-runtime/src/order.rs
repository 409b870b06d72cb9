//! The order in which the blocks of a launch take tickets, where blocks wait for others.
use crate::error::Error;

/// The order of blocks, and for whom each waits, as the compiler found them. A block has up to three coordinates; those that a
/// launch does not use are 0.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Tickets are in the order of the sum of these times the block, then of the block.
    pub tickets: [i64; 3],
    /// How far the blocks that a block waits for lie back.
    pub waits: &'a [[i64; 3]],
}

/// The largest number of blocks in order.
const MOST: u64 = 1 << 31;

impl Order<'_> {
    /// Returns all blocks of a grid of these lengths in the order of their tickets. A block is its number, counted with the last
    /// axis fastest. Fails if there are too many, or no memory for them.
    pub fn blocks(&self, lengths: [u64; 3]) -> Result<Vec<u32>, Error> {
        let count = lengths.iter().try_fold(1u64, |all, n| all.checked_mul(*n)).filter(|all| *all < MOST);
        let too_many = || {
            let value = lengths.iter().fold(1i128, |all, n| all.saturating_mul((*n).into()));
            Error::Limit { what: "the number of blocks in order".to_string(), value, limit: MOST.into() }
        };
        let count = count.ok_or_else(too_many)? as usize;
        let no_memory = |_| Error::no_memory("the order of blocks", count as u128, 16);
        let mut keys: Vec<(i64, u32)> = Vec::new();
        keys.try_reserve_exact(count).map_err(no_memory)?;
        let mut blocks = Vec::new();
        blocks.try_reserve_exact(count).map_err(no_memory)?;
        for number in 0..count as u32 {
            let at = coordinates(number, lengths);
            let ticket: i128 = at.iter().zip(self.tickets).map(|(b, c)| i128::from(*b) * i128::from(c)).sum();
            keys.push((i64::try_from(ticket).map_err(|_| too_many())?, number));
        }
        // Numbers are unique, so the order is the same however it is sorted.
        keys.sort_unstable();
        blocks.extend(keys.into_iter().map(|(_, number)| number));
        Ok(blocks)
    }

    /// Returns the numbers of the blocks that a block waits for.
    pub fn before(&self, number: u32, lengths: [u64; 3]) -> impl Iterator<Item = u32> {
        let at = coordinates(number, lengths);
        self.waits.iter().filter_map(move |delta| {
            let mut other = 0u64;
            for k in 0..3 {
                let along = u64::try_from((at[k] as i64).checked_sub(delta[k])?).ok().filter(|b| *b < lengths[k])?;
                other = other * lengths[k] + along;
            }
            u32::try_from(other).ok()
        })
    }
}

/// The coordinates of a block, counted from 0.
fn coordinates(number: u32, [_, rows, columns]: [u64; 3]) -> [u64; 3] {
    let (number, columns, rows) = (u64::from(number), columns.max(1), rows.max(1));
    [number / columns / rows, number / columns % rows, number % columns]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_follow_the_order_and_every_block_has_one() {
        let order = Order { tickets: [1, 1, 0], waits: &[[1, 0, 0], [0, 1, 0]] };
        assert_eq!(order.blocks([2, 3, 1]).unwrap(), [0, 1, 3, 2, 4, 5]);
        let before: Vec<u32> = order.before(4, [2, 3, 1]).collect();
        assert_eq!(before, [1, 3]);
        assert_eq!(order.before(0, [2, 3, 1]).count(), 0);
        assert!(order.blocks([0, 3, 1]).unwrap().is_empty());
    }

    #[test]
    fn a_block_never_waits_for_a_later_ticket() {
        for (tickets, waits) in [
            ([2, 1, 0], vec![[1, -1, 0], [0, 1, 0]]),
            ([-1, 1, 0], vec![[-1, 0, 0], [0, 1, 0], [-1, 1, 0]]),
            ([1, 1, 1], vec![[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, -1]]),
        ] {
            let (order, lengths) = (Order { tickets, waits: &waits }, [4, 5, 3]);
            let blocks = order.blocks(lengths).unwrap();
            let ticket = |block: u32| blocks.iter().position(|b| *b == block).unwrap();
            for block in &blocks {
                assert!(order.before(*block, lengths).all(|other| ticket(other) < ticket(*block)));
            }
        }
    }

    #[test]
    fn too_many_blocks_are_an_error() {
        let order = Order { tickets: [1, 1, 0], waits: &[] };
        assert!(order.blocks([1 << 20, 1 << 20, 1]).is_err());
        assert!(order.blocks([u64::MAX, u64::MAX, u64::MAX]).is_err());
    }
}
