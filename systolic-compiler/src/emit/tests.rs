//! Checks the code emitted for kernels as text, with all spaces removed on both sides.
use crate::compile::{Programs, by_rules};
use crate::laws::Lawful;
use crate::mapping::Target;
use crate::sorted::SortedSet;
use crate::syntax::tree;
use crate::{check, emit};
use proc_macro2::TokenStream;
use quote::quote;

fn programs(tree: &tree::Kernel, instances: &[Lawful]) -> Programs {
    Programs::new(tree, instances, &[Target::Cpu, Target::Gpu], &by_rules).expect("no invariant is broken")
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn krate() -> TokenStream {
    quote!(::systolic)
}

/// The code of a lawful kernel.
fn emitted(text: &str) -> String {
    let checked = check(text.parse().unwrap());
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let kernels = checked.kernels.iter().map(|(tree, instances)| {
        emit::kernel(&krate(), &|_| Err(String::new()), tree, instances, programs(tree, instances))
    });
    squeezed(&kernels.collect::<TokenStream>().to_string())
}

/// The code of a kernel with faults.
fn stub(text: &str, taken: &[&str]) -> String {
    let checked = check(text.parse().unwrap());
    assert!(!checked.faults.is_empty());
    let taken: SortedSet<String> = taken.iter().map(ToString::to_string).collect();
    let headers = checked.skeletons.iter().map(|s| &s.header);
    let stubs = checked.faulty.iter().chain(headers).map(|tree| emit::stub(&krate(), tree, &taken));
    squeezed(&stubs.collect::<TokenStream>().to_string())
}

fn has(text: &str, part: &str) {
    assert!(text.contains(&squeezed(part)), "not found: {part}\nin: {text}");
}

fn has_not(text: &str, part: &str) {
    assert!(!text.contains(&squeezed(part)), "found: {part}\nin: {text}");
}

const SCAN: &str = "
    /// Sums.
    pub kernel scan(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            X[r, c] = x[r, c];
            S[r, c] = X[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
        map rows { tile r by 32 as (rb, ri); lanes ri; }
    }";

#[test]
fn a_nest_keeps_what_is_read_again() {
    let text = emitted(SCAN);
    has(&text, "for i0 in 0i64..s0 { for i1 in 0i64..s1 {");
    has(
        &text,
        "let mut g1 = ::systolic::__private::Grid::<::systolic::__private::primitive::f32, 2>::new(hull, [1, 2],",
    );
    has_not(&text, "let mut g0 =");
    has(&text, "let e0: ::systolic::__private::primitive::f32 = p0.read([i0, i1]);");
    has(
        &text,
        "= if i1 == 0 { 0f32 } else { let e1: ::systolic::__private::primitive::f32 = g1.get([i0, i1 - 1]); e1 };",
    );
    has(&text, "::systolic::__private::ops::add(v0, e2)");
    has(&text, "if true { o0.store([i0, i1], v1); }");
}

#[test]
fn a_map_is_a_type_with_the_same_values() {
    let text = emitted(SCAN);
    has(&text, "pub struct scan { marker: ::systolic::__private::PhantomData<()> }");
    has(&text, "pub struct scan_rows { marker: ::systolic::__private::PhantomData<()> }");
    has(&text, "{ <Code0<> as Instance0<>>::reference(p0) }");
}

#[test]
fn the_same_tokens_give_the_same_bytes() {
    assert_eq!(emitted(SCAN), emitted(SCAN));
}

#[test]
fn the_page_says_what_a_kernel_takes_and_gives() {
    let text = emitted(SCAN);
    for line in ["Sums.", "`x`: `[f32; R, C]`", "`y`: `[f32; R, C]`", "`R` follows from dimension 0 of `x`"] {
        has(&text, line);
    }
    has(&emitted(&SCAN.replace("/// Sums.", "")), "The kernel `scan`.");
}

#[test]
fn a_loop_that_opens_early_runs_over_its_hull() {
    let text = emitted(
        "kernel early(x: [i32; N]) -> (y: [i32; N]) {
            for i in 0..N, j in 0..i + 1 {
                // Both ways in i, so j comes first, whose end names i.
                S[i, j] = x[i] + if j == 0 || i == N - 1 { 0 } else { S[i - 1, j - 1] + S[i + 1, j - 1] };
                if i == j { y[i] = S[i, j]; }
            }
        }",
    );
    has(&text, "for i1 in 0i64..hull[1].high { for i0 in 0i64..s0 { if (i0 + 1) - i1 > 0 {");
    has(
        &text,
        "Grid::<::systolic::__private::primitive::i32, 2>::new(hull, [<::systolic::__private::primitive::i64>::MAX, 2],",
    );
}

#[test]
fn a_loop_may_run_down() {
    let text = emitted(
        "kernel down(x: [i32; N]) -> (y: [i32; N]) {
            for n in 0..N { S[n] = x[n] + if n == N - 1 { 0 } else { S[n + 1] }; y[n] = S[n]; }
        }",
    );
    has(&text, "for i0 in ::systolic::__private::Iterator::rev(0i64..s0)");
    has(&text, "if -s0 + i0 + 1 == 0 { 0i32 }");
}

#[test]
fn no_nest_will_do() {
    let text = emitted(
        "kernel back(x: [i32; N]) -> (y: [i32; N]) {
            for n in 0..N {
                A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
                B[n] = A[n] + if n == N - 1 { 0 } else { B[n + 1] };
                y[n] = B[n];
            }
        }",
    );
    has(&text, "schedule.push([i0])?;");
    has(&text, "for (equation, [i0]) in schedule.sorted(");
    has(&text, "for &[i0] in schedule.points()");
    has(&text, "g0.get([i0])");
}

#[test]
fn instances_are_listed() {
    let text = emitted(
        "pub(crate) kernel k<type T in [f32, f16], const Q: usize in [2, 5]>(x: [T; N], w: const [T; Q], v: const [T; 2 * Q]) -> (y: [T; N]) {
            for n in 0..N { y[n] = x[n] * w[Q - 1] + v[2 * Q - 1]; }
            map two where Q == 2 { tile n by 4 as (nb, ni); lanes ni; }
            map half where T == f16, Q != 2 { tile n by 8 as (nb, ni); lanes ni; }
        }",
    );
    let usize = "::systolic::__private::primitive::usize";
    let number = format!("const Q: {usize}");
    has(&text, &format!("pub(crate) struct k<T, {number}> {{ marker: ::systolic::__private::PhantomData<(T,)> }}"));
    has(&text, "The instances are (T = f32, Q = 2), (T = f32, Q = 5), (T = f16, Q = 2) and (T = f16, Q = 5)");
    has(&text, "The instances are (T = f32, Q = 2) and (T = f16, Q = 2)");
    let (f32, f16) = ("::systolic::__private::primitive::f32", "::systolic::f16");
    has(&text, &format!("type Own0<G0, const G1: {usize}> = k<G0, {{ G1 }}>;"));
    has(&text, &format!("type All0 = (Own0<{f32}, 2>, Own0<{f32}, 5>, Own0<{f16}, 2>, Own0<{f16}, 5>,);"));
    has(&text, &format!("type All1 = (Own1<{f32}, 2>, Own1<{f16}, 2>,);"));
    has(&text, &format!("type All2 = Own2<{f16}, 5>;"));
    has(
        &text,
        "impl ::systolic::__private::Instance<All0> for Own0<::systolic::f16, 5> { type Code = code0::Code0<::systolic::f16, 5>; }",
    );
    has(&text, "fn reference<'a, W2: 'a, A0, A1, A2, C0>(x: A0, w: A1, v: A2)");
    has(
        &text,
        "where Self: ::systolic::__private::Listed<All0, Code = C0>, C0: code0::Instance0<T, { Q }, W2 = W2>, T: 'a,
         A0: ::systolic::__private::Asked<'a, x_of_k, T, 1>, A1: ::systolic::__private::AskedConstant<'a, w_of_k, T, 1, [T; Q]>,
         A2: ::systolic::__private::AskedConstant<'a, v_of_k, T, 1, W2>,",
    );
    has(&text, "pub struct x_of_k {}");
    has(&text, "impl Instance0<::systolic::f16, 5> for Code0<::systolic::f16, 5> { type W2 = [::systolic::f16; 10];");
    has_not(&text, "for Code1<::systolic::f16, 5>");
    has(&text, "The only instance is (T = f16, Q = 5)");
    has(&text, "for Code2<::systolic::f16, 5>");
    has_not(&text, "for Code2<::systolic::f16, 2>");
    has_not(&text, "for Code2<::systolic::__private::primitive::f32, 5>");
    has(&text, "let p2 = p2;");
    has(&text, "::systolic::__private::element(p1, [5], [4i64])");
}

#[test]
fn a_condition_stands_on_every_item() {
    let text = emitted(&SCAN.replace("/// Sums.", "#[cfg(test)] #[deprecated] #[doc(alias = \"s\")]"));
    // Two types, and the block with their functions.
    assert_eq!(text.matches("#[cfg(test)]").count(), 3);
    // Six functions of two types.
    assert_eq!(text.matches("#[deprecated]").count(), 12);
    has(&text, "The kernel `scan`.");
    has(&text, "#[doc(alias = \"s\")]");
}

#[test]
fn literals_keep_their_bits() {
    let text = emitted(
        "kernel k(x: [f32; N] border constant(-0.0), b: [f16; N]) -> (y: [f32; N], z: [i8; N], h: [f16; N]) {
            const K: [f64; 2] = [0.1, -2.5];
            for n in 0..N { y[n] = x[n - 1] + K[1] as f32; z[n] = -128; h[n] = b[n] + 1.5; }
        }",
    );
    has(&text, "Border::Constant(-0f32)");
    has(&text, "= &[0.1f64, -2.5f64];");
    has(&text, "o1.store([i0], -128i8)");
    has(&text, "<::systolic::f16>::from_bits(15872)");
}

#[test]
fn forms_that_could_leave_64_bits_are_handed_to_the_runtime() {
    let kernel = |c: &str| {
        emitted(&format!(
            "kernel k(x: [f32; A] border clamp) -> (z: [f32; A]) {{
                for a in 0..A, b in 0..1, c in 0..1, d in 0..1, e in 0..1 {{
                    z[a] = x[{c} * a + {c} * b + {c} * c + {c} * d + {c} * e];
                }}
            }}"
        ))
    };
    has(&kernel("1000"), "wide: &[]");
    has(
        &kernel("1000000"),
        "wide: &[::systolic::__private::Form::new(&[0, 1000000, 1000000, 1000000, 1000000, 1000000], 0)]",
    );
}

#[test]
fn a_faulty_kernel_keeps_its_signature() {
    let faulty = "pub kernel f<const Q: usize in [2]>(x: [f23; N, M], w: const [f32; Q], v: const [f32; 2 * Q], s: size) -> (z: [f32; N], y: [f64; N]) {
        for n in 0..N { z[n] = nothing[n]; }
        map rows { lanes n; }
    }";
    let text = stub(faulty, &[]);
    has(&text, "pub struct f<const Q: ::systolic::__private::primitive::usize>");
    has(&text, "pub struct f_rows<const Q: ::systolic::__private::primitive::usize>");
    has(&text, "A0: ::systolic::__private::Asked<'a, x_of_f, ::systolic::__private::primitive::f32, 2>");
    has(&text, "1, [::systolic::__private::primitive::f32; Q]>,");
    has(&text, "A2: ::systolic::__private::Sized,");
    has(&text, "Result::Err(::systolic::Error::NotCompiled { kernel: \"f\" })");
    has_not(&text, "Instance0");
    has_not(&stub(faulty, &["f_rows"]), "struct f_rows");
    // A kernel that ends in the middle.
    has(&stub("kernel g(x: [f32; N]) -> (z: [f32; N]) { for n in 0..N { z[n] = } }", &[]), "struct g {");
}

#[test]
fn a_name_that_stands_twice_is_no_second_error() {
    let text = stub("kernel f(x: [f32; N], x: f32) -> (z: [f32; N]) { for n in 0..N { z[n] = 0.0; } }", &[]);
    has(&text, "x_: ::systolic::__private::primitive::f32");
}

/// The keywords that begin items at the top level of these tokens, in order.
fn items(tokens: TokenStream) -> Vec<String> {
    let item = ["struct", "const", "trait", "mod", "fn", "impl", "use", "type", "enum", "static", "macro_rules"];
    let words = tokens.into_iter().filter_map(|token| match token {
        proc_macro2::TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    words.filter(|word| item.contains(&word.as_str())).collect()
}

#[test]
fn types_and_one_block_stand_in_the_scope_of_the_user() {
    for text in
        [SCAN, "kernel g<const N: usize in [2, 3]>(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = x[n]; } }"]
    {
        let checked = check(text.parse().unwrap());
        let (tree, instances) = &checked.kernels[0];
        let mut wanted = vec!["struct"; 1 + tree.maps.len()];
        // A generic number is declared with the same keyword.
        wanted.extend(vec!["const"; usize::from(!tree.generics.is_empty())]);
        wanted.push("const");
        assert_eq!(
            items(emit::kernel(&krate(), &|_| Err(String::new()), tree, instances, programs(tree, instances))),
            wanted
        );
    }
}

/// A crate may forbid the lint that an `allow` names, and a module without a prelude has no `diagnostic`.
#[test]
fn nothing_is_allowed_and_no_tool_is_asked() {
    for text in [emitted(SCAN), emitted(&SCAN.replace("/// Sums.", "#[cfg_attr(any(), deprecated, must_use)]"))] {
        for part in ["#[allow", "#![allow", "diagnostic::", "#[expect"] {
            has_not(&text, part);
        }
    }
}

#[test]
fn conditional_attributes_are_sorted_by_what_they_give() {
    let text = emitted(&SCAN.replace("/// Sums.", "#[cfg_attr(a, deprecated, must_use, cfg(b))]"));
    assert_eq!(text.matches("#[cfg_attr(a,deprecated)]").count(), 12);
    assert_eq!(text.matches("#[cfg_attr(a,must_use)]").count(), 2);
    assert_eq!(text.matches("#[cfg_attr(a,cfg(b))]").count(), 3);
}

/// For every name that a parameter binds, a function hides the user's constants of that name.
#[test]
fn every_bound_name_is_shadowed() {
    let text = emitted(
        "kernel k(Ok: [i32; N], stream: i32, m: size) -> (None: [i32; N], z: [i32; m]) {
            for n in 0..N, i in 0..m { if i == 0 { None[n] = Ok[n] + stream; } if n == 0 { z[i] = 0; } }
        }",
    );
    for name in ["None", "Ok", "N", "device", "m", "stream", "z"] {
        has(&text, &format!("fn {name}() {{}}"));
        assert_eq!(text.matches(&format!("fn{name}(){{}}")).count(), 1, "{name}");
    }
}

/// The block's own names differ from the generics and the types of the kernel.
#[test]
fn names_of_the_block_give_way() {
    let text = emitted(
        "kernel Own0<type G0 in [f32], const code0: usize in [2, 4], type A0 in [f32], const W1: usize in [3]>
            (x: [G0; N], w: const [A0; W1 + code0]) -> (y: [G0; N]) {
            for n in 0..N { y[n] = x[n] + w[0] as G0; }
        }",
    );
    has(&text, "type Own0_<G0_, const G1:");
    has(&text, "mod code0_ {");
    has(&text, "fn reference<'a, W1_: 'a, A0_, A1, C0>(x: A0_, w: A1)");
}

#[test]
fn any_text_is_an_identifier() {
    for text in ["$crate", "", "1", "r#", "a b", "r#type", "é", "_"] {
        super::names::identifier(text, proc_macro2::Span::call_site());
    }
}

/// With many loads in a step, not all of them come before the first computation.
#[test]
fn neighbours_are_loaded_together_however_many_there_are() {
    for (rows, first) in [(8, true), (48, false)] {
        let text = format!(
            "kernel sums(x: [f32; {rows}, C]) -> (y: [f32; C]) {{
                for c in 0..C, q in 0..{rows} {{
                    S[c, q] = x[q, c] + if q == 0 {{ 0.0 }} else {{ S[c, q - 1] }};
                    if q == {rows} - 1 {{ y[c] = S[c, q]; }}
                }}
                map {{ tile c by 128 as (cb, ci); blocks (cb); lanes ci fold 4; unroll (q); }}
            }}"
        );
        let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
        // The interior version comes first, then the boundary version.
        let inner = unit.source.split("\n    } else {\n").next().expect("a text");
        let loads: Vec<usize> = inner.match_indices("load<4>(").map(|(at, _)| at).collect();
        assert_eq!(loads.len(), rows, "{}", unit.source);
        let sum = inner.find("add(").expect("a sum");
        assert_eq!(loads.iter().all(|at| *at < sum), first, "{}", unit.source);
    }
}

/// In blocks away from the ends of the lanes, only unaligned arrays are loaded element by element. No axis is empty, because
/// sizes are at least 1; if one may be, the load is guarded.
#[test]
fn neighbours_are_loaded_together_by_borders_of_other_axes() {
    for (border, layers, asks) in [
        ("clamp", "L", false),
        ("clamp", "L - 1", true),
        ("reflect", "L", false),
        ("symmetric", "L", false),
        ("symmetric", "L - 1", true),
        ("wrap", "L", false),
    ] {
        let text = format!(
            "kernel layers(x: [f32; {layers}, R, C] border {border}) -> (y: [f32; L, R, C]) {{
                for l in 0..L, r in 0..R, c in 0..C {{
                    y[l, r, c] = if l == 0 {{ 0.0 }} else {{ x[l - 2, r, c] + x[l, r + 1, c] }};
                }}
                map {{ tile c by 128 as (cb, ci); tile l by 64 as (lb, li); blocks (lb, r, cb);
                       space_time (ci, li) -> (s, t) = [[1, 0], [0, 1]]; lanes s fold 4; }}
            }}"
        );
        let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
        let inner = unit.source.split("\n    } else {\n").next().expect("a text");
        // The version away from all edges, then the one away from the ends of the lanes.
        let version = inner.split("\n    } else if (wide && ").nth(1).expect("a version");
        let (mut together, mut unaligned) = (0, false);
        for line in version.lines() {
            let line = line.trim_start();
            unaligned = line == "} else {" || unaligned && line != "}";
            let alone = line.contains(" = load(") || line.contains(" = load_if(");
            assert!(unaligned || !alone && !line.starts_with("if (wide &&"), "{line}\n{}", unit.source);
            together += usize::from(line.contains("load<4>(") || line.contains("load_if<4>("));
        }
        assert!(together > 0, "{}", unit.source);
        assert_eq!(version.contains("load_if<4>((x_n0 > 0 && "), asks, "{}", unit.source);
        assert!(version.contains(&format!("({border}<I>(64 * lb + ")), "{}", unit.source);
        assert!(!version.contains(&format!("{border}<I>(128 * cb")), "{}", unit.source);
    }
}

/// Code motion treats assembly as arithmetic, and could move a load out of the guard around it.
#[test]
fn assembly_that_loads_stays_where_it_stands() {
    let header = crate::link::HEADER;
    let loads = |text: &str| text.contains("ld.global") || text.contains("LOAD");
    let blocks: Vec<&str> = header.match_indices("asm").map(|(at, _)| &header[at..]).collect();
    let loading: Vec<&str> =
        blocks.into_iter().filter(|b| loads(b.split(';').take(8).collect::<String>().as_str())).collect();
    assert!(loading.len() >= 3);
    for block in loading.iter().filter(|b| b.starts_with("asm(")) {
        let text = block.split("return").next().unwrap_or_default();
        assert!(!loads(text), "{text}");
    }
}

/// The interior version of a kernel with rows in tiles of 64.
fn inner(equations: &str, overlap: &str) -> String {
    let text = format!(
        "kernel rows(x: [f32; R, C]) -> (y: [f32; R, C]) {{
            for r in 0..R, c in 0..C, q in 0..9 {{ {equations} if q == 8 {{ y[r, c] = S[r, c, q]; }} }}
            map {{ tile c by 32 as (cb, ci); tile r by 64 as (rb, ri); blocks (rb, cb); {overlap}
                   space_time (ci, ri, q) -> (s, u, v) = [[1, 0, 0], [0, 1, 1], [0, 0, 1]]; lanes s; unroll (v); }}
        }}"
    );
    let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
    let body = unit.source.split("\n    if (").nth(1).expect("blocks away from edges");
    body.split("\n    } else").next().unwrap_or_default().to_string()
}

/// First steps that do not store, then steps that do: the second section continues with the loads of the first.
#[test]
fn pieces_that_fetch_alike_wait_for_memory_once() {
    let text = inner(
        "S[r, c, q] = if q == 0 { x[r, c] } else {
             (if r == 0 { 0.0 } else { S[r - 1, c, q - 1] }) + (if r == R - 1 { 0.0 } else { S[r + 1, c, q - 1] }) };",
        "overlap r by 8;",
    );
    // The section before the rows' edge, the sections that continue each other, the section after it.
    let runs: Vec<&str> = text.split("const I last = ").skip(1).collect();
    let [before, run, behind] = runs[..] else { panic!("three runs: {text}") };
    assert!(![before, behind].iter().any(|run| run.contains("const I end = ")), "{text}");
    let count = |part: &str| run.matches(part).count();
    assert_eq!((count("I u = "), count("if (u <= last) {")), (1, 1), "{text}");
    assert_eq!(count("const I then = until<I>(u + 0, last);"), 1, "{text}");
    let pieces: Vec<&str> = run.split("const I end = ").skip(1).collect();
    let [first, second] = pieces[..] else { panic!("two pieces: {text}") };
    assert!(!first.contains("store") && second.contains("store"), "{text}");
}

/// The first steps load elements that later ones keep in registers, so no section continues another.
#[test]
fn pieces_that_fetch_something_else_begin_anew() {
    let text =
        inner("S[r, c, q] = (if q > r { 0.0 } else { x[r - q, c] }) + if q == 0 { 0.0 } else { S[r, c, q - 1] };", "");
    let count = |part: &str| text.matches(part).count();
    assert!(count("const I last = ") >= 2, "{text}");
    assert_eq!((count("const I end = "), count("I u = ")), (0, count("const I last = ")), "{text}");
}

/// 64-bit indices have a second body if the prefetch distance of the first is too large for them.
#[test]
fn long_indices_look_less_far_ahead() {
    let source = |ahead: usize| {
        let text = format!(
            "kernel sums(x: [f32; R, C]) -> (y: [f32; R, C]) {{
                for r in 0..R, c in 0..C {{
                    S[r, c] = x[r, c] + if r == 0 {{ 0.0 }} else {{ S[r - 1, c] }};
                    y[r, c] = S[r, c];
                }}
                map {{ tile c by 32 as (cb, ci); blocks (cb); space_time (ci, r) -> (s, t) = [[1, 0], [0, 1]];
                    lanes s; ahead {ahead}; }}
            }}"
        );
        let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
        squeezed(&unit.source)
    };
    has(&source(4), "body<i64, false>(p);");
    has_not(&source(4), "nearer");
    let far = source(6);
    has(&far, "nearer::body<i64, false>(p);");
    let (body, nearer) = far.split_once("namespacenearer{").expect("two bodies");
    has(body, "next5_");
    has(nearer, "next3_");
    has_not(nearer, "next4_");
}

/// An operand of `max` that may become a negated value is wrapped in `veiled`; a sum or a plain difference is not.
#[test]
fn negatives_are_hidden_from_min_and_max() {
    let operand = |ty: &str, value: &str| {
        let text = format!(
            "kernel most(a: [{ty}; N], b: [{ty}; N], c: [{ty}; N], s: {ty}) -> (y: [{ty}; N]) {{
                for i in 0..N {{ H[i] = max(a[i], {value}); if i >= 0 {{ y[i] = H[i]; }} }}
                map {{ tile i by 32 as (ib, ii); blocks (ib); lanes ii; }}
            }}"
        );
        let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
        unit.source.contains("veiled(")
    };
    let plain = ["b[i]", "b[i] + c[i]", "b[i] - c[i]", "b[i] - 1", "b[i] + c[i] - s", "min(b[i], 0 - s)", "0 - b[i]"];
    let plain = plain.into_iter().chain(["(if i == 0 { 7 } else { b[i] }) - s", "max(0, b[i]) - s"]);
    let plain = plain.chain(["(if i == 0 { 0 } else { b[i] }) + c[i]", "b[i] - (if i == 0 { a[i] - s } else { 0 })"]);
    plain.for_each(|value| assert!(!operand("i32", value), "{value}"));
    let hidden = ["c[i] - b[i] - c[i]", "1 - (b[i] + 1)", "b[i] * c[i]", "(if i == 0 { 0 } else { b[i] }) - s"];
    let hidden =
        hidden.into_iter().chain(["(if i == 0 { 7 } else { b[i] }) - 7 - s", "1 - b[i] - 1", "max(0, b[i] / 2) - s"]);
    for value in hidden {
        assert!(operand("i32", value) && operand("i16", value), "{value}");
        assert!(!operand("u32", value) && !operand("i64", value), "{value}");
    }
}

const NOT_INVERTED: &str = "
    #[cfg(test)]
    kernel sums(x: [i32; 1]) -> (z: [i32; 1]) {
        for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
            V[a, b, c, d, e, f] = x[0];
            if a + b + c + d + e + f == 0 { z[0] = V[a, b, c, d, e, f]; }
        }
        map { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
    }";

#[test]
fn a_kernel_without_a_program_warns_on_its_name() {
    let text = emitted(NOT_INVERTED);
    let reason = "the compiler cannot invert the rows of its map to get the loops back";
    has(&text, &format!("#[deprecated(note = \"kernel `sums` runs point by point: {reason}."));
    has(&text, "#[cfg(test)] const _: () = {");
    has(
        &text,
        &format!("site.choice(<Self as Instance0<>>::plan(), ::systolic::__private::Option::Some(\"{reason}\"))"),
    );
    has(&text, &format!("BLUEPRINT.design(&[], ::systolic::__private::Option::Some(\"{reason}\"))"));
    has_not(&emitted(SCAN), "POINT_BY_POINT");
    has(&emitted(SCAN), "BLUEPRINT.design(&[p0, p1], ::systolic::__private::Option::None)");
    let heavy = emitted("kernel heavy(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = exp(exp(exp(x[n]))); } }");
    has(&heavy, "BLUEPRINT.design(&[p0], ::systolic::__private::cpu::without_level())");
    has(&heavy, "plan(), ::systolic::__private::cpu::without_level())");
}

/// `A` runs up and `B` runs down.
#[test]
fn what_no_map_suits_runs_in_passes() {
    let text = emitted(
        "kernel up_and_down(x: [i32; N]) -> (y: [i32; N]) {
            for n in 0..N {
                A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
                B[n] = A[n] + if n == N - 1 { 0 } else { B[n + 1] };
                y[n] = B[n];
            }
        }",
    );
    has_not(&text, "POINT_BY_POINT");
    has(&text, "BLUEPRINT.design(&[p0], ::systolic::__private::Option::None)");
    has(&text, "on a CPU it runs in passes, each with a map of its own: A | B, y");
    let calls =
        ["<pass0::Code0<> as pass0::Instance0<>>::run_into", "<pass1::Code0<> as pass1::Instance0<>>::run_into"];
    calls.iter().for_each(|call| has(&text, call));
}

#[test]
fn a_user_may_allow_it() {
    let allowed = |words: &str| emitted(&NOT_INVERTED.replace("#[cfg(test)]", words));
    for words in ["#[allow(point_by_point)]", "#[allow(point_by_point, reason = \"it is small\")]"] {
        has_not(&allowed(words), "POINT_BY_POINT");
        has_not(&allowed(words), "allow(point_by_point");
    }
    let text = allowed("#[allow(dead_code, point_by_point)]");
    has_not(&text, "POINT_BY_POINT");
    has(&text, "#[allow(dead_code)]");
    has(&allowed("#[allow(dead_code)]"), "POINT_BY_POINT");
}

/// All subset sums of these weights differ, though no weight exceeds the sum of the smaller ones.
const SUMS: &str = "
    kernel sums<const Q: usize in [2, 3]>(x: [i32; 1]) -> (z: [i32; 1]) {
        for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
            V[a, b, c, d, e, f] = x[0];
            if a + b + c + d + e + f == 0 { z[0] = V[a, b, c, d, e, f]; }
        }
        map rows where Q == 2 { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
        map where Q == 3 { lanes (a, b); }
    }";

#[test]
fn rows_without_a_known_way_back_warn_once() {
    let text = emitted(SUMS);
    assert_eq!(text.matches("#[deprecated(").count(), 1, "the map of this name is the one that the kernel runs");
    has(&text, "kernel `sums` with Q = 2 runs point by point: the compiler cannot invert the rows of its map");
}

/// A step that is too long for a GPU. On a CPU the unrolled row is a loop.
#[test]
fn a_long_step_is_no_program_for_a_gpu() {
    let text = emitted(
        "kernel long(x: [f32; N]) -> (y: [f32; N]) {
            for n in 0..N, t in 0..4000 {
                S[n, t] = if t == 0 { x[n] } else { (S[n, t - 1] * 0.5 + 1.0) * 0.25 + S[n, t - 1] * 3.0 - 1.0 };
                if t == 3999 { y[n] = S[n, t]; }
            }
            map { tile n by 32 as (nb, ni); blocks (nb); lanes ni; unroll (t); }
        }",
    );
    has_not(&text, "POINT_BY_POINT");
    has(&text, "BLUEPRINT.design(&[p0], ::systolic::__private::Option::None)");
    has(&text, "without_gpu: ::systolic::__private::Option::Some(\"a step of its map has about");
}

/// A wavefront over rows of `i`: 32 lanes of two rows each.
fn wavefront(equations: &str) -> super::Unit {
    let text = format!(
        "kernel best(a: [u8; N], b: [u8; M], s: const [i32; 4, 4] border clamp, hit: i32, miss: i32) -> (y: [i32; 1]) {{
            for i in 0..N, j in 0..M {{
                H[i, j] = {equations};
                if i == N - 1 && j == M - 1 {{ y[0] = H[i, j]; }}
            }}
            map {{ tile i by 64 as (ib, ii); tile ii by 2 as (il, ir);
                space_time (il, ir, j) -> (q, t, u) = [[1, 0, 0], [1, 0, 1], [0, 1, 0]]; lanes q; unroll (u); }}
        }}"
    );
    let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
    unit
}

/// Where `i` fits the lanes, nothing is handed from one iteration of `ib` to the next.
#[test]
fn a_wavefront_that_fits_the_lanes_needs_no_rows() {
    let unit = wavefront(
        "max(0, (if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] }) + if a[i] == b[j] { hit } else { miss })",
    );
    let (alone, others) = (&unit.program.versions[0], &unit.program.versions[1..]);
    assert_eq!(alone.when.to_string(), "-size0 + 64 >= 0");
    assert!(alone.sections.iter().all(|section| section.step.rows.is_empty()));
    assert!(others.iter().flat_map(|v| &v.sections).all(|section| section.step.rows.len() == unit.program.rows.len()));
    assert!(!unit.program.rows.is_empty());
    has(&squeezed(&unit.plan), "if((64-s0))>=0{0}else{");
    // Letters that stay in a lane are extended once, and scores are added under a predicate.
    has(&squeezed(&unit.source), "add_either(");
    has(&squeezed(&unit.source), "consti32extended_");
}

/// Blocks for which there is no memory for rows do without it also where wide accesses are not aligned.
#[test]
fn what_needs_no_rows_does_not_ask_for_alignment() {
    let text = "
        kernel table(x: [i32; N, M]) -> (y: [i32; N, M]) {
            for i in 0..N, j in 0..M {
                S[i, j] = x[i, j] + if j == 0 { 0 } else { S[i, j - 1] };
                y[i, j] = S[i, j];
            }
            map { tile j by 64 as (jb, jj); tile jj by 2 as (jl, jr);
                space_time (jl, jr, i) -> (q, t, u) = [[1, 0, 0], [1, 0, 1], [0, 1, 0]]; lanes q; unroll (u); }
        }";
    let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
    assert!(unit.program.has_wide() && unit.program.needs_no_rows().is_some());
    let source = squeezed(&unit.source);
    has(&source, "if(-M+64>=0){");
    has_not(&source, "if(wide&&-M+64>=0){");
}

/// What the text needs for boxes is declared once a level, whatever order the clauses have, and names of the user stay apart from it.
#[test]
fn double_boxes_of_several_loops() {
    let text = "
        kernel sums(x: [f32; M, K], low: [f32; P, M], z: [f32; K, M]) -> (y: [f32; M, P]) {
            for i in 0..M, p in 0..P, half in 0..K {
                S[i, p, half] = x[i, half] + low[p, i] * z[half, i] + if half == 0 { 0.0 } else { S[i, p, half - 1] };
                if half == K - 1 { y[i, p] = S[i, p, half]; }
            }
            map { tile i by 32 as (ib, ii); blocks (ib); reorder (p, half); lanes ii;
                stage x in shared at half; stage low in shared at p; stage z in shared at half; }
        }";
    let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
    assert_eq!(
        unit.program.stages.iter().map(|s| (s.level, s.is_double)).collect::<Vec<_>>(),
        [(2, true), (1, true), (2, true)]
    );
    let source = squeezed(&unit.source);
    for declared in ["i32half_1=0;", "i32half_2=0;", "boolbegun_1=false;", "boolbegun_2=false;"] {
        assert_eq!(source.matches(declared).count(), 1, "{declared}");
    }
    has(&source, "constautofill_0=[&](Ip_2,Ihalf_of,i32half){");
    has(&source, "low_of+");
}

/// Lanes read small tables in shared memory.
#[test]
fn tables_are_copied_to_shared_memory() {
    let unit = wavefront("s[a[i], b[j]] + if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] }");
    let source = squeezed(&unit.source);
    // 5 × 5 elements with those outside, in 32 copies, one per bank.
    has(&source, "constu8*consttable_0=memory+(0+lane%32*4);");
    has(&source, "for(i32cell=warp*32+lane;cell<800;cell+=32){*reinterpret_cast<i32*>(memory+(");
    has(&source, "=((cell/160%5)<4&&(cell/32%5)<4)?p.s[((cell/160%5)*4+(cell/32%5))]:zero<i32>();}__syncwarp();");
    has(&source, "from_table<i32>(table_0+(i32(clamp<i32>(i32(");
    assert_eq!(crate::program::Shared::of(&unit.program).bytes, 5 * 5 * 32 * 4);
}

/// If the border does not lead back, an index outside reads the element behind the last one. A lane that reads once needs one copy.
#[test]
fn a_table_has_an_element_for_what_lies_outside() {
    let table = |border: &str| {
        let text = format!(
            "kernel look(x: [u8; N], s: const [i16; 40] border {border}, beyond: i16) -> (y: [i16; N]) {{
                for i in 0..N {{ y[i] = s[x[i]]; }}
                map {{ tile i by 32 as (ib, ii); blocks (ib); lanes ii; }}
            }}"
        );
        let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
        squeezed(&unit.source)
    };
    for (border, outside) in [("zero", "zero<i16>()"), ("constant(-4)", "i16(-4)"), ("constant(beyond)", "p.beyond")] {
        let source = table(border);
        has(&source, &format!("<40?p.s[(cell/1%41)]:{outside};"));
        has(&source, "from_table<i16>(table_0+(in_table_row<i16,1>(until_end(i32(");
        has_not(&source, "is_below");
    }
    has(&table("wrap"), "in_table_row<i16,1>(wrap<i32>(i32(");
}

/// nvcc warns of a name that a loop before has declared too, and warnings are errors.
#[test]
fn no_loop_of_a_stream_declares_a_name_of_the_user() {
    let text = "
        kernel sums(x: [i32; K, R, C]) -> (y: [i32; K, R]) {
            for k in 0..K, r in 0..R, c in 0..C {
                P[k, r, c] = x[k, r, c] + if c == 0 { 0 } else { P[k, r, c - 1] };
                if c == C - 1 { y[k, r] = P[k, r, c]; }
            }
            map {
                tile r by 32 as (rb, ri);
                tile c by 4 as (cb, cc);
                blocks (k, rb);
                space_time (ri, cb, cc) -> (s, t, u) = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
                lanes s;
                unroll (u);
            }
        }";
    let [unit] = <[_; 1]>::try_from(crate::units(text.parse().unwrap())).expect("one unit");
    let source = squeezed(&unit.source);
    has(&source, "constIk=at.axis[1];");
    has(&source, "bring_chunk(chunk+piece,piece);");
    has_not(&source, "i32k=");
}
