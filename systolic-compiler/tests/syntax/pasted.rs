//! Groups without delimiters, as `macro_rules!` creates them around `$e:expr`, `$t:ty` and the like.
use super::*;
use proc_macro2::{Delimiter, Group, TokenTree};

/// Replaces `« … »` by a group without delimiters.
fn pasted(text: &str) -> TokenStream {
    let text = text.replace('«', "(__pasted ").replace('»', ")");
    unmark(tokens(&text))
}

fn unmark(stream: TokenStream) -> TokenStream {
    let change = |token| match token {
        TokenTree::Group(group) => {
            let mut inside = group.stream().into_iter().peekable();
            let marked = matches!(inside.peek(), Some(TokenTree::Ident(word)) if word == "__pasted");
            let delimiter = if marked { Delimiter::None } else { group.delimiter() };
            let inside = unmark(inside.skip(usize::from(marked)).collect());
            TokenTree::Group(Group::new(delimiter, inside))
        }
        other => other,
    };
    stream.into_iter().map(change).collect()
}

fn check(with: &str, without: &str) {
    let Parsed { block: found, faults, .. } = parse(pasted(with));
    assert!(faults.is_empty(), "{}\n{with}", told(with, &faults));
    assert_eq!(found, block(without), "{with}");
}

#[test]
fn expressions() {
    for (with, without) in [
        ("«a + b» * c", "(a + b) * c"),
        ("c - «a - b»", "c - (a - b)"),
        ("-«1»", "-1"),
        ("-«1 + 2»", "-(1 + 2)"),
        ("-«-1»", "-(-1)"),
        ("a - «-1»", "a - -1"),
        ("«x»[«i - 1»]", "x[i - 1]"),
        ("«x[i]» + «f»(«a», «b + c»)", "x[i] + f(a, b + c)"),
        ("««a»»", "a"),
        ("««a + b»» * «(c)»", "(a + b) * c"),
        ("«a» as «f32» < «b»", "a as f32 < b"),
        ("«-a» as f32", "-a as f32"),
        ("if «a < b» { «c» } else { «d + e» }", "if a < b { c } else { d + e }"),
        ("«if a { b } else { c }» + d", "(if a { b } else { c }) + d"),
        ("«a < b» == «c < d»", "(a < b) == (c < d)"),
        ("«» a «»", "a"),
        ("a «+» b", "a + b"),
    ] {
        check(&equation(with), &equation(without));
    }
}

#[test]
fn kernels() {
    check(
        "«» #[«doc = \"a\"»] «pub» kernel «k»<type «T» in [«f32», «f64»], const «Q»: «usize» in [«2», «5»], const H: usize = «3»>(
            x: «[«T»; «N + 1»]» border «clamp», a: «f32», b: [f32; N] border constant(«-1.5»), n: «size»
        ) -> (y: [«f32»; N]) where «N % 4 == 0», «N» > 1, T != «f64» {
            const A: «f32» = «-0.5»;
            for i in «0..N», j in «0»..«N + 1» { «y[i] = x[i];» if «i == 0» { y[i] = «a»; } }
            map «rows» on «cpu» where «Q == 2», «T == f32» {
                tile «i» by «28» as («ib», ii);
                tile i by «2 * Q» as (ib, ii);
                space_time (i) -> (s) = «[[«-1», «Q + 1»]]»;
                overlap c by «2»;
                resident «8»; ahead «Q + 1»;
                lanes «s» fold «4»;
            }
        }",
        "#[doc = \"a\"] pub kernel k<type T in [f32, f64], const Q: usize in [2, 5], const H: usize = 3>(
            x: [T; N + 1] border clamp, a: f32, b: [f32; N] border constant(-1.5), n: size
        ) -> (y: [f32; N]) where N % 4 == 0, N > 1, T != f64 {
            const A: f32 = -0.5;
            for i in 0..N, j in 0..N + 1 { y[i] = x[i]; if i == 0 { y[i] = a; } }
            map rows on cpu where Q == 2, T == f32 {
                tile i by 28 as (ib, ii);
                tile i by (2 * Q) as (ib, ii);
                space_time (i) -> (s) = [[-1, Q + 1]];
                overlap c by 2;
                resident 8; ahead (Q + 1);
                lanes s fold 4;
            }
        }",
    );
    check(
        "«pub(crate)» kernel «k»() -> (y: [f32; 1]) «{ for i in 0..1 { y[i] = 0.0; } }»",
        "pub(crate) kernel k() -> (y: [f32; 1]) { for i in 0..1 { y[i] = 0.0; } }",
    );
}

#[test]
fn pasted_kernels() {
    let kernel = "kernel k() -> (y: [f32; 1]) { for i in 0..1 { y[i] = 0.0; } }";
    check(&format!("«{kernel}» «{kernel} {kernel}» «»"), &format!("{kernel} {kernel} {kernel}"));
    assert!(parse(pasted("«» ««»»")).faults.is_empty());
}
