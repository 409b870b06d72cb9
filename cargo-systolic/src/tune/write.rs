//! Puts a map into the source of a kernel, with one comment line. Every other byte of the file stays as it is.
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::ops::Range;
use systolic_compiler::syntax;
use systolic_compiler::syntax::tree;

/// The beginning of the comment lines that this module writes and replaces.
const COMMENT: &str = "// tuned: ";

/// A map to write: its text as `print_map` writes it, the same parsed, and the words of its comment.
pub struct Tuned<'t> {
    pub text: &'t str,
    pub map: &'t tree::Map,
    pub comment: &'t str,
}

/// The text of a file with this map in a kernel: in place of the map with the same name or none, device and condition, or
/// before all other maps. The blocks are the contents of the calls in the text, whose places count from `offset`.
pub fn with_map(
    text: &str,
    (blocks, offset): &(Vec<TokenStream>, usize),
    kernel: &str,
    tuned: &Tuned<'_>,
) -> Result<String, String> {
    let found = blocks.iter().find_map(|block| Some((body(block, kernel)?, parsed(block, kernel)?)));
    let (body, tree) = found.ok_or(format!("the kernel `{kernel}` was not found again in its file"))?;
    let maps = maps(&body, *offset);
    if maps.len() != tree.maps.len() {
        return Err(format!("could not find the maps of the kernel `{kernel}` in its file"));
    }
    let is_same = |map: &tree::Map| {
        map.name == tuned.map.name && map.on == tuned.map.on && map.conditions == tuned.map.conditions
    };
    let (place, line) = match (tree.maps.iter().position(is_same), maps.first()) {
        (Some(k), _) => (commented(text, maps[k].clone()), Line::At(maps[k].start)),
        (None, Some(first)) => (before(text, first.start), Line::At(first.start)),
        (None, None) => {
            let brace = start(body.span_close(), *offset);
            (before(text, brace), Line::Inside(brace))
        }
    };
    if !text.is_char_boundary(place.start) || !text.is_char_boundary(place.end) {
        return Err(format!("could not find the place of the map in the kernel `{kernel}`"));
    }
    Ok(spliced(text, place, line, tuned))
}

/// The line that gives the indentation.
enum Line {
    /// That of another map at this byte.
    At(usize),
    /// One level more than that of the kernel's closing brace at this byte.
    Inside(usize),
}

fn spliced(text: &str, place: Range<usize>, line: Line, tuned: &Tuned<'_>) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indent = match line {
        Line::At(byte) => indent(text, byte),
        Line::Inside(byte) => format!("{}    ", indent(text, byte)),
    };
    let mut lines = vec![format!("{indent}{COMMENT}{}", tuned.comment)];
    lines.extend(
        tuned.text.trim_end().lines().map(|line| format!("{indent}{}", line.strip_prefix("    ").unwrap_or(line))),
    );
    let written = lines.join(end);
    let (before, after) = (&text[..place.start], &text[place.end..]);
    let starts_line = before.is_empty() || before.ends_with('\n');
    let ends_line = after.starts_with(['\n', '\r']);
    // Something else on the line goes before or after it, with the indentation of its own.
    let first = if starts_line { "" } else { end };
    let last = match (ends_line, starts_line && place.is_empty()) {
        (true, _) => String::new(),
        (false, true) => end.to_string(),
        (false, false) => format!("{end}{}", indent.strip_suffix("    ").unwrap_or(&indent)),
    };
    let after =
        if last.is_empty() || (starts_line && place.is_empty()) { after } else { after.trim_start_matches(' ') };
    format!("{before}{first}{written}{last}{after}")
}

/// The body of a kernel in a block.
fn body(block: &TokenStream, kernel: &str) -> Option<Group> {
    let tokens: Vec<TokenTree> = block.clone().into_iter().collect();
    let at = tokens.windows(2).position(
        |pair| matches!(pair, [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "kernel" && name == kernel),
    )?;
    tokens[at..].iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.clone()),
        _ => None,
    })
}

fn parsed(block: &TokenStream, kernel: &str) -> Option<tree::Kernel> {
    syntax::parse(block.clone()).block.kernels.into_iter().find(|tree| tree.name.text == kernel)
}

/// The bytes of all maps in the body of a kernel: those after its loops.
fn maps(body: &Group, offset: usize) -> Vec<Range<usize>> {
    let is_brace =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let mut maps = Vec::new();
    let mut rest = tokens.split_inclusive(is_brace).skip(1);
    while let Some([first, .., TokenTree::Group(last)]) = rest.next() {
        maps.push(start(first.span(), offset)..start(last.span_close(), offset) + 1);
    }
    maps
}

fn start(span: Span, offset: usize) -> usize {
    span.byte_range().start + offset
}

/// The spaces before a byte's line, if there is nothing else before the byte; otherwise those of the line.
fn indent(text: &str, byte: usize) -> String {
    let line = text[..byte].rfind('\n').map_or(0, |end| end + 1);
    text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect()
}

/// The place before a byte: the beginning of its line, above the comments there, if nothing stands before it on the line.
fn before(text: &str, byte: usize) -> Range<usize> {
    let mut line = text[..byte].rfind('\n').map_or(0, |end| end + 1);
    if !text[line..byte].trim().is_empty() {
        // Without the spaces before the byte.
        let at = text[..byte].trim_end_matches(' ').len();
        return at..at;
    }
    while line > 0 {
        let above = text[..line - 1].rfind('\n').map_or(0, |end| end + 1);
        if !text[above..line].trim_start().starts_with("//") {
            break;
        }
        line = above;
    }
    line..line
}

/// The bytes of a map with the comment that was written with it, and the spaces before both.
fn commented(text: &str, map: Range<usize>) -> Range<usize> {
    let line = text[..map.start].rfind('\n').map_or(0, |end| end + 1);
    if !text[line..map.start].trim().is_empty() {
        return text[..map.start].trim_end_matches(' ').len()..map.end;
    }
    let above = text[..line.saturating_sub(1)].rfind('\n').map_or(0, |end| end + 1);
    let is_ours = line > 0 && text[above..line].trim_start().starts_with(COMMENT);
    (if is_ours { above } else { line })..map.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic_compiler::check;
    use systolic_compiler::fill::read;

    const MAP: &str =
        "    map on cpu {\n        tile n by 32 as (nb, ni);\n        blocks (nb);\n        lanes ni;\n    }\n";
    const KERNEL: &str = "kernel twice(x: [f32; N]) -> (y: [f32; N])";

    /// The contents of all calls in a text without a package around it.
    fn blocks(text: &str) -> (Vec<TokenStream>, usize) {
        let tokens: Vec<TokenTree> = text.parse::<TokenStream>().expect("tokens").into_iter().collect();
        let groups = tokens.iter().filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
            _ => None,
        });
        (groups.collect(), 0)
    }

    fn tuned(text: &str) -> String {
        let blocks = blocks(text);
        let tree = blocks.0.iter().find_map(|block| parsed(block, "twice")).expect("a kernel");
        let map = read(&tree, MAP).expect("a map");
        let after = with_map(text, &blocks, "twice", &Tuned { text: MAP, map: &map, comment: "here" }).expect("a text");
        for block in super::tests::blocks(&after).0 {
            assert!(check(block).faults.is_empty(), "{after}");
        }
        after
    }

    #[test]
    fn into_a_kernel_without_maps() {
        let text = format!(
            "// ä\nsystolic! {{\n    {KERNEL} {{\n        for n in 0..N {{ y[n] = x[n]; }} // end\n    }}\n}}\nfn f() {{}}\n"
        );
        let expected = format!(
            "// ä\nsystolic! {{\n    {KERNEL} {{\n        for n in 0..N {{ y[n] = x[n]; }} // end\n        // tuned: here\n        \
             map on cpu {{\n            tile n by 32 as (nb, ni);\n            blocks (nb);\n            lanes ni;\n        }}\n    }}\n}}\nfn f() {{}}\n"
        );
        assert_eq!(tuned(&text), expected);
        // Again: the same place, one map.
        assert_eq!(tuned(&expected), expected);
        let windows = text.replace('\n', "\r\n");
        assert_eq!(tuned(&windows), expected.replace('\n', "\r\n"));
        assert_eq!(tuned(&expected.replace("by 32", "by  64").replace("lanes ni;", "lanes ni fold 2;")), expected);
    }

    #[test]
    fn before_other_maps_and_their_comments() {
        let text = format!(
            "systolic! {{\n{KERNEL} {{\n    for n in 0..N {{ y[n] = x[n]; }}\n\n    // For a GPU.\n    map on gpu {{ tile n by 32 as (a, b); blocks (a); \
             lanes b; }}\n    map wide on cpu {{ tile n by 64 as (a, b); blocks (a); lanes b fold 2; }}\n}}\n}}\n"
        );
        let at = text.find("    // For").expect("a comment");
        let expected = format!("{}    // tuned: here\n{MAP}{}", &text[..at], &text[at..]);
        assert_eq!(tuned(&text), expected);
    }

    #[test]
    fn into_one_line() {
        let text = format!("systolic! {{ {KERNEL} {{ for n in 0..N {{ y[n] = x[n]; }} }} }}\n");
        let expected =
            format!("systolic! {{ {KERNEL} {{ for n in 0..N {{ y[n] = x[n]; }}\n    // tuned: here\n{MAP}}} }}\n");
        assert_eq!(tuned(&text), expected);
        let mapped = format!(
            "systolic! {{ {KERNEL} {{ for n in 0..N {{ y[n] = x[n]; }} map on cpu {{ tile n by 64 as (a, b); blocks (a); \
                              lanes b fold 2; }} }} }}\n"
        );
        let after = tuned(&mapped);
        assert!(!after.contains("by 64") && after.contains("by 32"), "{after}");
        assert_eq!(tuned(&after), after);
    }
}
