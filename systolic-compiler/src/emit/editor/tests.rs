//! Checks the expansion for editors by the places of its tokens: an editor knows nothing else.
use crate::expand_for_editor;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

const BLOCK: &str = "/// Sums.
    pub kernel scan(x: [f32; N], start: f32) -> (y: [f32; N]) {
        for n in 0..N { S[n] = x[n] + if n == 0 { start } else { S[n - 1] }; y[n] = S[n]; }
    }
    kernel twice<type T in [f32, f64]>(x: [T; M]) -> (y: [T; M]) {
        for m in 0..M { y[m] = x[m] + x[m]; }
        map rows { tile m by 32 as (mb, mi); blocks (mb); lanes mi; }
    }";

fn krate() -> TokenStream {
    quote!((::systolic))
}

/// The expansion. No place before a token can be made here: a token that should stand there stands where all emitted code does.
fn expanded(text: &str) -> TokenStream {
    let (krate, block): (TokenStream, TokenStream) = (krate(), text.parse().expect("tokens"));
    expand_for_editor(quote!(#krate #block), &|_| Span::call_site())
}

/// All identifiers of some tokens.
fn identifiers(tokens: TokenStream) -> Vec<Ident> {
    let each = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => identifiers(group.stream()),
        TokenTree::Ident(word) => vec![word],
        _ => Vec::new(),
    });
    each.collect()
}

/// The lines and columns of all identifiers with this text that stand at a token of the user's.
fn places(text: &str, of: &str) -> Vec<(usize, usize)> {
    let nowhere = Span::call_site().start();
    let all = identifiers(expanded(text)).into_iter().filter(|word| word == of).map(|word| word.span().start());
    let mut all: Vec<(usize, usize)> = all.filter(|at| *at != nowhere).map(|at| (at.line, at.column)).collect();
    all.sort();
    all
}

/// Where a word stands in a text.
fn written(text: &str, word: &str) -> Vec<(usize, usize)> {
    let tokens: TokenStream = text.parse().expect("tokens");
    let all = identifiers(tokens).into_iter().filter(|found| found == word).map(|found| found.span().start());
    all.map(|at| (at.line, at.column)).collect()
}

/// The text of one kernel, so that its names are its own.
fn one(kernel: &str) -> String {
    BLOCK
        .split("kernel ")
        .find(|text| text.starts_with(kernel))
        .map(|text| format!("kernel {text}"))
        .unwrap_or_default()
}

#[test]
fn every_name_stands_where_the_user_wrote_it() {
    for (kernel, names) in [("scan", "scan x N start y n S"), ("twice", "twice T x M y m mb mi")] {
        for name in names.split(' ') {
            let text = one(kernel);
            assert_eq!(places(&text, name), written(&text, name), "{name}");
        }
    }
}

#[test]
fn nothing_else_stands_at_the_name_of_a_kernel() {
    let tokens = identifiers(expanded(BLOCK));
    for kernel in ["scan", "twice"] {
        let at = written(BLOCK, kernel)[0];
        let there = tokens.iter().filter(|word| (word.span().start().line, word.span().start().column) == at);
        assert_eq!(there.map(ToString::to_string).collect::<Vec<_>>(), [kernel]);
    }
    // The type of a map stands at the map's name, and has another.
    let (at, map) = (written(BLOCK, "rows")[0], tokens.iter().find(|word| *word == "twice_rows").expect("a type"));
    assert_eq!((map.span().start().line, map.span().start().column), at);
}

#[test]
fn functions_have_signatures_and_no_code() {
    let text: String = expanded(BLOCK).to_string().split_whitespace().collect();
    let signature = "pubfnrun<'a,>(device:&(implDevice+?Sized),x:implAsked<'a,x_of_scan,f32,1>,start:f32)->Result<";
    assert!(text.contains(signature), "{text}");
    for name in ["run", "run_into", "launch", "reference", "describe", "choice"] {
        assert!(text.contains(&format!("pubfn{name}")), "{name}");
    }
    // Nothing that only emitted code calls, and no program.
    for name in ["systolic_unused", "Instance0", "fnplan", "fnsignature"] {
        assert!(!text.contains(name), "{name}");
    }
}

#[test]
fn names_say_what_they_are() {
    let text = expanded(BLOCK).to_string();
    for words in [
        "A parameter: `[f32; N]`.",
        "A size: it follows from dimension 0 of `x`.",
        "A variable: one value per point (n).",
        "S[n] = x[n] + if n == 0 { start } else { S[n - 1] };",
        "The number of the tile: tiles have 32 points of `m`.",
        "A type of the instance: `f32` or `f64`.",
        "kernel twice<type T in [f32, f64]>(x: [T; M]) -> (y: [T; M]) {",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

/// An editor completes a word by putting a longer one in its place: both expansions must be the same up to the word. Words of
/// a map are not completed.
#[test]
fn nothing_before_a_word_depends_on_it() {
    for (word, with) in [
        ("{ S[n - 1]", "{ Slonger[n - 1]"),
        ("x[n] +", "xlonger[n] +"),
        ("y[n] = S[n]", "y[n] = S[nlonger]"),
        ("x[m] + x[m]", "x[m] + xlonger[m]"),
    ] {
        let longer = BLOCK.replacen(word, with, 1);
        let [short, long] = [BLOCK, &longer].map(|text| expanded(text).to_string());
        let (before, _) = long.split_once("longer").expect("the word");
        assert!(short.starts_with(before), "{with}\n{before}");
    }
}

#[test]
fn a_kernel_that_is_half_typed_has_its_functions_and_completes() {
    let text = "kernel f(weight: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = wei } }";
    let tokens: String = expanded(text).to_string().split_whitespace().collect();
    assert!(tokens.contains("pubfnrun") && tokens.contains("compile_error!"), "{tokens}");
    assert_eq!(places(text, "wei"), written(text, "wei"));
    assert_eq!(places(text, "weight"), written(text, "weight"));
    // A kernel that is read and refused has all its names.
    let text = "kernel f(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { S[n] = x[n - 1]; y[n] = S[n]; } }";
    for name in ["x", "y", "N", "n", "S"] {
        assert_eq!(places(text, name), written(text, name), "{name}");
    }
    // Nothing at all, and no kernel.
    for text in ["", "k", "kernel", "kernel f", "kernel f(", "kernel f(x: [f32; N"] {
        if let Ok(block) = text.parse::<TokenStream>() {
            let krate = krate();
            expand_for_editor(quote!(#krate #block), &|span| span);
        }
    }
}
