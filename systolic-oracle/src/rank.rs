//! The rank of an integer matrix, whatever the size of its entries.

/// Primes below 2⁶³. A minor that is not zero is divisible by all three only from 2¹⁸⁶ on.
const PRIMES: [i128; 3] = [(1 << 61) - 1, (1 << 62) - 57, (1 << 63) - 25];

/// The number of linearly independent rows: the greatest rank modulo a prime.
pub fn rank(matrix: &[Vec<i128>]) -> usize {
    PRIMES.iter().map(|prime| rank_modulo(matrix, *prime)).max().unwrap_or(0)
}

fn rank_modulo(matrix: &[Vec<i128>], prime: i128) -> usize {
    let mut rows: Vec<Vec<i128>> =
        matrix.iter().map(|row| row.iter().map(|entry| entry.rem_euclid(prime)).collect()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|r| rows[*r][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let top = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column];
            for (entry, above) in row.iter_mut().zip(&top) {
                *entry = (*entry * top[column] % prime - above * factor % prime).rem_euclid(prime);
            }
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn a_combination_adds_nothing() {
        assert_eq!(rank(&[vec![1, 2, 3], vec![0, 1, 1], vec![2, 5, 7]]), 2);
        assert_eq!(rank(&[vec![0, 2], vec![3, 0]]), 2);
        assert_eq!(rank(&[vec![0, 0], vec![0, 0]]), 0);
        assert_eq!(rank(&[]), 0);
    }

    #[test]
    fn large_entries_do_not_overflow() {
        let large = 1_i128 << 60;
        let rows = |last: i128| -> Vec<Vec<i128>> {
            (0..4)
                .map(|r| (0..4).map(|c| large + r * c * c + if (r, c) == (3, 3) { last } else { 0 }).collect())
                .collect()
        };
        assert_eq!(rank(&rows(0)), 2);
        assert_eq!(rank(&rows(1)), 3);
    }
}
