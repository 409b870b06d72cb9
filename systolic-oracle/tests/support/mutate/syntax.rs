//! The text itself: separators, keywords, stray tokens.
use super::{Case, Kind, kind};
use proc_macro2::{TokenStream, TokenTree};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::{self, print_kernel};
use systolic_oracle::Random;

pub const KINDS: &[Kind] = &[
    kind("drop a separator", &[Syntax], drop_separator),
    kind("misspell a keyword", &[Syntax], misspell_keyword),
    kind("insert a stray token", &[Syntax], stray_token),
];

/// The byte range of every token; the delimiters of groups are separate entries.
pub fn token_ranges(tokens: TokenStream) -> Vec<(std::ops::Range<usize>, String)> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                all.push((group.span_open().byte_range(), "(".to_string()));
                all.extend(token_ranges(group.stream()));
                all.push((group.span_close().byte_range(), ")".to_string()));
            }
            other => all.push((other.span().byte_range(), other.to_string())),
        }
    }
    all
}

fn edit_token(
    case: &mut Case,
    pick: impl Fn(&str) -> bool,
    edit: impl FnOnce(&str, &mut Random) -> String,
) -> Option<String> {
    let mut text = print_kernel(&case.kernel);
    let tokens: Vec<_> = token_ranges(text.parse().ok()?).into_iter().filter(|(_, t)| pick(t)).collect();
    if tokens.is_empty() {
        return None;
    }
    let (range, word) = tokens[case.random.below(tokens.len())].clone();
    let new = edit(&word, case.random);
    text.replace_range(range, &new);
    case.text = Some(text);
    Some(new)
}

fn drop_separator(case: &mut Case) -> Option<()> {
    // If the removed token was a trailing comma, the text is still valid.
    let pick = |t: &str| matches!(t, ";" | "," | "else" | "in" | "for" | "by" | "kernel");
    edit_token(case, pick, |_, _| " ".to_string())?;
    let text = case.text.clone()?;
    let trailing = syntax::parse(text.parse().ok()?).faults.is_empty();
    (!trailing).then_some(())
}

fn misspell_keyword(case: &mut Case) -> Option<()> {
    let words = [
        "kernel",
        "for",
        "tile",
        "blocks",
        "space_time",
        "lanes",
        "unroll",
        "overlap",
        "border",
        "warps",
        "map",
        "stage",
        "resident",
        "ahead",
    ];
    let new = edit_token(case, |t| words.contains(&t), misspell)?;
    case.places = vec![new];
    Some(())
}

fn stray_token(case: &mut Case) -> Option<()> {
    let stray = case.random.pick(&["@", "$", "?", "=>", "::", "let", "..="]);
    edit_token(case, |t| matches!(t, ";" | "for" | "in" | "="), |word, _| format!(" {stray} {word}"))?;
    Some(())
}

pub fn misspell(word: &str, random: &mut Random) -> String {
    let at = random.below(word.len());
    match random.below(2) {
        0 if word.len() > 3 => format!("{}{}", &word[..at], &word[at + 1..]),
        _ => format!("{}{}", &word[..=at], &word[at..]),
    }
}
