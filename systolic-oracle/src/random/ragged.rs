//! Ragged batches: items `k` whose loops end at lengths `n[k]` and `m[k]`, with maps that put items into blocks, launches or
//! time; sometimes with a read or a map that the laws refuse.
use super::Random;

/// A kernel over items of different lengths, and a map.
pub fn draw(random: &mut Random) -> String {
    let ty = random.pick(&["f32", "f32", "i32", "i64", "u8"]);
    let least = random.pick(&[0, 1, 1, 2]);
    let most = random.pick(&["N", "N", "N", "N + 1", "6"]);
    let lengths = random.pick(&["u32", "u32", "i32", "u64", "u8"]);
    let inner = random.pick(&["", "", "0..m[k]", "0..n[k]", "0..M", "0..3", "0..i + 1"]);
    let has_m = inner == "0..m[k]";
    let mut parameters = vec![format!("x: [{ty}; K, {most}]"), format!("n: [{lengths}; K] in {least}..={most}")];
    if most == "6" {
        parameters.push("N: size".to_string());
    }
    if has_m {
        parameters.push(format!("y: [{ty}; K, M]"));
        parameters.push(format!("m: [u32; K] in {}..=M", random.pick(&[1, 1, 0])));
    } else if inner == "0..M" {
        parameters.push(format!("y: [{ty}; K, M]"));
    }
    let two = inner.is_empty();
    let (here, nest) = if two { ("k, i", String::new()) } else { ("k, i, j", format!(", j in {inner}")) };
    let load = match random.below(6) {
        0 => format!("x[k, n[k] - 1 - i] + (n[k] as {ty})"),
        1 => format!("x[k, i] + ((n[k] - i) as {ty})"),
        2 if has_m => "x[k, i] + y[k, m[k] - 1 - j]".to_string(),
        3 if inner == "0..M" => "x[k, i] - y[k, j]".to_string(),
        _ => "x[k, i]".to_string(),
    };
    let mut reads = Vec::new();
    let at = |i: &str, j: &str| if two { format!("k, {i}") } else { format!("k, {i}, {j}") };
    let along_i = random.chance(70);
    if along_i {
        reads.push(if random.chance(70) {
            // A triangle `j in 0..i + 1` has no point (i - 1, i).
            let ends = if inner == "0..i + 1" && !random.chance(5) { "i == 0 || j == i" } else { "i == 0" };
            format!("if {ends} {{ 0 as {ty} }} else {{ V[{}] }}", at("i - 1", "j"))
        } else {
            format!("if i == n[k] - 1 {{ 0 as {ty} }} else {{ V[{}] }}", at("i + 1", "j"))
        });
    }
    let along_j = !two && random.chance(50);
    if along_j {
        reads.push(format!("if j == 0 {{ 0 as {ty} }} else {{ V[{}] }}", at("i", "j - 1")));
    }
    let along_k = random.chance(20);
    if along_k {
        let ends = match (random.chance(8), has_m) {
            (true, _) => "k == 0",
            (_, true) => "k == 0 || i >= n[k - 1] || j >= m[k - 1]",
            _ if inner == "0..n[k]" => "k == 0 || i >= n[k - 1] || j >= n[k - 1]",
            _ => "k == 0 || i >= n[k - 1]",
        };
        reads.push(format!("if {ends} {{ 1 as {ty} }} else {{ V[{}] }}", at("i", "j").replacen('k', "k - 1", 1)));
    }
    let sum: String = reads.iter().map(|read| format!(" + ({read})")).collect();
    let last = match inner {
        "" => String::new(),
        "0..m[k]" => " && j == m[k] - 1".to_string(),
        "0..n[k]" => " && j == n[k] - 1".to_string(),
        "0..M" => " && j == M - 1".to_string(),
        "0..i + 1" => " && j == i".to_string(),
        _ => " && j == 2".to_string(),
    };
    let rest = |random: &mut Random, needed: bool| {
        let wanted = if needed { !random.chance(8) } else { random.chance(20) };
        if wanted { " rest 7" } else { "" }
    };
    let (output, store) = match random.below(5) {
        0 | 1 => {
            let rest = rest(random, least == 0 || has_m);
            (format!("o: [{ty}; K]{rest}"), format!("if i == n[k] - 1{last} {{ o[k] = V[{here}]; }}"))
        }
        2 if along_k || random.chance(20) => {
            let rest = rest(random, least == 0);
            let guard = format!("k == K - 1 && i == n[k] - 1{last}");
            (format!("o: [{ty}; 1]{rest}"), format!("if {guard} {{ o[0] = V[{here}]; }}"))
        }
        _ if two => (format!("o: [{ty}; K, {most}]{}", rest(random, true)), format!("o[k, i] = V[{here}];")),
        _ => {
            let width = match inner {
                "0..m[k]" | "0..M" => "M",
                "0..3" => "3",
                _ => most,
            };
            let rest = rest(random, true);
            (format!("o: [{ty}; K, {most}, {width}]{rest}"), format!("o[k, i, j] = V[{here}];"))
        }
    };
    let map = map(random, two, along_i, along_j, along_k);
    format!(
        "    kernel random({}) -> ({output}) {{
        for k in 0..K, i in 0..n[k]{nest} {{
            V[{here}] = {load}{sum};
            {store}
        }}
{map}    }}
",
        parameters.join(", "),
    )
}

/// A map that suits the reads in most cases.
fn map(random: &mut Random, two: bool, along_i: bool, along_j: bool, along_k: bool) -> String {
    if random.chance(15) {
        return String::new();
    }
    let by = random.pick(&[2, 3, 8, 32]);
    let items = match random.below(10) {
        0 => "launches (k);",
        1 if along_k => "",
        _ if along_k => random.pick(&["launches (k);", "blocks (k) in order;", "", "blocks (k);"]),
        2 => "",
        _ => "blocks (k);",
    };
    let clauses = match random.below(8) {
        0 => return format!("        map {{ tile k by {by} as (kb, ki); blocks (kb); lanes ki; }}\n"),
        1..=5 if two && !along_i && items == "blocks (k);" => {
            format!("tile i by {by} as (ib, ii); blocks (k, ib); lanes ii;")
        }
        6 if two && !along_i => format!("tile i by {by} as (ib, ii); {items} lanes ii fold 2;"),
        _ if two && along_i => {
            format!("tile i by {by} as (ib, ii); {items} space_time (ib, ii) -> (s, t) = [[0, 1], [{by}, 1]]; lanes s;")
        }
        _ if two => format!("tile i by {by} as (ib, ii); {items} lanes ii;"),
        3 if !along_j => format!("tile j by {by} as (jb, ji); {items} lanes ji;"),
        4..=6 if !along_i && items == "blocks (k);" => {
            format!("tile i by {by} as (ib, ii); blocks (k, ib); lanes ii;")
        }
        _ => format!("tile j by {by} as (jb, ji); {items} space_time (ji, i) -> (s, t) = [[1, 0], [1, 1]]; lanes s;"),
    };
    format!("        map {{ {clauses} }}\n")
}
