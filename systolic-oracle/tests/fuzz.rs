//! Arbitrary and mutated token streams through the whole front end: it must not panic, hang, or use more memory than a
//! build has.
//!
//! `SYSTOLIC_FUZZ` is the number of cases, `SYSTOLIC_SEED` the first seed.
mod support;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::files::workloads;
use support::number;
use systolic_compiler::syntax::print_kernel;
use systolic_oracle::Random;

/// A case that takes longer fails the test.
const TOO_LONG: Duration = Duration::from_secs(10);
/// The stack size that rustc gives the thread of the macro.
const STACK: usize = 8 << 20;
/// A case that holds more bytes at one time aborts the test; without a bound it could exhaust the machine.
const TOO_MUCH: isize = 1 << 30;

/// The system allocator, counting the bytes that each thread holds.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static SEED: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn hold(bytes: isize) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    if bytes > 0 && held > TOO_MUCH {
        // Printing allocates memory too, so disable the check.
        HELD.set(isize::MIN / 2);
        eprintln!("seed {} holds more than {TOO_MUCH} bytes", SEED.get());
        std::process::abort();
    }
}

// SAFETY: every call is passed on unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        hold(-(layout.size() as isize));
        unsafe { System.dealloc(place, layout) }
    }
}

const WORDS: &[&str] = &[
    "kernel",
    "for",
    "in",
    "map",
    "tile",
    "by",
    "as",
    "blocks",
    "warps",
    "space_time",
    "reverse",
    "lanes",
    "fold",
    "reorder",
    "unroll",
    "stage",
    "shared",
    "registers",
    "at",
    "overlap",
    "auto",
    "_",
    "const",
    "usize",
    "type",
    "where",
    "border",
    "zero",
    "clamp",
    "reflect",
    "symmetric",
    "wrap",
    "constant",
    "size",
    "if",
    "else",
    "on",
    "cpu",
    "gpu",
    "pub",
    "f32",
    "f64",
    "f16",
    "bf16",
    "i8",
    "i32",
    "u64",
    "bool",
    "true",
    "false",
    "min",
    "max",
    "abs",
    "sqrt",
    "exp",
    "ln",
    "pow",
    "sin",
    "tanh",
    "round_even",
    "fma",
    "x",
    "w",
    "z",
    "X",
    "Z",
    "c",
    "q",
    "i",
    "j",
    "s",
    "t",
    "C",
    "N",
    "Q",
    "cb",
    "ci",
    "_",
    "self",
    "crate",
    "match",
    "let",
    "r#for",
];
const SIGNS: &[char] =
    &['+', '-', '*', '/', '%', '=', '<', '>', '!', '&', '|', '^', ',', ';', ':', '.', '@', '#', '$', '?', '~', '\''];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "32",
    "33",
    "255",
    "1000",
    "2147483648",
    "1099511627776",
    "1099511627777",
    "1000000000000000000",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "85070591730234615865843651857942052864",
    "170141183460469231731687303715884105727",
    "170141183460469231731687303715884105728",
    "340282366920938463463374607431768211456",
    "0.0",
    "1.5",
    "1e400",
    "1e-400",
    "1f32",
    "1u8",
    "300u8",
    "0xFF",
    "0b1",
    "1_000",
    "1.0f16",
    "1usize",
    "\"text\"",
    "'c'",
    "b'x'",
];

/// Conditions on types, which no workload uses.
const TYPES: &str = "
    kernel types<type T in [f32, f64], type U in [f64, i32], const Q: usize in [2, 5]>(
        x: [T; N], w: [U; N],
    ) -> (z: [T; N]) where T == f32, T != U, Q < N {
        for n in 0..N { z[n] = x[n] + w[n] as T; }
        map where T != f64, Q == 2 { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
        map wide on cpu where f32 == T { tile n by 64 as (nb, ni); blocks (nb); lanes ni fold 2; }
    }";

fn word(text: &str) -> TokenTree {
    match text.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()).into(),
        None => Ident::new(text, Span::call_site()).into(),
    }
}

fn literal(text: &str) -> TokenTree {
    match text.strip_prefix('-') {
        Some(_) => unreachable!("signs are tokens of their own"),
        None => TokenTree::Literal(text.parse::<Literal>().expect("a literal")),
    }
}

fn sign(random: &mut Random) -> TokenTree {
    let spacing = if random.chance(50) { Spacing::Joint } else { Spacing::Alone };
    Punct::new(random.pick(SIGNS), spacing).into()
}

fn delimiter(random: &mut Random) -> Delimiter {
    random.pick(&[Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None])
}

/// Random tokens of the vocabulary.
fn soup(random: &mut Random, length: usize, depth: usize) -> TokenStream {
    let mut all = Vec::new();
    for _ in 0..length {
        all.push(match random.below(10) {
            0..4 => word(random.pick(WORDS)),
            4..7 => sign(random),
            7 | 8 => literal(random.pick(NUMBERS)),
            _ if depth > 0 => {
                let inner = 1 + random.below(8);
                Group::new(delimiter(random), soup(random, inner, depth - 1)).into()
            }
            _ => word("x"),
        });
    }
    all.into_iter().collect()
}

/// Makes a random change at one position of a token tree.
fn mutate(tokens: TokenStream, random: &mut Random) -> TokenStream {
    let mut all: Vec<TokenTree> = tokens.into_iter().collect();
    if all.is_empty() {
        return soup(random, 2, 1);
    }
    // Usually descend into a group, since most tokens are inside groups.
    let groups: Vec<usize> = (0..all.len()).filter(|k| matches!(all[*k], TokenTree::Group(_))).collect();
    if !groups.is_empty() && random.chance(80) {
        let k = random.pick(&groups);
        if let TokenTree::Group(group) = &all[k] {
            let mut new = Group::new(group.delimiter(), mutate(group.stream(), random));
            new.set_span(group.span());
            all[k] = new.into();
        }
        return all.into_iter().collect();
    }
    let k = random.below(all.len());
    match random.below(12) {
        0 => {
            all.remove(k);
        }
        1 => all.insert(k, all[k].clone()),
        2 => {
            let j = random.below(all.len());
            all.swap(k, j);
        }
        3 => all[k] = word(random.pick(WORDS)),
        4 => all[k] = sign(random),
        5 => all[k] = literal(random.pick(NUMBERS)),
        6 => all.insert(k, word(random.pick(WORDS))),
        7 => all.insert(k, sign(random)),
        8 => {
            // Wraps some tokens in a group, often an invisible one.
            let end = (k + 1 + random.below(4)).min(all.len());
            let kind = if random.chance(60) { Delimiter::None } else { delimiter(random) };
            let inner: TokenStream = all.splice(k..end, []).collect();
            all.insert(k, Group::new(kind, inner).into());
        }
        9 => {
            if let TokenTree::Group(group) = &all[k] {
                all[k] = Group::new(delimiter(random), group.stream()).into();
            } else if matches!(all[k], TokenTree::Literal(_)) {
                all[k] = literal(random.pick(NUMBERS));
            }
        }
        10 => {
            let numbers: Vec<usize> = (0..all.len()).filter(|k| matches!(all[*k], TokenTree::Literal(_))).collect();
            for k in numbers {
                if random.chance(50) {
                    all[k] = literal(random.pick(NUMBERS));
                }
            }
        }
        _ => {
            let piece: Vec<TokenTree> = all[k..(k + 1 + random.below(6)).min(all.len())].to_vec();
            all.extend(piece);
        }
    }
    all.into_iter().collect()
}

/// A deep or long expression as the value of the equation.
fn extreme(random: &mut Random) -> String {
    let n = random.pick(&[50usize, 120, 300, 1000]);
    let inner = match random.below(8) {
        0 => format!("{}x[i]{}", "(".repeat(n), ")".repeat(n)),
        1 => format!("x[i]{}", " + x[i]".repeat(n)),
        2 => format!("{}x[i]", "-".repeat(n)),
        3 => format!("{}x[i]{}", "if i == 0 { 0.0 } else { ".repeat(n), " }".repeat(n)),
        4 => format!("if i == 0{} {{ 0.0 }} else {{ x[i] }}", " || i == 3".repeat(n)),
        5 => format!("{}x[i]{}", "max(0.0, ".repeat(n), ")".repeat(n)),
        6 => format!("x[i{}]", " + 1 - 1".repeat(n)),
        _ => format!("if {}i == 0{} {{ 0.0 }} else {{ x[i] }}", "!(".repeat(n), ")".repeat(n)),
    };
    format!("kernel k(x: [f32; N]) -> (z: [f32; N]) {{ for i in 0..N {{ z[i] = {inner}; }} }}")
}

/// The token stream of case `seed`. The texts of the workloads are small, so they are parsed again for each case.
fn case(seed: u64, texts: &[String]) -> TokenStream {
    let mut random = Random::new(seed);
    let text = |random: &mut Random| texts[random.below(texts.len())].parse::<TokenStream>().expect("tokens");
    match random.below(40) {
        0 => {
            let length = 1 + random.below(60);
            soup(&mut random, length, 4)
        }
        1 => extreme(&mut random).parse().expect("tokens"),
        2 => {
            let mut both = mutate(text(&mut random), &mut random);
            both.extend(text(&mut random));
            both
        }
        _ => {
            let mut tokens = text(&mut random);
            for _ in 0..1 + random.below(3) {
                tokens = mutate(tokens, &mut random);
            }
            tokens
        }
    }
}

/// Runs cases until all are done. Returns the panics and the slowest case.
fn work(next: &AtomicU64, end: u64, texts: &[String]) -> (Vec<String>, Duration, u64) {
    let (mut wrong, mut slowest, mut which) = (Vec::new(), Duration::ZERO, 0);
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return (wrong, slowest, which);
        }
        if seed.is_multiple_of(64) {
            // The tokens of earlier cases are dropped, so their spans may be invalidated.
            proc_macro2::extra::invalidate_current_thread_spans();
        }
        SEED.set(seed);
        HELD.set(0);
        let tokens = case(seed, texts);
        let start = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| {
            let path: TokenStream = [word("krate")].into_iter().collect();
            let mut input = TokenStream::from(TokenTree::from(Group::new(Delimiter::Parenthesis, path)));
            input.extend(tokens.clone());
            drop(systolic_compiler::expand(input, &|_| Err(String::new())));
        }));
        let took = start.elapsed();
        if done.is_err() {
            wrong.push(format!("seed {seed} panics: {tokens}"));
        }
        if took > TOO_LONG {
            wrong.push(format!("seed {seed} takes {took:?}: {tokens}"));
        }
        if took > Duration::from_millis(500) {
            println!("seed {seed} takes {took:?}");
            if std::env::var("SYSTOLIC_TRACE").is_ok() {
                println!("{tokens}");
            }
        }
        if took > slowest {
            (slowest, which) = (took, seed);
        }
    }
}

#[test]
fn no_tokens_make_it_panic_or_hang() {
    let count = number("SYSTOLIC_FUZZ", 2000);
    let first = number("SYSTOLIC_SEED", 0);
    let mut texts: Vec<String> = workloads().iter().map(print_kernel).collect();
    texts.push(TYPES.to_string());
    let next = AtomicU64::new(first);
    let start = Instant::now();
    let results: Vec<(Vec<String>, Duration, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let work = || work(&next, first + count, &texts);
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread")
            })
            .collect();
        threads.into_iter().map(|t| t.join().expect("no panic leaves a case")).collect()
    });
    let (_, slowest, which) = results.iter().max_by_key(|r| r.1).expect("two threads");
    println!("{count} cases in {:?}; the slowest, seed {which}, in {slowest:?}", start.elapsed());
    let wrong: Vec<&String> = results.iter().flat_map(|r| &r.0).collect();
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.iter().take(20).map(|s| s.as_str()).collect::<Vec<_>>().join("\n")
    );
}
