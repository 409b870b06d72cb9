//! The known name that a misspelt one most likely meant.

/// The candidate with the least edit distance, if it is near enough to be a typing mistake.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let far = distance(word, candidate);
        let near =
            far <= 1 + word.chars().count().max(candidate.chars().count()) / 4 && far < word.chars().count().max(2);
        // A single letter for another is no typing mistake, unless only the case differs.
        let tiny = word.chars().count() <= 1 && !word.eq_ignore_ascii_case(candidate) && !candidate.starts_with(word);
        if near && !tiny && best.is_none_or(|(d, _)| far < d) {
            best = Some((far, candidate));
        }
    }
    best.map(|(_, c)| c)
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
}
