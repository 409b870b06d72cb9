//! The known name that a misspelt one most likely meant.
use crate::sorted::sort;

/// The candidate with the least edit distance, if it is near enough to be a typing mistake. At the same distance a candidate with the
/// same letters is preferred: whoever writes `tahn` swapped two letters of `tanh`, rather than adding one to `tan`.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = sorted(word);
    let mut best: Option<((usize, bool), &str)> = None;
    for candidate in candidates {
        let far = distance(word, candidate);
        let near =
            far <= 1 + word.chars().count().max(candidate.chars().count()) / 4 && far < word.chars().count().max(2);
        // A single letter for another is no typing mistake, unless only the case differs.
        let tiny = word.chars().count() <= 1 && !word.eq_ignore_ascii_case(candidate) && !candidate.starts_with(word);
        let rank = (far, sorted(candidate) != letters);
        if near && !tiny && best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// The letters of a word in an order that does not depend on theirs.
fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    sort(&mut letters);
    letters
}

/// The number of edits between the first 64 characters of two words: insert, delete, replace, swap neighbours.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let mut best = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            best = best.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen() {
        assert_eq!(nearest("kernl", ["kernel", "map"]), Some("kernel"));
        assert_eq!(nearest("claml", ["zero", "clamp", "wrap"]), Some("clamp"));
        assert_eq!(nearest("f23", ["f32", "f64"]), Some("f32"));
        assert_eq!(nearest("c", ["C", "q"]), Some("C"));
        assert_eq!(nearest("k", ["i", "j"]), None);
        assert_eq!(nearest("tile", ["lanes", "blocks"]), None);
    }

    #[test]
    fn swapped_letters_are_preferred_at_the_same_distance() {
        assert_eq!(nearest("tahn", ["tan", "tanh"]), Some("tanh"));
        assert_eq!(nearest("tahn", ["tanh", "tan"]), Some("tanh"));
        assert_eq!(nearest("fro", ["for", "from", "fir"]), Some("for"));
        // A smaller distance counts more than the letters, and otherwise the first candidate wins.
        assert_eq!(nearest("edcab", ["abcde", "edcb"]), Some("edcb"));
        assert_eq!(nearest("son", ["sin", "sun"]), Some("sin"));
    }
}
