//! The parser answers for any input, on the 2 MB stack of a test thread, in a debug build.
use super::*;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenTree};
use systolic_compiler::syntax::print_expr;
use systolic_compiler::target::limits;

/// Checks that there is this one fault, or none.
fn check(text: &str, want: &str) {
    let parsed = parse(tokens(text));
    let found: Vec<String> = parsed.faults.iter().map(fact).collect();
    assert_eq!(found.join("; "), want, "{}", &text[..text.len().min(200)]);
    if want.is_empty() {
        assert_eq!(parse(tokens(&print(&parsed.block))).block, parsed.block);
    }
}

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn groups() {
    // The braces of the kernel and of the loop are two levels.
    let room = limits::NESTING - 2;
    check(&equation(&nested("(", "a", ")", room)), "");
    check(&equation(&nested("(", "a", ")", room + 1)), "too deep: 128");
    check(&equation(&nested("x[", "a", "]", room)), "");
    check(&equation(&nested("f(1 + ", "a", ")", room)), "");
    check(&equation(&nested("-a * (", "a", ") as f32", room)), "");
    check(&equation(&nested("if a { ", "b", " } else { c }", room)), "");
    check(&equation(&nested("if a { b } else if c { d } else { ", "b", " }", room)), "");
    check(&equation(&nested("a || b && c == d | e ^ f & (", "a", ")", 70)), "");
    check(&equation(&nested("a || b && c == d | e ^ f & g << h + i * (", "a", ")", 60)), "too deep: 512");
    check(&equation(&nested("if ", "a", " { b } else { c }", limits::NESTING - 1)), "");
    check(&equation(&nested("if ", "a", " { b } else { c }", limits::NESTING)), "too deep: 128");
    check(&equation(&"if ".repeat(50_000)), "too deep: 128");
    check(&nested("(", "", ")", 50_000), "too deep: 128");
    check(&nested("[{(", "", ")}]", 20_000), "too deep: 128");
    check(
        &format!(
            "kernel k() -> (y: [f32; 1]) {{ const A: f32 = {}; for i in 0..1 {{ }} }}",
            nested("[", "1", "]", 126)
        ),
        "",
    );
}

#[test]
fn chains() {
    let terms = |n: usize| vec!["a"; n].join(" + ");
    check(&equation(&terms(limits::EXPRESSION_DEPTH)), "");
    check(&equation(&terms(limits::EXPRESSION_DEPTH + 1)), "too deep: 512");
    check(&equation(&terms(60_000)), "too deep: 512");
    check(&equation(&format!("{}a", "-".repeat(limits::EXPRESSION_DEPTH - 1))), "");
    check(&equation(&format!("{}a", "!".repeat(limits::EXPRESSION_DEPTH))), "too deep: 512");
    check(&equation(&format!("a{}", " as f32".repeat(limits::EXPRESSION_DEPTH - 1))), "");
    check(&equation(&format!("a{}", " as f32".repeat(limits::EXPRESSION_DEPTH))), "too deep: 512");
    check(&equation(&format!("{}{{ a }}", "if a { a } else ".repeat(limits::EXPRESSION_DEPTH - 1))), "");
    check(&equation(&format!("{}{{ a }}", "if a { a } else ".repeat(limits::EXPRESSION_DEPTH))), "too deep: 512");
    check(&equation(&"a ".repeat(30_000)), "expected `;` after the equation, found `a`");
    check(&equation(&format!("f({})", "a, ".repeat(30_000))), "");
}

#[test]
fn tokens_of_a_block() {
    // A long block is accepted up to the limit. Quadratic time would be noticed here.
    let statements = "y[i] = a; ".repeat(30_000);
    check(&looped(&statements), "");
    check(&looped(&statements.repeat(2)), "too long: 200000");
    check(&"# [a] ".repeat(50_000), "expected `kernel` and its name, found the end");
    check(&"; ".repeat(100_000), "expected `kernel` and its name, found `;`");
    check(&"pub ".repeat(100_000), "expected `kernel` and its name, found `pub`");
    assert_eq!(limits::TOKENS, 200_000);
    let many = parse(tokens(&"kernel k ".repeat(20_000)));
    assert_eq!((many.faults.len(), many.skeletons.len()), (20_000, 20_000));
}

#[test]
fn a_deep_tree_prints() {
    let tree = block(&equation(&vec!["a"; limits::EXPRESSION_DEPTH].join(" - ")));
    assert_eq!(print_expr(value(&tree)).matches('-').count(), limits::EXPRESSION_DEPTH - 1);
}

/// Tokens removed, duplicated, swapped and invented: the parser never panics and reports at most as many faults as
/// tokens.
#[test]
fn noise() {
    let text = print(&block(
        "/// a
        pub(crate) kernel k<type T in [f32], const Q: usize in [2, 5], const H: usize = 3>(x: [T; N] border constant(1.0), w: const [f32; Q], s: f32, n: size)
            -> (z: [T; C]) where C % 4 == 0, T != f64 {
            const K: [f32; 2] = [0.25, -1.0];
            for c in 0..C, q in 0..Q { X[c, q] = if q == 0 { x[c] } else { -X[c + 1, q - 1] as T * f(1) }; if c == 0 { z[c] = X[c, q]; } }
            map m on cpu where Q == 2, T == f32 {
                tile c by 28 as (cb, ci); blocks (cb); space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]] reverse [[1]];
                lanes s fold 4; stage x in shared at rb; overlap c by (k, 2); resident 8; ahead Q;
            }
        }",
    ));
    let mut random = random::Random(7);
    for _ in 0..1_500 {
        let stream = shake(tokens(&text), &mut random, 0);
        let count = stream.to_string().len();
        let parsed = parse(stream);
        assert!(parsed.faults.len() <= count + 1);
        for kernel in &parsed.block.kernels {
            let again = parse(tokens(&systolic_compiler::syntax::print_kernel(kernel)));
            assert_eq!(again.block.kernels.first(), Some(kernel));
        }
    }
}

fn shake(stream: TokenStream, random: &mut random::Random, depth: usize) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in stream {
        let token = match token {
            TokenTree::Group(group) if depth < 8 => {
                let delimiter = match random.below(60) {
                    0 => Delimiter::None,
                    1 => Delimiter::Brace,
                    2 => Delimiter::Bracket,
                    _ => group.delimiter(),
                };
                TokenTree::Group(Group::new(delimiter, shake(group.stream(), random, depth + 1)))
            }
            other => other,
        };
        match random.below(150) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.insert(random.below(out.len() + 1), token),
            3 => out.extend([made_up(random), token]),
            4 => out.push(made_up(random)),
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

fn made_up(random: &mut random::Random) -> TokenTree {
    let words =
        ["kernel", "map", "for", "if", "else", "as", "in", "where", "kernl", "tile", "let", "r#fn", "_", "const"];
    let signs = ['=', '<', '>', '!', '~', '+', '-', '*', '.', ',', ';', ':', '#', '$', '?', '\'', '&', '|', '@', '^'];
    match random.below(6) {
        0 => TokenTree::Ident(match words[random.below(words.len())] {
            "r#fn" => Ident::new_raw("fn", Span::call_site()),
            word => Ident::new(word, Span::call_site()),
        }),
        1 | 2 => {
            let spacing = if random.below(2) == 0 { Spacing::Joint } else { Spacing::Alone };
            TokenTree::Punct(Punct::new(signs[random.below(signs.len())], spacing))
        }
        3 => TokenTree::Literal(match random.below(5) {
            0 => Literal::string("a"),
            1 => Literal::i32_suffixed(-3),
            2 => Literal::f64_unsuffixed(1.5),
            3 => Literal::u128_unsuffixed(u128::MAX),
            _ => Literal::character('c'),
        }),
        4 => TokenTree::Group(Group::new(Delimiter::None, TokenStream::new())),
        _ => TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::new())),
    }
}
