//! The default maps of kernels without a map: those of the workloads compared with a stored list, and random kernels.
use super::{Random, lawful, one};
use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use systolic_compiler::check;
use systolic_compiler::laws::LawfulMap;
use systolic_compiler::mapping::{Layout, Target, default_map};
use systolic_compiler::model::{Int, RowKind};

/// The default map of every workload, one per line.
const KNOWN: &str = include_str!("defaults.txt");

/// A map in one line: its rows as forms of the loops.
fn summary(map: &LawfulMap) -> String {
    let mapping = map.mapping();
    let name = |leaf: usize| mapping.nodes[mapping.leaves[leaf]].name.text.as_str();
    let row = |coefs: &[Int]| {
        let terms = coefs.iter().enumerate().filter(|(_, c)| **c != 0);
        terms.map(|(l, c)| format!("{c} {}", name(l))).collect::<Vec<_>>().join(" + ")
    };
    let of = |kind: RowKind| map.places().of_kind(kind).map(|r| row(&r.coefs)).collect::<Vec<_>>().join(", ");
    let shifted = mapping.shifts.iter().filter(|s| s.by.iter().any(|by| *by != 0));
    let shifts: String = shifted.map(|s| format!("; shift {:?} {:?}", s.of, s.by)).collect();
    let fold = if mapping.fold > 1 { format!(" fold {}", mapping.fold) } else { String::new() };
    format!("lanes {}{fold}; blocks {}; time {}{shifts}", of(RowKind::Lane), of(RowKind::Block), of(RowKind::Time))
}

/// The `systolic!` blocks in the files of the workloads, each with its file.
fn workloads() -> Vec<(String, TokenStream)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the workloads").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(file).expect("text");
        let blocks = blocks(text.parse().expect("tokens"));
        all.extend(blocks.into_iter().map(|b| (name.clone(), b)));
    }
    all
}

/// The contents of every `systolic! { … }` of a file.
fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (k, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let is_ours = k >= 2 && tokens[k - 2].to_string() == "systolic" && tokens[k - 1].to_string() == "!";
        if is_ours { found.push(group.stream()) } else { found.extend(blocks(group.stream())) }
    }
    found
}

#[test]
fn workloads_have_the_maps_they_are_known_to_have() {
    let mut found = String::new();
    for (file, block) in workloads() {
        for (kernel, instances) in check(block).kernels {
            for instance in instances {
                let map = default_map(&instance, Target::Gpu);
                let again = default_map(&instance, Target::Gpu);
                assert_eq!(map.as_ref().map(summary), again.as_ref().map(summary), "{}", kernel.name.text);
                let line = map.as_ref().map_or("none".to_string(), summary);
                let line = format!("{file} {}: {line}\n", kernel.name.text);
                // Most instances of a kernel have the same map.
                if !found.ends_with(&line) {
                    found.push_str(&line);
                }
                let laid_out = map.is_none_or(|map| Layout::new(instance.kernel(), &map, Target::Cpu).is_some());
                assert!(laid_out, "{} {}", kernel.name.text, instance.kernel().instance);
            }
        }
    }
    for (found, known) in found.lines().zip(KNOWN.lines()) {
        assert_eq!(found, known);
    }
    assert_eq!(found.lines().count(), KNOWN.lines().count(), "{found}");
}

/// Kernels for which no loop order, or only an unusual one, is valid, and the maps that they must get.
#[test]
fn odd_kernels_have_maps() {
    let kernel = |loops: &str, body: &str| {
        format!(
            "kernel k(N: size, x: [f32; 64] border clamp, y: [f32; 1]) -> (z: [f32; 1]) {{ for {loops} {{ {body} }} }}"
        )
    };
    // An input is passed on against a computed value along the time loop: it is loaded at every point instead.
    let direct = kernel(
        "i in 0..N, j in 0..8",
        "U[i, j] = if i == N - 1 { x[j] } else { U[i + 1, j] };
         V[i, j] = U[i, j] + if i == 0 { 0.0 } else { V[i - 1, j] };
         if i == N - 1 && j == 7 { z[0] = V[i, j]; }",
    );
    assert_eq!(told(&direct), "lanes 1 i_lane; blocks ; time 1 i_tile, 1 i_lane + 1 j");
    // Computed values cross a short loop in both directions: the loop is folded into registers.
    let folded = kernel(
        "i in 0..N, j in 0..4",
        "U[i, j] = x[i + j] + if j == 0 { 0.0 } else { U[i, j - 1] };
         V[i, j] = U[i, j] * 2.0 + if j == 3 { 0.0 } else { V[i, j + 1] };
         if i == 0 && j == 0 { z[0] = V[i, j]; }",
    );
    assert_eq!(told(&folded), "lanes 1 i_lane, 1 j fold 4; blocks 1 i_tile; time ");
    // Only a store reads forward: that loop runs downwards.
    let down = kernel(
        "i in 0..N, j in 0..N",
        "V[i, j] = x[i] + if j == 0 { 0.0 } else { V[i, j - 1] };
         if i == 0 && j == 0 { z[0] = if i + 1 < N && j + 1 < N { V[i + 1, j + 1] } else { V[i, j] }; }",
    );
    assert_eq!(told(&down), "lanes 1 i_lane; blocks ; time -1 i_tile, -1 i_lane + 1 j");
    // No loop order satisfies all reads: time is skewed over both loops.
    let front = kernel(
        "i in 0..N, j in 0..N",
        "V[i, j] = x[i] + if i >= 1 && j + 2 < N { V[i - 1, j + 2] } else { 0.0 }
                 + if i + 1 < N && j >= 3 { V[i + 1, j - 3] } else { 0.0 };
         if i == 0 && j == 0 { z[0] = V[i, j]; }",
    );
    assert_ne!(told(&front), "none");
    // Computed values cross a loop of run-time length in both directions: there is no map.
    let neither = kernel(
        "i in 0..N",
        "U[i] = x[i] + if i == 0 { 0.0 } else { U[i - 1] };
         V[i] = U[i] * 2.0 + if i == N - 1 { 0.0 } else { V[i + 1] };
         if i == 0 { z[0] = V[i]; }",
    );
    assert_eq!(told(&neither), "none");
}

fn told(text: &str) -> String {
    let instance = one(text);
    let map = default_map(&instance, Target::Gpu);
    if let Some(map) = &map {
        assert!(Layout::new(instance.kernel(), map, Target::Gpu).is_some(), "{text}");
    }
    map.as_ref().map_or("none".to_string(), summary)
}

/// Pairs of sequences of different lengths: the lanes of a step have the same lengths, so they are not the pairs.
#[test]
fn pairs_of_different_lengths_have_a_map_on_both_devices() {
    let instance = one(
        "kernel common(a: [u8; B, N], b: [u8; B, M], n: [u32; B] in 1..=N, m: [u32; B] in 1..=M) -> (l: [i32; B]) {
            for k in 0..B, i in 0..n[k], j in 0..m[k] {
                L[k, i, j] = if a[k, i] == b[k, j] { 1 + if i == 0 || j == 0 { 0 } else { L[k, i - 1, j - 1] } }
                    else { max(if i == 0 { 0 } else { L[k, i - 1, j] }, if j == 0 { 0 } else { L[k, i, j - 1] }) };
                if i == n[k] - 1 && j == m[k] - 1 { l[k] = L[k, i, j]; }
            }
        }",
    );
    for target in [Target::Cpu, Target::Gpu] {
        let map = default_map(&instance, target).unwrap_or_else(|| panic!("no map on {target:?}"));
        assert!(Layout::new(instance.kernel(), &map, target).is_some(), "{target:?}");
        assert!(summary(&map).contains("blocks 1 k;"), "{}", summary(&map));
    }
}

/// Totals of integers run in one lane, which rustc splits, if each has a row of its own; all pairs of rows run in lanes.
#[test]
fn totals_of_rows_run_in_one_lane() {
    let lanes = |text: &str| {
        let map = default_map(&one(text), Target::Cpu).expect("a map");
        let lane = map.places().rows.iter().position(|row| row.kind == RowKind::Lane).expect("a row of lanes");
        map.ranges()[lane].map(|(low, high)| high - low + 1)
    };
    let rows = "kernel k(x: [i32; R, C]) -> (y: [i32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }";
    assert_eq!(lanes(rows), Some(1));
    let pairs = "kernel k(a: [i32; N, D], b: [i32; M, D]) -> (y: [i32; N, M]) {
        for i in 0..N, j in 0..M, d in 0..D {
            S[i, j, d] = abs(a[i, d] - b[j, d]) + if d == 0 { 0 } else { S[i, j, d - 1] };
            if d == D - 1 { y[i, j] = S[i, j, d]; }
        }
    }";
    assert_eq!(lanes(pairs), Some(32));
    let sums = |value: &str, stored: &str| {
        let value = value.replace('S', "if c == 0 { 0 } else { S[r, c - 1] }");
        lanes(&format!(
            "kernel k(x: [i32; R, C]) -> (y: [i32; R, C]) {{
                for r in 0..R, c in 0..C {{
                    S[r, c] = {value};
                    {stored} = S[r, c];
                }}
            }}"
        ))
    };
    // Sums on the way, in both directions; something else than a sum; more than a few operations; stores across rows.
    assert_eq!(sums("x[r, c] + S", "y[r, c]"), Some(1));
    assert_eq!(sums("x[r, C - 1 - c] * 3 + S", "y[r, C - 1 - c]"), Some(1));
    assert_eq!(sums("max(x[r, c], S)", "y[r, c]"), Some(32));
    assert_eq!(sums("x[r, c] / 3 + S", "y[r, c]"), Some(32));
    assert_eq!(sums("(x[r, c] * x[r, c] + 5) * (x[r, c] - 1) * 3 + S", "y[r, c]"), Some(32));
    assert_eq!(sums("x[r, c] - S", "y[r, c]"), Some(32));
}

/// Batches of triangles whose sides are numbers run in chunks of many lanes, as batches of squares do, and small triangles are written
/// out. A triangle with a side known at run time is a loop.
#[test]
fn batches_of_small_triangles_are_chunks() {
    let factors = |side: &str, size: &str| {
        let text = format!(
            "kernel k({size}a: [f32; B, {side}, {side}]) -> (f: [f32; B, {side}, {side}] rest 0.0) {{
                for b in 0..B, k in 0..{side}, i in k..{side}, j in k..{side} {{
                    A[b, k, i, j] = if k == 0 {{ a[b, i, j] }} else {{ A[b, k - 1, i, j] - L[b, k - 1, i, j] * U[b, k - 1, i, j] }};
                    U[b, k, i, j] = if i == k {{ A[b, k, i, j] }} else {{ U[b, k, i - 1, j] }};
                    L[b, k, i, j] = if j == k {{ A[b, k, i, j] / U[b, k, i, j] }} else {{ L[b, k, i, j - 1] }};
                    if i == k {{ f[b, i, j] = U[b, k, i, j]; }}
                }}
            }}"
        );
        let map = default_map(&one(&text), Target::Cpu).expect("a map");
        let names = map.mapping().nodes.iter().map(|node| node.name.text.clone());
        (names.filter(|name| name == "b_chunk").count(), map.mapping().unroll.len())
    };
    // 4 · 4 + 3 · 3 + 2 · 2 + 1 = 30 points of at most 32; of the 55 of the next larger one, two loops have 25.
    assert_eq!(factors("4", ""), (1, 3));
    assert_eq!(factors("5", ""), (1, 2));
    assert_eq!(factors("9", ""), (1, 0));
    assert_eq!(factors("N", "N: size, "), (0, 0));
}

/// Whether a row with small coefficients puts every consumer after its producer.
fn has_row(distances: &[Vec<i64>]) -> bool {
    let loops = distances.first().map_or(0, |d| d.len() as u32);
    (0..5i64.pow(loops)).any(|code| {
        let row = (0..loops).map(|l| code / 5i64.pow(l) % 5 - 2);
        distances.iter().all(|d| row.clone().zip(d).map(|(c, d)| c * d).sum::<i64>() > 0)
    })
}

/// Two variables, one computed, one a copy or computed, read at random distances; and the distances of computed values.
fn random_text(random: &mut Random) -> (String, Vec<Vec<i64>>) {
    let names = &["i", "j", "k"][..random.within(1, 3) as usize];
    let loops: Vec<String> =
        names
            .iter()
            .map(|n| {
                if random.chance(50) {
                    format!("{n} in 0..N{n}")
                } else {
                    format!("{n} in 0..{}", random.within(1, 40))
                }
            })
            .collect();
    let high = |l: &str| l.split_once("..").map_or(String::new(), |(_, high)| high.to_string());
    let copy = random.chance(50);
    let mut computed = Vec::new();
    let mut read = |random: &mut Random, variable: &str| {
        let distance: Vec<i64> =
            names.iter().map(|_| if random.chance(40) { 0 } else { random.within(-2, 2) }).collect();
        if distance.iter().all(|d| *d == 0) {
            return "1.0".to_string();
        }
        if variable == "U" || !copy {
            computed.push(distance.iter().map(|d| -d).collect());
        }
        let index: Vec<String> = names.iter().zip(&distance).map(|(n, d)| format!("{n} + ({d})")).collect();
        let inside = loops.iter().zip(&index).map(|(l, i)| format!("{i} >= 0 && {i} < {}", high(l)));
        let inside = inside.collect::<Vec<_>>().join(" && ");
        format!("(if {inside} {{ {variable}[{}] }} else {{ 1.0 }})", index.join(", "))
    };
    let point = names.join(", ");
    let mut body = format!("U[{point}] = {} + {};", read(random, "U"), read(random, "V"));
    body.push_str(&match copy {
        false => format!("V[{point}] = {} * 2.0;", read(random, "V")),
        true => format!("V[{point}] = if {0} + 1 < {1} {{ V[{2}] }} else {{ x[0] }};", names[0], high(&loops[0]), {
            let moved = names.iter().enumerate().map(|(k, n)| if k == 0 { format!("{n} + 1") } else { n.to_string() });
            moved.collect::<Vec<_>>().join(", ")
        }),
    });
    let first: Vec<String> = names.iter().map(|n| format!("{n} == 0")).collect();
    let sizes: String =
        loops.iter().map(|l| high(l)).filter(|h| h.starts_with('N')).map(|h| format!("{h}: size, ")).collect();
    let text = format!(
        "kernel k({sizes}x: [f32; 1]) -> (z: [f32; 1]) {{ for {} {{ {body} if {} {{ z[0] = U[{point}] + V[{point}]; }} }} }}",
        loops.join(", "),
        first.join(" && ")
    );
    (text, computed)
}

#[test]
fn most_random_kernels_have_a_map() {
    let mut random = Random(11);
    let (mut tried, mut none) = (0, 0);
    for _ in 0..700 {
        let (text, computed) = random_text(&mut random);
        for instance in lawful(&text) {
            tried += 1;
            match default_map(&instance, Target::Gpu) {
                Some(map) => assert!(Layout::new(instance.kernel(), &map, Target::Gpu).is_some(), "{text}"),
                None => {
                    // A time row that every read obeys would give a map, at least one with one lane.
                    assert!(!has_row(&computed), "{text}");
                    none += 1;
                }
            }
        }
    }
    println!("{none} of {tried} have no map");
    assert!(tried > 500 && none * 4 < tried, "{none} of {tried} have no map");
}
