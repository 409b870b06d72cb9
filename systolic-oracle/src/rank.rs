//! The rank of an integer matrix, by fraction-free elimination.

/// The number of linearly independent rows.
pub fn rank(matrix: &[Vec<i128>]) -> usize {
    let mut rows: Vec<Vec<i128>> = matrix.to_vec();
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|r| rows[*r][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let top = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column];
            for (entry, above) in row.iter_mut().zip(&top) {
                *entry = *entry * top[column] - above * factor;
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
}
