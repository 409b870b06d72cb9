//! Shortens a long text of code, so that a page stays small. What is left out least disturbs: boundary versions before the interior
//! one, which comes first in the text; then lines at the end.
use systolic_compiler::explain::CodeLine;

/// The fewest lines that are left out in one place.
const FEW: usize = 12;

/// The same lines, or fewer, so that `weight` is at most `most`. A line says how many are missing where.
pub fn cut(lines: &[CodeLine], most: usize, weight: impl Fn(&[CodeLine]) -> usize) -> Vec<CodeLine> {
    let mut kept = lines.to_vec();
    // For how many lines each of these stands.
    let mut counts = vec![1; kept.len()];
    while weight(&kept) > most {
        let Some((from, to)) = least(&kept) else { return ended(&kept, &counts, most, weight) };
        let missing = counts[from..to].iter().sum();
        let note = note(missing, indent(&kept[from].text));
        kept.splice(from..to, [note]);
        counts.splice(from..to, [missing]);
    }
    kept
}

/// A comment in place of lines.
fn note(missing: usize, indent: usize) -> CodeLine {
    CodeLine { text: format!("{:indent$}// … {missing} lines are left out here", ""), ..CodeLine::default() }
}

/// The lines that are missed least, from the first to the one after the last: the body once more for indices of 64 bits, then the
/// longest branch after another.
fn least(lines: &[CodeLine]) -> Option<(usize, usize)> {
    let inside = |k: usize| (k + 1, end(lines, k));
    let is_long = |(from, to): &(usize, usize)| to - from >= FEW;
    let nearer = lines.iter().position(|line| line.text.trim() == "namespace nearer {").map(inside).filter(is_long);
    let branches = (0..lines.len()).filter(|k| lines[*k].text.trim_start().starts_with("} else")).map(inside);
    nearer.or_else(|| branches.filter(is_long).max_by_key(|(from, to)| to - from))
}

/// The line that closes the block which a line opens.
fn end(lines: &[CodeLine], open: usize) -> usize {
    let own = indent(&lines[open].text);
    let closes = |line: &CodeLine| !line.text.trim().is_empty() && indent(&line.text) <= own;
    lines[open + 1..].iter().position(closes).map_or(lines.len(), |k| open + 1 + k)
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The first lines, as many as may stay.
fn ended(lines: &[CodeLine], counts: &[usize], most: usize, weight: impl Fn(&[CodeLine]) -> usize) -> Vec<CodeLine> {
    let first = |count: usize| {
        let end = note(counts[count..].iter().sum(), 0);
        lines[..count].iter().cloned().chain([end]).collect::<Vec<_>>()
    };
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if weight(&first(middle)) <= most { low = middle } else { high = middle - 1 }
    }
    first(low)
}

#[cfg(test)]
mod tests {
    use super::cut;
    use systolic_compiler::explain::CodeLine;

    fn lines(text: &str) -> Vec<CodeLine> {
        text.lines().map(|line| CodeLine { text: line.to_string(), ..CodeLine::default() }).collect()
    }

    fn shortened(text: &str, most: usize) -> String {
        let kept = cut(&lines(text), most, |lines| lines.len());
        kept.iter().map(|line| line.text.clone() + "\n").collect()
    }

    /// A block of this many lines.
    fn block(name: &str, count: usize) -> String {
        (0..count).map(|k| format!("    {name}{k};\n")).collect()
    }

    #[test]
    fn the_interior_stays() {
        let (one, two, three) = (block("a", 30), block("b", 20), block("c", 40));
        let text = format!("if (inside) {{\n{one}}} else if (left) {{\n{two}}} else {{\n{three}}}\n");
        assert_eq!(shortened(&text, 200), text);
        let left_out = |count| format!("    // … {count} lines are left out here\n");
        let once = format!("if (inside) {{\n{one}}} else if (left) {{\n{two}}} else {{\n{}}}\n", left_out(40));
        assert_eq!(shortened(&text, 60), once);
        let twice =
            format!("if (inside) {{\n{one}}} else if (left) {{\n{}}} else {{\n{}}}\n", left_out(20), left_out(40));
        assert_eq!(shortened(&text, 50), twice);
    }

    #[test]
    fn the_copy_for_64_bits_goes_first() {
        let text = format!("f {{\n{}}}\nnamespace nearer {{\n{}}}\nlast\n", block("a", 30), block("a", 30));
        let expected =
            format!("f {{\n{}}}\nnamespace nearer {{\n    // … 30 lines are left out here\n}}\nlast\n", block("a", 30));
        assert_eq!(shortened(&text, 50), expected);
    }

    #[test]
    fn then_the_end_goes() {
        let text = block("a", 100);
        assert_eq!(shortened(&text, 11), block("a", 10) + "// … 90 lines are left out here\n");
        assert_eq!(shortened(&text, 0).lines().count(), 1);
        // What was left out before counts as well.
        let text = format!("if (inside) {{\n{}}} else {{\n{}}}\n", block("a", 30), block("b", 40));
        assert_eq!(shortened(&text, 5), format!("if (inside) {{\n{}// … 69 lines are left out here\n", block("a", 3)));
    }
}
