//! Texts that violate the grammar: the message and the tokens that it points at.
use super::*;

fn as_it_is(text: &str) -> String {
    text.to_owned()
}

type Around = fn(&str) -> String;

#[test]
fn every_fault_points_at_its_token() {
    for (around, snippet, want) in CASES {
        let text = around(snippet);
        let parsed = parse(tokens(&text));
        assert_eq!(told(&text, &parsed.faults).replace('\n', "; "), *want, "{snippet}");
    }
}

#[rustfmt::skip]
const CASES: &[(Around, &str, &str)] = &[
    (as_it_is, "kernl k(x: [f32; N]) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "misspelt: kernl, kernel @ kernl"),
    (as_it_is, "fn k() {}", "expected `kernel` and its name, found `fn` @ fn"),
    (as_it_is, "kernel", "expected the kernel's name, found the end @ kernel"),
    (as_it_is, "kernel 5", "expected the kernel's name, found `5` @ 5"),
    (as_it_is, "kernel fn() -> (y: [f32; N]) {}", "reserved: fn @ fn"),
    (as_it_is, "kernel r#type() -> (y: [f32; N]) {}", "not here: raw names such as `r#type` @ r#type"),
    (as_it_is, "#![allow(a)] kernel k() -> (y: [f32; 1]) { for i in 0..1 { y[i] = 0.0; } }", "not here: inner attributes @ !"),
    (as_it_is, "/// nothing follows", "expected `kernel` and its name, found the end @ s"),
    (as_it_is, "pub(crat) kernel k() -> (y: [f32; 1]) { for i in 0..1 { y[i] = 0.0; } }", "expected `crate`, `super`, `self` or `in` and a path after `pub(`, found `crat` @ crat"),
    (as_it_is, "kernel k<const Q: u32 in [2]>() -> (y: [f32; 1]) {}", "expected `usize`, the type of every number among the generics, found `u32` @ u32"),
    (as_it_is, "kernel k<const Q: usize>() -> (y: [f32; 1]) {}", "expected `in [2, 5]` or `= 5`: the values the number may have, found `>` @ >"),
    (as_it_is, "kernel k<const Q: usize in []>() -> (y: [f32; 1]) {}", "expected at least one value, found the end of `[ … ]` @ ]"),
    (as_it_is, "kernel k<const Q: usize = -5>() -> (y: [f32; 1]) {}", "expected a whole number such as `5`, found `-` @ -"),
    (as_it_is, "kernel k<const Q: usize = 18446744073709551616>() -> (y: [f32; 1]) {}", "expected a whole number below 2^64, found `18446744073709551616` @ 18446744073709551616"),
    (as_it_is, "kernel k<typ T in [f32]>() -> (y: [f32; 1]) {}", "misspelt: typ, type @ typ"),
    (as_it_is, "kernel k<T>() -> (y: [f32; 1]) {}", "expected `const N: usize in [2, 5]` or `type T in [f32, f64]`, found `T` @ T"),
    (as_it_is, "kernel k<type T in [f32] const Q: usize = 5>() -> (y: [f32; 1]) {}", "expected `,` before the next generic, or `>`, found `const` @ const"),
    (as_it_is, "kernel k { }", "expected `(` and the parameters: `(x: [f32; N])`, found `{ … }` @ {"),
    (as_it_is, "kernel k(x) -> (y: [f32; 1]) {}", "expected `:` and the type of the parameter, found the end of `( … )` @ ); expected `for`, the loops and the equations, found the end of `{ … }` @ }"),
    (as_it_is, "kernel k(x: [f32; N] bordr clamp) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "misspelt: bordr, border @ bordr"),
    (as_it_is, "kernel k(x: [f32; N] border clamb) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "misspelt: clamb, clamp @ clamb"),
    (as_it_is, "kernel k(x: [f32; N] border symetric) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "misspelt: symetric, symmetric @ symetric"),
    (as_it_is, "kernel k(x: [f32; N] border nearest) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected `zero`, `clamp`, `reflect`, `symmetric`, `wrap` or `constant(…)`, found `nearest` @ nearest"),
    (as_it_is, "kernel k(x: [f32; N] border constant) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected `(` and the value outside the array: `constant(1.0)`, found the end of `( … )` @ )"),
    (as_it_is, "kernel k(x: [f32; N] border constant(a + 1)) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected `)`: the border is one literal or one name, found `+` @ +"),
    (as_it_is, "kernel k(x: &[f32; N]) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "not here: references @ &"),
    (as_it_is, "kernel k(x: [[f32; 3]; 3]) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "not here: arrays of arrays @ [f32; 3]"),
    (as_it_is, "kernel k(x: [f32, N]) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected `;` and the dimensions: `[f32; R, C]`, found `,` @ ,"),
    (as_it_is, "kernel k(x: [f32; ]) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected at least one dimension, found the end of `[ … ]` @ ]"),
    (as_it_is, "kernel k(x: [f32; N] y: f32, z: 5) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected `,` before the next parameter, or `border`, found `y` @ y; expected a type: `[f32; N]`, `const [f32; Q]`, `f32` or `size`, found `5` @ 5"),
    (as_it_is, "kernel k(x: [f32; N]) { for i in 0..N { y[i] = x[i]; } }", "expected `->` and the outputs: `-> (z: [f32; N])`, found `{ … }` @ {"),
    (as_it_is, "kernel k(x: [f32; N]) -> [f32; N] { for i in 0..N { y[i] = x[i]; } }", "expected `(` and the outputs with their names: `(z: [f32; N])`, found `[ … ]` @ ["),
    (as_it_is, "kernel k(x: [f32; N]) -> () { for i in 0..N { y[i] = x[i]; } }", "expected at least one output: `(z: [f32; N])`, found the end of `( … )` @ )"),
    (as_it_is, "kernel k(x: [f32; N]) -> (y: [f32; N] border zero) { for i in 0..N { y[i] = x[i]; } }", "not here: border on an output @ border"),
    (as_it_is, "kernel k() -> (y: [f32; N]) where N > 1 && N < 5 { for i in 0..N { y[i] = 0.0; } }", "expected one comparison; separate conditions by commas, found `&&` @ N > 1 && N < 5"),
    (as_it_is, "kernel k() -> (y: [f32; N]) where N { for i in 0..N { y[i] = 0.0; } }", "expected one comparison; separate conditions by commas, found no comparison @ N"),
    (as_it_is, "kernel k() -> (y: [f32; N]) where { for i in 0..N { y[i] = 0.0; } }", "expected a condition after `where`: `N % 4 == 0`, found `{ … }` @ {"),
    (as_it_is, "kernel k() -> (y: [f32; N]) wher N > 1 { for i in 0..N { y[i] = 0.0; } }", "misspelt: wher, where @ wher"),
    (as_it_is, "kernel k() -> (y: [f32; N]) where N > 1; { for i in 0..N { y[i] = 0.0; } }", "expected `,` before the next condition, or `{`, found `;` @ ;"),
    (as_it_is, "kernel k() -> (y: [f32; N]);", "expected `{` and the body of the kernel, or `where`, found `;` @ ;"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { }", "expected `for`, the loops and the equations, found the end of `{ … }` @ }"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { y[i] = 0.0; }", "expected `for`, the loops and the equations, found `y` @ y"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { fro i in 0..N { y[i] = 0.0; } }", "misspelt: fro, for @ fro"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { map { } }", "expected `for`, the loops and the equations, found `map` @ map"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for { y[i] = 0.0; } }", "expected at least one loop: `i in 0..N`, found `{ … }` @ {"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i { y[i] = 0.0; } }", "expected `in` and the range of the loop: `i in 0..N`, found `{ … }` @ {"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in N { y[i] = 0.0; } }", "expected `..` and the end of the range: `0..N`, found `{ … }` @ {"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..=N { y[i] = 0.0; } }", "not here: `..=` @ ..="),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N; { y[i] = 0.0; } }", "expected `{` and the equations, or `,` and the next loop, found `;` @ ;"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } for j in 0..N { } }", "not here: second `for` in a kernel @ for"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } maps { lanes i; } }", "misspelt: maps, map @ maps"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } const A: f32 = 1.0; }", "expected `map` or the end of the kernel: constants come before `for`, found `const` @ const"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { const A: f32 = b; const B: f32 = 1 const C: f32 = 2; for i in 0..N { y[i] = 0.0; } }", "expected a literal such as `0.5`, or a list of them in `[ … ]`, found `b` @ b; expected `;` after the constant, found `const` @ const"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } map on tpu { } }", "misspelt: tpu, cpu @ tpu"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } map a b { } }", "expected `on`, `where` or `{` and the clauses of the map, found `b` @ b"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } map where Q || P { } }", "expected one comparison; separate conditions by commas, found `||` @ Q || P"),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; map { } } }", "expected an equation: a `map` comes after the braces of `for`, found `map` @ map"),
    (looped, "y[i] = x[i]", "expected `;` after the equation, found the end of `{ … }` @ }"),
    (looped, "y[i] = x[i] z[i] = 1.0;", "expected `;` after the equation, found `z` @ z"),
    (looped, "y[i] = x[i], z[i] = 1.0;", "expected `;` after the equation, found `,` @ ,"),
    (looped, "y = x[i];", "expected `[` and all loops as indices: `V[i, j] = …;`, found `=` @ ="),
    (looped, "y[] = x[i];", "expected at least one index, found the end of `[ … ]` @ ]"),
    (looped, "y[i] += x[i];", "not here: `+=` @ +="),
    (looped, "y[i][j] = x[i];", "not here: indices after indices @ [j]"),
    (looped, "y[i] == x[i];", "expected `=` and the value, found `==` @ =="),
    (looped, "let a = 1; y[i] = while;", "not here: `let` @ let; not here: `while` @ while"),
    (looped, "if i == 0 { y[i] = 1.0; } else { y[i] = 2.0; } y[i] = ;", "not here: `else` around equations and stores @ else; expected an expression, found `;` @ ;"),
    (looped, "if i == 0 { }", "expected at least one store: `z[i] = Z[i, j];`, found the end of `{ … }` @ }"),
    (looped, "if i == 0 { if i == 1 { y[i] = 1.0; } }", "not here: `if` inside an `if` that guards stores @ if"),
    (looped, "if i = 0 { y[i] = 1.0; }", "expected `==` to compare, found `=` @ ="),
    (looped, "#[cfg(a)] y[i] = 1.0;", "not here: attributes in a body @ #"),
    (looped, "for j in 0..3 { y[i] = 1.0; }", "not here: `for` @ for"),
    (looped, "5[i] = 1.0;", "expected an equation: `V[i, j] = …;`, found `5` @ 5"),
    (looped, "as[i] = 1.0;", "reserved: as @ as"),
    (equation, "a < b < c", "expected one comparison at a time: they do not chain, found a second `<` @ <"),
    (equation, "a +", "expected an expression, found `;` @ ;"),
    (equation, "* a", "not here: dereferences @ *"),
    (equation, "&a", "not here: references @ &"),
    (equation, "x[i][j]", "not here: indices after indices or values @ [j]"),
    (equation, "x[]", "expected at least one index, found the end of `[ … ]` @ ]"),
    (equation, "x[0..3]", "not here: ranges outside `for` @ .."),
    (equation, "x.abs()", "not here: method calls such as `.abs` @ ."),
    (equation, "x.0", "not here: fields @ ."),
    (equation, "f32::max(a, b)", "not here: paths with `::` @ ::"),
    (equation, "a?", "not here: `?` @ ?"),
    (equation, "vec![1]", "not here: macro calls @ !"),
    (equation, "(a, b)", "not here: tuples @ ,"),
    (equation, "()", "expected an expression, found the end of `( … )` @ )"),
    (equation, "(a b)", "expected an operator or `)`, found `b` @ b"),
    (equation, "{ a }", "not here: blocks of statements @ { a }"),
    (equation, "[a, b]", "not here: lists as values @ [a, b]"),
    (equation, "|x| x", "not here: closures @ |"),
    (equation, "match a { 0 => 1 }", "not here: `match` @ match"),
    (equation, "if a { b }", "expected `else { … }`: an `if` that is a value needs both branches, found `;` @ ;"),
    (equation, "if a { b } els { c }", "misspelt: els, else @ els"),
    (equation, "if a { b; } else { c }", "expected an operator or `}`: a branch is one expression, without `;`, found `;` @ ;"),
    (equation, "if let a = b { c } else { d }", "not here: `if let` @ let"),
    (equation, "if a b else c", "expected `{` and a value after the condition, found `b` @ b"),
    (equation, "else", "expected an expression, found `else` @ else"),
    (equation, "a = b", "expected `==` to compare, found `=` @ ="),
    (equation, "a += b", "not here: `+=` @ +="),
    (equation, "a as", "expected a type such as `f32` after `as`, found `;` @ ;"),
    (equation, "a as [f32]", "expected a type such as `f32` after `as`, found `[ … ]` @ ["),
    (equation, "self + 1", "reserved: self @ self"),
    (equation, r#""text""#, r#"not here: text literals @ "text""#),
    (equation, "b'A'", "not here: text literals @ b'A'"),
    (equation, "1foo", "expected one of the types `f16`, `bf16`, `f32`, `f64`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, `u32`, `u64` after the digits, found `foo` @ 1foo"),
    (equation, "340282366920938463463374607431768211456", "too large: 340282366920938463463374607431768211456 @ 340282366920938463463374607431768211456"),
    (equation, "'a + 1", "not here: lifetimes @ 'a"),
    (equation, "a..b", "expected `;` after the equation, found `..` @ .."),
    (equation, "min(a; b)", "expected `,` before the next argument, found `;` @ ;"),
    (equation, "r#x", "not here: raw names such as `r#x` @ r#x"),
    (equation, "a @ b", "expected `;` after the equation, found `@` @ @"),
    (mapped, "til i by 2 as (a, b);", "misspelt: til, tile @ til"),
    (mapped, "space_tim (a) -> (b) = [[1]];", "misspelt: space_tim, space_time @ space_tim"),
    (mapped, "tile i by 2 * 3 as (a, b);", "expected `as` and two new loops: `as (cb, ci)`; put a longer size in parentheses, found `*` @ *"),
    (mapped, "tile i by -2 as (a, b);", "expected a number, a generic, a constant in parentheses, or `_`, found `-` @ -"),
    (mapped, "tile i 2 as (a, b);", "expected `by` and the size of the tile, found `2` @ 2"),
    (mapped, "tile i by 2 as (a);", "expected `,` and the name of the inner new loop: `(cb, ci)`, found the end of `( … )` @ )"),
    (mapped, "tile i by 2 as (a, b, c);", "expected `)`: a tile has two new loops, the outer and the inner, found `c` @ c"),
    (mapped, "tile i by 2 as (a, b)", "expected `;` after `tile …`, found the end of `{ … }` @ }"),
    (mapped, "blocks a;", "expected `(` and the loops of `blocks`, found `a` @ a"),
    (mapped, "blocks ();", "expected at least one loop, found the end of `( … )` @ )"),
    (mapped, "blocks (a, 3);", "expected the name of a loop, found `3` @ 3"),
    (mapped, "space_time (a) -> (b) = [1, 2];", "expected `[` and a row of the matrix: `[1, 1]`, found `1` @ 1"),
    (mapped, "space_time (a) -> (b) = [[1, 2] [3, 4]];", "expected `,` before the next row, found `[ … ]` @ ["),
    (mapped, "space_time (a) -> (b) [[1]];", "expected `=` and the matrix: `= [[1, 1], [0, 1]]`, found `[ … ]` @ ["),
    (mapped, "space_time (a) -> (b) = [[1]] revers [[1]];", "misspelt: revers, reverse @ revers"),
    (mapped, "space_time (a) = (b);", "expected `->` and the new loops: `(ci, q) -> (s, t)`, found `=` @ ="),
    (mapped, "lanes s; lanes t;", "repeated: `lanes` @ lanes"),
    (mapped, "lanes s; blocks (a); unroll (b); blocks (c); unroll (d);", "repeated: `blocks` @ blocks; repeated: `unroll` @ unroll"),
    (mapped, "lanes (a, b, c);", "expected `)`: `lanes` takes one or two loops, found `c` @ c"),
    (mapped, "lanes s fold;", "expected a number, a generic, a constant in parentheses, or `_`, found `;` @ ;"),
    (mapped, "lanes s fld 4;", "misspelt: fld, fold @ fld"),
    (mapped, "stage x in shard at t;", "misspelt: shard, shared @ shard"),
    (mapped, "stage x in global at t;", "expected `shared` or `registers`, found `global` @ global"),
    (mapped, "stage x in shared;", "expected `at` and a loop, found `;` @ ;"),
    (mapped, "overlap c by (1, 2, 3);", "expected `)`: the overlap has one width, or two: `by (k, m)`, found `3` @ 3"),
    (mapped, "overlap c by (1 2);", "expected `,` and the width after the tile, or `)`, found `2` @ 2"),
    (mapped, "overlap c by ;", "expected a number, a generic, or a constant in parentheses, found `;` @ ;"),
    (mapped, "shift V by 1;", "expected `(` and one number per loop: `shift V by (1, 0);`, found `1` @ 1"),
    (mapped, "resident;", "expected a number, a generic, a constant in parentheses, or `_`, found `;` @ ;"),
    (mapped, "ahead 2.5;", "expected a number, a generic, a constant in parentheses, or `_`, found `2.5` @ 2.5"),
    (mapped, "ahead 2; ahead 3;", "repeated: `ahead` @ ahead"),
    (mapped, "threads (a);", "expected a clause: `tile`, `launches`, `blocks`, `warps`, `space_time`, `lanes`, `reorder`, `unroll`, `stage`, `overlap`, `shift`, `resident`, `ahead` or `direct`, found `threads` @ threads"),
    (mapped, "; lanes s;", "expected a clause: `tile`, `launches`, `blocks`, `warps`, `space_time`, `lanes`, `reorder`, `unroll`, `stage`, `overlap`, `shift`, `resident`, `ahead` or `direct`, found `;` @ ;"),
    (mapped, "[1]", "expected a clause: `tile`, `launches`, `blocks`, `warps`, `space_time`, `lanes`, `reorder`, `unroll`, `stage`, `overlap`, `shift`, `resident`, `ahead` or `direct`, found `[ … ]` @ ["),
    (as_it_is, "kernel k() -> (y: [f32; N]) { for i in 0..N { y[i] = 0.0; } map m on gpu whre Q == 1 { } }", "misspelt: whre, where @ whre"),
    (mapped, "tile let by 2 as (a, b);", "reserved: let @ let"),
    (equation, "-!", "expected an expression, found `;` @ ;"),
];

/// The help that is offered, and the text after applying it.
#[test]
fn edits() {
    let cases: [(Around, &str, &str, &str); 9] = [
        (equation, "a = b", "write `==`", "a == b"),
        (equation, "if a { b } els { c }", "write `else`", "if a { b } else { c }"),
        (looped, "y[i] = x[i]", "end it with `;`", "y[i] = x[i];"),
        (looped, "y[i] = f(a) z[i] = 1.0;", "end it with `;`", "y[i] = f(a); z[i] = 1.0;"),
        (looped, "y[i] = 1.0, z[i] = 1.0;", "end it with `;`", "y[i] = 1.0; z[i] = 1.0;"),
        (mapped, "til i by 2 as (a, b);", "write `tile`", "tile i by 2 as (a, b);"),
        (mapped, "blocks a;", "put the loop in parentheses", "blocks (a);"),
        (mapped, "lanes s fold 4", "end it with `;`", "lanes s fold 4;"),
        (
            as_it_is,
            "kernel k() -> (y: [f32; N]) where N > 1 && N < 5 { for i in 0..N { y[i] = 0.0; } }",
            "write a comma instead of `&&`",
            "kernel k() -> (y: [f32; N]) where N > 1, N < 5 { for i in 0..N { y[i] = 0.0; } }",
        ),
    ];
    for (around, snippet, help, want) in cases {
        let text = around(snippet);
        let faults = parse(tokens(&text)).faults;
        let [Fault { help: Some(found), .. }] = faults.as_slice() else { panic!("{snippet}: one fault with help") };
        assert_eq!(found.text, help);
        let mut edited = text.clone();
        for edit in &found.edits {
            edited.replace_range(edit.at.start.byte_range().start..edit.at.end.byte_range().end, &edit.code);
        }
        assert_eq!(edited, around(want));
        block(&edited);
    }
}

const GOOD: &str = "kernel good(x: [f32; N]) -> (y: [f32; N]) { for i in 0..N { y[i] = x[i]; } }";

/// The number of faults, the names of the parsed kernels, and the skeletons, with a star if the header is complete.
fn outcome(text: &str) -> (usize, String, String) {
    let Parsed { block, faults, skeletons } = parse(tokens(text));
    let kernels = block.kernels.iter().map(|kernel| kernel.name.text.clone()).collect::<Vec<_>>().join(" ");
    let star = |whole| if whole { "*" } else { "" };
    let skeletons =
        skeletons.iter().map(|s| s.header.name.text.clone() + star(s.complete_header)).collect::<Vec<_>>().join(" ");
    (faults.len(), kernels, skeletons)
}

#[test]
fn one_faulty_kernel_leaves_the_others() {
    let cases = [
        (
            "GOOD kernel a(x: f32) -> (y: [f32; N]) { for i in 0..N { y[i] = ; } } GOOD kernel b { } GOOD",
            2,
            "good good good",
            "a* b",
        ),
        ("kernel a() -> (y: [f32; N]) GOOD", 1, "good", "a*"),
        ("kernel a() -> (y: [f32; N]) /// of good\n pub GOOD", 1, "good", "a*"),
        ("kernel a() #[cfg(a)] pub(crate) GOOD", 1, "good", "a"),
        ("; GOOD", 1, "good", ""),
        ("struct A { } fn b() { } GOOD", 1, "good", ""),
        ("kernl a() -> (y: [f32; N]) { for i in 0..N { y[i] = 1.0; } } GOOD", 1, "good", "a*"),
        ("pub(crat) GOOD GOOD", 1, "good", "good*"),
        ("kernel a(x: 5, y) -> (y: 5) { } GOOD", 4, "good", "a"),
        ("kernel a() -> (y: [f32; N]) where N { } GOOD", 1, "good", "a*"),
        (
            "kernel a() -> (y: [f32; N]) { for i in 0..N { y[i] = ; y[i] = + ; y[i] = 1.0; if i { y[i] = ; } } map { til; lanes; } } GOOD",
            5,
            "good",
            "a*",
        ),
        ("#[a] GOOD #[b]", 1, "good", ""),
        ("kernel GOOD", 1, "good", "kernel"),
    ];
    for (text, faults, kernels, skeletons) in cases {
        let text = text.replace("GOOD", GOOD);
        assert_eq!(outcome(&text), (faults, kernels.to_owned(), skeletons.to_owned()), "{text}");
    }
}

#[test]
fn a_skeleton_has_the_header_and_no_body() {
    let text = "/// a
        pub kernel a<const Q: usize in [2, 5]>(x: [f32; N], y: 5, w: const [f32; Q]) -> (z: [f32; N]) where N > 1 {
            const K: f32 = 1.0; for i in 0..N { z[i] = ; } map { lanes i; } }";
    let parsed = parse(tokens(text));
    let [skeleton] = parsed.skeletons.as_slice() else { panic!("one skeleton") };
    let header = &skeleton.header;
    assert_eq!((header.attributes.len(), header.visibility.to_string().as_str()), (1, "pub"));
    assert_eq!((header.generics.len(), header.parameters.len(), header.outputs.len()), (1, 2, 1));
    assert!(header.conditions.is_empty() && header.constants.is_empty() && header.loops.is_empty());
    assert!(header.statements.is_empty() && header.maps.is_empty() && !skeleton.complete_header);
}
