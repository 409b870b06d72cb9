//! Where in a step the producer of a value stands.
use super::Ranges;
use crate::model::Int;

/// The times of the unrolled rows at which the producer runs, if the rows have such times: `at` are those of the consumer.
pub fn unrolled_source(rows: &[usize], at: &[Int], displacement: &[Int], ranges: &Ranges) -> Option<Vec<Int>> {
    let from = |(row, time): (&usize, &Int)| {
        let from = time - displacement[*row];
        ranges[*row].filter(|(low, high)| (*low..=*high).contains(&from)).map(|_| from)
    };
    rows.iter().zip(at).map(from).collect()
}

/// The lanes between producer and consumer and the register of the fold in which the producer stands, for a consumer in register
/// `register` and a dependence that moves by `by` along the folded row. With a fold of 4, a read of the element before goes to
/// register 0 of the same lane from register 1, and to register 3 of the lane before from register 0.
pub fn fold_source(fold: Int, register: Int, by: Int) -> (Int, Int) {
    let from = register - by;
    (-from.div_euclid(fold), from.rem_euclid(fold))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_keeps_neighbours_in_registers() {
        assert_eq!(fold_source(4, 1, 1), (0, 0));
        assert_eq!(fold_source(4, 0, 1), (1, 3));
        assert_eq!(fold_source(4, 3, -1), (-1, 0));
        assert_eq!(fold_source(1, 0, 3), (3, 0));
    }

    #[test]
    fn an_unrolled_row_ends() {
        let ranges = vec![Some((0, 3)), None];
        assert_eq!(unrolled_source(&[0], &[2], &[1, 7], &ranges), Some(vec![1]));
        assert_eq!(unrolled_source(&[0], &[0], &[1, 7], &ranges), None);
        assert_eq!(unrolled_source(&[], &[], &[1, 7], &ranges), Some(Vec::new()));
    }
}
