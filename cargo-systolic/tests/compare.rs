//! Compares the maps of kernels: shapes, predictions, measurements, refusals, and maps that a build has left.
mod support;

use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{User, signal};
use systolic_compiler::compile::Which;
use systolic_compiler::{check, emit, link, syntax};

const LIB: &str = include_str!("explained/kernels.rs");

/// One lawful map, one for CPUs, one that is refused.
const MIXED: &str = "systolic::systolic! {
    kernel sums(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            z[r, c] = S[r, c];
        }
        map down { tile c by 64 as (cb, ci); blocks (cb); lanes ci fold 2; }
        map on cpu { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
        map up { tile c by 32 as (cb, ci); blocks (cb); space_time (ci, r) -> (s, t) = [[1, 0], [0, -1]]; lanes s; }
    }
}
";

/// The words of the row of a map.
fn row<'t>(out: &'t str, name: &str) -> Vec<&'t str> {
    let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no row {name}:\n{out}"));
    line[name.len()..].split_whitespace().collect()
}

#[test]
fn all_maps_side_by_side() {
    let user = User::new("compare", LIB);
    let said = user.run(&["compare", "conv", "--instance", "Q=5", "--size", "C=28000"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("`conv` (Q = 5) at C=28000, predicted on NVIDIA H200\n\nmap "), "{}", said.out);
    // on, places, lanes, fold, warps, blocks, steps
    assert_eq!(row(&said.out, "map 1")[..7], ["any", "32", "32", "1", "1", "1000", "5"]);
    assert_eq!(row(&said.out, "plain")[..7], ["any", "32", "32", "1", "1", "875", "5"]);
    assert!(said.out.contains(" µs") && said.out.contains("estimates of the cost model"), "{}", said.out);
    // Beside them the one that there would be without them.
    assert!(row(&said.out, "automatic")[4..].iter().any(|cell| cell.starts_with(|c: char| c.is_ascii_digit())));
    assert!(said.out.contains("map `automatic`: without the maps above: the first lawful one"), "{}", said.out);

    let said = user.run(&["compare", "conv", "--size", "C=28000", "--json"]);
    let value: Value = serde_json::from_str(&said.out).expect("an object");
    assert_eq!((value["instance"].as_str(), value["sizes"].as_str()), (Some("Q = 2"), Some("C=28000")));
    let first = &value["maps"][0];
    assert_eq!(
        (first["lanes"].as_u64(), first["steps"].as_u64(), first["blocks"].as_u64()),
        (Some(29), Some(2), Some(1000))
    );
    assert!(first["predicted_seconds"].as_f64().is_some_and(|s| s > 1e-6) && first["limited_by"].is_string());
    assert!(first["registers"].as_u64().is_some_and(|n| (8..=64).contains(&n)), "{first}");
}

#[test]
fn a_refused_map_has_a_row_with_its_law() {
    let user = User::new("compare-refused", MIXED);
    let said = user.run(&["compare", "sums", "--size", "R=100", "--size", "C=6400"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), ""), "{}", said.out);
    assert_eq!(row(&said.out, "down")[..7], ["any", "64", "32", "2", "1", "100", "100"]);
    // No cost model predicts the time of a CPU.
    assert_eq!(row(&said.out, "map 2"), ["cpu", "32", "32", "1", "1", "200", "100", "-", "-", "-", "-"]);
    assert_eq!(row(&said.out, "up "), ["any", "refused", "by", "the", "law", "causality"]);
    assert!(said.out.contains("map `up` is refused: causality: `S` is used before it is computed"), "{}", said.out);
    let said = user.run(&["compare", "sums", "--json"]);
    let value: Value = serde_json::from_str(&said.out).expect("an object");
    assert_eq!((said.code, value["maps"][2]["refused"]["law"].as_str()), (Some(1), Some("causality")));
}

#[test]
fn what_was_measured_and_what_a_build_has_found() {
    let user = User::new("compare-known", LIB);
    let start = LIB.find("kernel blur").expect("a kernel");
    let text = &LIB[start..start + LIB[start..].find("\n    }\n").expect("its end") + 6];
    let checked = check(text.parse().expect("tokens"));
    let (tree, instances) = &checked.kernels[0];
    let key = emit::key(tree, instances[0].kernel(), Which::Default);
    let map = "// found\n    map {\n        tile n by 64 as (nb, ni);\n        blocks (nb);\n        lanes ni fold 2;\n    }\n";
    user.write(&format!("target/debug/build/mine-1/out/{}/{}", link::FOLDER, link::map_file(&key)), map);
    let text = link::key("blur", &[&syntax::text(tree), env!("CARGO_PKG_VERSION")]);
    let results = |device: &str, sizes: &str, seconds: &str| {
        format!(
            "{{\"kernel\": \"blur\", \"text\": {text:?}, \"instance\": \"\", \"device\": {device:?}, \"sizes\": {sizes:?}, \
             \"maps\": [{{\"map\": \"\", \"seconds\": {seconds}}}]}}"
        )
    };
    let all = [
        results("NVIDIA H200", "N=6400", "2e-6"),
        results("a CPU, 2 threads", "N=6400", "5e-6"),
        results("x", "N=1", "1"),
    ];
    user.write("systolic-tune.json", &format!("{{\"version\": 1, \"results\": [{}]}}", all.join(", ")));
    let said = user.run(&["compare", "blur"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("`blur` at N=6400, predicted"), "{}", said.out);
    assert_eq!(row(&said.out, "automatic")[..7], ["any", "64", "32", "2", "1", "100", "1"]);
    assert!(said.out.contains("2.00 µs on NVIDIA H200, 5.00 µs on a CPU, 2 threads\n"), "{}", said.out);
    assert!(said.out.contains("map `automatic`: found by the search of the build script\n"), "{}", said.out);
    let other = user.run(&["compare", "blur", "--size", "N=5000"]);
    assert!(other.out.contains("at N=5000") && row(&other.out, "automatic").last() == Some(&"-"), "{}", other.out);
}

#[test]
fn mistakes_are_said() {
    let user = User::new("compare-mistaken", LIB);
    for (words, expected) in [
        (&["blurr"][..], "there is no kernel `blurr` in `mine`; did you mean `blur`?"),
        (&["outside"], "the kernel `outside` does not compile\nsrc/lib.rs:"),
        (&["conv", "--instance", "Q=3"], "no instance fits `Q=3`; there are `Q = 2`, `Q = 5`"),
        (&["conv", "--size", "N=3"], "the kernel has no size `N`; its sizes are `C`"),
    ] {
        let said = user.run(&[&["compare"], words].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(said.err.starts_with("error: ") && said.err.contains(expected), "{words:?}: {}", said.err);
    }
}

/// A signal ends nvcc too, and nothing that it has begun stays under its name.
#[test]
#[cfg(unix)]
fn a_signal_while_nvcc_compiles() {
    let user = User::new("compare-interrupted", MIXED);
    user.program("tools/c++", "echo 'c++ 12.2.0'");
    let begins = "for word; do [ \"$last\" = -o ] && { echo half > \"$word\"; echo $$ > begun.part; mv begun.part begun; exec sleep 60; }; last=$word; done";
    user.program("tools/nvcc", &format!("echo 'Cuda compilation tools, release 13.0, V13.0.88'\n{begins}"));
    let path = format!("{}:{}", user.folder.join("tools").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = user.command(&["compare", "sums", "--size", "R=100", "--size", "C=6400"]);
    command.env("PATH", path).env("NVCC", "nvcc").stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it runs");
    let began = user.folder.join("begun");
    let wait_until = |done: &dyn Fn() -> bool| {
        let started = Instant::now();
        while !done() {
            assert!(started.elapsed() < Duration::from_secs(30), "it takes too long");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait_until(&|| began.exists());
    let nvcc = user.read("begun").trim().to_string();
    assert!(signal(&child, "TERM"));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let is_gone =
        || !Command::new("kill").args(["-0", &nvcc]).stderr(Stdio::null()).status().expect("kill runs").success();
    wait_until(&is_gone);
    let made = std::fs::read_dir(user.folder.join("target/systolic/compare")).expect("a folder").flatten();
    let made: Vec<String> = made.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let whole = made.iter().filter(|name| name.ends_with(".ptx") && !name.starts_with("part_")).count();
    assert_eq!((whole, made.iter().any(|name| name.starts_with("part_"))), (0, true), "{made:?}");
}

/// Where nvcc is, registers are those of its assembler; a map that it cannot compile keeps the estimate.
#[test]
#[cfg(unix)]
fn registers_are_those_of_the_assembler() {
    let user = User::new("compare-registers", MIXED);
    let words = ["compare", "sums", "--size", "R=100", "--size", "C=6400"];
    let run = |nvcc: &str| {
        let mut command = user.command(&words);
        let path = format!("{}:{}", user.folder.join("tools").display(), std::env::var("PATH").unwrap_or_default());
        support::said(&command.env("PATH", path).env("NVCC", nvcc).output().expect("it runs"))
    };
    let said = run("/no/such/nvcc");
    let estimate = row(&said.out, "down")[7].to_string();
    assert!(said.out.contains("registers per lane are estimates of the cost model: NVCC is set to"), "{}", said.out);

    let version = "echo 'Cuda compilation tools, release 13.0, V13.0.88'";
    user.program("tools/c++", "echo 'c++ 12.2.0'");
    let ptxas = "for word; do [ \"$last\" = -o ] && : > \"$word\"; last=$word; done; for word; do [ \"$word\" = --cubin ] && { echo \"ptxas info : Compiling entry function 'a' for 'sm_90'\"; \
                 echo 'ptxas info : Used 41 registers'; }; done; true";
    user.program("tools/nvcc", &format!("{version}\n{ptxas}"));
    let said = run("nvcc");
    assert_eq!(row(&said.out, "down")[7], "41", "{}", said.out);
    assert!(said.out.contains("registers per lane are those of ptxas of nvcc 13.0.88 for sm_90"), "{}", said.out);

    user.program(
        "tools/nvcc",
        &format!("{version}\ncase \"$1\" in --version) ;; *) echo 'no licence' >&2; exit 1;; esac"),
    );
    let said = run("nvcc");
    assert_eq!(row(&said.out, "down")[7], format!("~{estimate}"), "{}", said.out);
    assert!(said.out.contains("map `down`: its registers are estimated, as nvcc failed: "), "{}", said.out);
}
