//! Explains kernels of a small package: as a page, a drawing and text; refused maps; and everything that a user may get wrong.
mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support::{data, lines};
use systolic_compiler::compile::Which;
use systolic_compiler::{check, emit, link, syntax};

const MANIFEST: &str = "[package]\nname = \"explained\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

const LIB: &str = include_str!("explained/kernels.rs");

struct User {
    folder: PathBuf,
}

impl User {
    fn new(name: &str) -> User {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("an old folder goes");
        }
        std::fs::create_dir_all(folder.join("src")).expect("a folder");
        let user = User { folder };
        user.write("Cargo.toml", MANIFEST);
        user.write("src/lib.rs", LIB);
        user
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-systolic"));
        command.args(["systolic", "explain"]).args(words).current_dir(&self.folder).stdin(Stdio::null());
        command.env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true").output().expect("it runs")
    }

    /// The exit code and both outputs.
    fn explain(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let output = self.run(words);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

#[test]
fn a_page_a_drawing_and_text() {
    let user = User::new("explained");
    let (code, out, err) = user.explain(&["conv"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let path = user.folder.join("target/systolic/explain/conv.html");
    assert_eq!(Path::new(out.trim()).canonicalize().ok(), path.canonicalize().ok());
    let page = user.read("target/systolic/explain/conv.html");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n") && page.len() < 300_000);
    // The only address is the name of a format.
    assert_eq!(page.matches("://").count(), page.matches("http://www.w3.org/2000/svg").count(), "no address");
    assert!(!page.contains("\"DATA\"") && page.contains("<title>conv (Q = 2)</title>"));

    let (code, out, err) = user.explain(&["conv", "--map", "plain", "--instance", "Q=5", "--size", "C=40"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(
        out.ends_with("conv-plain-Q=5.html\n")
            && user.read("target/systolic/explain/conv-plain-Q=5.html").contains("\"C\",40")
    );
    // Pages of other instances and devices lie beside it.
    for (words, name) in [
        (&["conv"][..], "conv"),
        (&["conv", "--instance", "Q = 5"], "conv-Q=5"),
        (&["blur", "--on", "cpu"], "blur-cpu"),
        (&["blur", "--on", "gpu", "--as", "svg"], "blur-gpu"),
    ] {
        let (_, out, _) = user.explain(words);
        let file = Path::new(out.trim_end()).file_stem().expect("a name").to_owned();
        assert_eq!(file.to_str(), Some(name), "{words:?}");
    }

    let (code, out, _) = user.explain(&["conv", "--as", "svg", "--block", "1", "--output", "conv.svg"]);
    assert_eq!((code, out.as_str()), (Some(0), "conv.svg\n"));
    let svg = user.read("conv.svg");
    assert!(
        svg.starts_with("<svg ") && svg.contains("block cb = 1") && svg.contains("shuffle: to another lane"),
        "{svg}"
    );

    // All of the code, which is also that of the page.
    for (on, word) in [("gpu", "extern \"C\" __global__ void"), ("cpu", "// s0: C, p0: x, p1: w, o0: z")] {
        let (code, out, err) = user.explain(&["conv", "--on", on, "--as", "code"]);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        assert!(out.contains(word), "{out}");
        user.explain(&["conv", "--on", on, "--output", "conv.html"]);
        let page: String = emitted(&user.read("conv.html")).into_iter().map(|(line, _)| line + "\n").collect();
        assert_eq!(page, out, "{on}");
    }

    let (code, out, _) = user.explain(&["conv", "--as", "text", "--instance", "Q=5", "--value", "z[5]"]);
    assert_eq!(code, Some(0));
    for part in [
        "z[5] is stored by block 0, lane 9, step 4 (t = 4)\n",
        "Z[5, 3] by shuffle: from the lane 1 below, earlier in the unrolled step, at block 0, lane 8, step 3 (t = 3)",
        "w[4] by a parameter",
        "t=4  ....*****#**********************",
        "s = ci + q: lane",
        ", limited by ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn a_kernel_without_a_map_says_which_map_it_shows() {
    let user = User::new("unmapped");
    let (code, out, _) = user.explain(&["blur", "--as", "text"]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains("map: the kernel has none: this is the first lawful map") && out.contains("border clamp"),
        "{out}"
    );
    let (_, out, _) = user.explain(&["blur", "--as", "text", "--value", "y[0]"]);
    assert!(out.contains("x[-1] by a load: outside: border clamp"), "{out}");
}

/// The lines of the emitted code of a page, with the statements of each.
fn emitted(page: &str) -> Vec<(String, Vec<u64>)> {
    lines(&data(page)["parts"][0]["code"])
}

/// The Rust that the macro emits, and no cost, since there is no cost model for CPUs.
#[test]
fn what_runs_on_a_cpu() {
    let user = User::new("on-cpu");
    let (code, _, err) = user.explain(&["blur", "--on", "cpu", "--output", "blur.html"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let page = user.read("blur.html");
    assert!(page.contains("\"on\":\"cpu\"") && page.contains("\"cost\":null"));
    let lines = emitted(&page);
    let names = "// s0: N, p0: x, o0: y, b0: n_chunk, t0: time1; v0, v1, … are the values of the program";
    assert_eq!(lines[0].0, names);
    let of =
        |text: &str| lines.iter().find(|(line, _)| line.contains(text)).unwrap_or_else(|| panic!("{text}: {lines:?}"));
    assert_eq!(of(">::fma(").1, vec![0u64], "it belongs to the only statement");
    assert_eq!(of("let s0 = self.s0;").1, Vec::<u64>::new());
    assert!(lines.iter().all(|(line, _)| !line.contains("__private")), "paths are shortened");
    // The same words as those that the macro emits.
    let tokens = format!(
        "(systolic) {}",
        &LIB[LIB.find("kernel blur").expect("a kernel")..LIB.find("    kernel late").expect("the next")]
    );
    let emitted = systolic_compiler::expand(tokens.parse().expect("tokens"), &|_| Err(String::new())).to_string();
    let plain = |text: &str| text.replace("systolic::__private::", "").split_whitespace().collect::<String>();
    let emitted = plain(&emitted).replace("systolic::__private::primitive::", "").replace("systolic::__private::", "");
    let emitted = emitted.replace("primitive::", "");
    for (line, _) in lines.iter().filter(|(line, _)| line.ends_with(';') && line.len() > 8) {
        assert!(emitted.contains(&plain(line)), "the macro does not emit {line}");
    }
    let (code, out, _) = user.explain(&["blur", "--on", "cpu", "--as", "text"]);
    assert_eq!(code, Some(0));
    for part in [
        "map: the kernel has none for CPUs: the macro takes this one, by its rules\n",
        "cost on a CPU\n    not predicted: the cost model is one of GPUs; `cargo systolic tune blur --on cpu` measures\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    // A measured time is shown beside it; one of a GPU is not.
    let start = LIB.find("kernel blur").expect("a kernel");
    let text = &LIB[start..start + LIB[start..].find("\n    }\n").expect("its end") + 6];
    let (tree, _) = &check(text.parse().expect("tokens")).kernels[0];
    let key = link::key("blur", &[&syntax::text(tree), env!("CARGO_PKG_VERSION")]);
    let result = |device: &str, seconds: f64| {
        format!(
            "{{\"kernel\": \"blur\", \"text\": {key:?}, \"instance\": \"\", \"device\": {device:?}, \"sizes\": \"N=4096\", \
             \"maps\": [{{\"map\": \"\", \"seconds\": {seconds:e}}}]}}"
        )
    };
    let results = [result("NVIDIA H200", 2e-6), result("A CPU, 2 threads", 3e-6)].join(", ");
    user.write("systolic-tune.json", &format!("{{\"version\": 1, \"results\": [{results}]}}"));
    let (_, out, _) = user.explain(&["blur", "--on", "cpu", "--as", "text"]);
    assert!(out.contains("cost on a CPU\n    measured 3.00 µs on A CPU, 2 threads at N=4096\n"), "{out}");
    let (_, out, _) = user.explain(&["blur", "--as", "text"]);
    assert!(out.contains("measured 2.00 µs on NVIDIA H200\n") && !out.contains("A CPU"), "{out}");
}

#[test]
fn maps_of_one_device() {
    let user = User::new("one-device");
    let kernel = "systolic::systolic! { kernel double(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { z[n] = 2.0 * x[n]; }
        map wide on gpu { tile n by 64 as (nb, ni); blocks (nb); lanes ni fold 2; }
        map on cpu { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    } }";
    user.write("src/lib.rs", kernel);
    let of = |words: &[&str]| {
        let (code, out, err) = user.explain(&[&["double", "--as", "text"], words].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""), "{words:?}");
        (out.contains("map wide on gpu"), out.contains("map on cpu"), out.contains("cost on NVIDIA"))
    };
    assert_eq!(of(&[]), (true, false, true));
    assert_eq!(of(&["--on", "gpu"]), (true, false, true));
    assert_eq!(of(&["--on", "cpu"]), (false, true, false));
    assert_eq!(of(&["--map", "wide"]), (true, false, true));
    let (code, out, err) = user.explain(&["double", "--map", "wide", "--on", "cpu"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, "error: the map `wide` is for the other device: it is marked `on gpu`\n");
}

#[test]
fn what_a_build_has_found_and_what_was_measured() {
    let user = User::new("found");
    let start = LIB.find("kernel blur").expect("a kernel");
    let text = &LIB[start..start + LIB[start..].find("\n    }\n").expect("its end") + 6];
    let checked = check(text.parse().expect("tokens"));
    let (tree, instances) = &checked.kernels[0];
    let key = emit::key(tree, instances[0].kernel(), Which::Default);
    let kept = user.folder.join("target/debug/build/explained-1/out").join(link::FOLDER);
    std::fs::create_dir_all(&kept).expect("a folder");
    let map = "// found\n    map {\n        tile n by 64 as (nb, ni);\n        blocks (nb);\n        lanes ni fold 2;\n    }\n";
    std::fs::write(kept.join(link::map_file(&key)), map).expect("a file");
    let text = link::key("blur", &[&syntax::text(tree), env!("CARGO_PKG_VERSION")]);
    user.write(
        "systolic-tune.json",
        &format!(
            "{{\"version\": 1, \"results\": [{{\"kernel\": \"blur\", \"text\": {text:?}, \"instance\": \"\", \
             \"device\": \"NVIDIA H200\", \"sizes\": \"N=4096\", \"maps\": [{{\"map\": \"\", \"seconds\": 2e-6}}]}}]}}"
        ),
    );
    let (code, out, err) = user.explain(&["blur", "--as", "text"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for part in [
        "map: found by the search of the build script\n",
        "lanes ni fold 2;",
        "2 registers of the fold per lane",
        "cost on NVIDIA H200 at N = 4096\n",
        "measured 2.00 µs on NVIDIA H200\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    // Nothing was measured at other sizes.
    let (_, out, _) = user.explain(&["blur", "--as", "text", "--at", "N=5000"]);
    assert!(out.contains("at N = 5000\n") && !out.contains("measured"), "{out}");
}

#[test]
fn refused_maps_are_drawn() {
    let user = User::new("refused");
    for (kernel, law, parts) in [
        (
            "late",
            "causality",
            [
                "consumer: (r = 1, c = 0) at cb = 0, s = 0, t = -1",
                "producer: (r = 0, c = 0) at cb = 0, s = 0, t = 0",
                "help: with `[0, 1]` as the row of `t` the map is lawful",
            ],
        ),
        (
            "meet",
            "collision",
            ["both points have the same place and the same step", "point: (r = ", "other point: (r = "],
        ),
        (
            "crosses",
            "blocks",
            ["consumer: (n = 32) at nb = 1, ni = 0", "producer: (n = 31) at nb = 0, ni = 31", "another block"],
        ),
    ] {
        let (code, out, err) = user.explain(&[kernel, "--as", "text"]);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.starts_with(&format!("the map is refused: {law}: ")), "{err}");
        for part in parts {
            assert!(out.contains(part), "{part}\n{out}");
        }
        let (code, out, _) = user.explain(&[kernel, "--as", "svg", "--output", "refused.svg"]);
        assert_eq!((code, out.as_str()), (Some(1), "refused.svg\n"));
        assert!(user.read("refused.svg").contains(&format!("refused by the law {law}")));
        let (code, ..) = user.explain(&[kernel, "--output", "refused.html"]);
        assert_eq!(code, Some(1));
        assert!(user.read("refused.html").contains(&format!("\"law\":\"{law}\"")));
    }
    // At sizes that the user names, if the counterexample is there.
    let (code, ..) = user.explain(&["crosses", "--size", "N=80", "--output", "refused.html"]);
    assert_eq!(code, Some(1));
    assert!(user.read("refused.html").contains("\"N\",80"));
    let (code, out, err) = user.explain(&["crosses", "--size", "N=20"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, "error: at these sizes there is no counterexample to draw; there is one at N = 33\n");
    let (code, _, err) = user.explain(&["crosses", "--size", "M=20"]);
    assert_eq!((code, err.as_str()), (Some(2), "error: the kernel has no size `M`; its sizes are `N`\n"));
}

/// What laws refuse without a counterexample, and what no clause of an open map can mend.
const UNDRAWN: &str = "systolic::systolic! {
    kernel flat(x: [f32; 8, 8]) -> (z: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 { z[r, c] = x[r, c]; }
        map { space_time (r, c) -> (s, t) = [[1, 2], [2, 4]]; lanes s; }
    }
    kernel back(x: [f32; 8, 8]) -> (z: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 { z[r, c] = x[r, c]; }
        map { space_time (r, c) -> (s, t) = [[1, 1], [0, 1]] reverse [[1, 1], [0, 1]]; lanes s; }
    }
    kernel full(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C { z[r, c] = x[r, c]; }
        map auto { blocks (r, c); }
    }
    kernel wide(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { z[n] = x[n]; }
        map { tile n by 64 as (nb, ni); blocks (nb); lanes ni; }
    }
    kernel many(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { X[n] = x[n]; z[n] = X[n] + X[n]; }
        map { tile n by 2147483648 as (b, p); blocks (b); lanes p fold 67108864; }
    }
    kernel deep(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { X[n] = x[n]; z[n] = X[n] + X[n]; }
        map { tile n by 1048576 as (b, p); blocks (b); tile p by 32 as (t, l); lanes l; unroll (t); }
    }
    kernel both(x: [f32; R, N]) -> (z: [f32; R, N]) {
        for r in 0..R, n in 0..N {
            V[r, n] = 2.0 * x[r, n];
            U[r, n] = (if n == 0 { 0.0 } else { V[r, n - 1] }) + if r == 0 { 0.0 } else { U[r - 1, n] };
            z[r, n] = U[r, n];
        }
        map { tile r by 4 as (rb, ri); tile n by 31 as (nb, ni); overlap n by (1, 0); blocks (rb, nb) in order; lanes ni; }
    }
}
";

/// Where no point shows why a map is refused, its text does, with the tokens that the law refuses.
#[test]
fn refusals_without_points_show_the_text() {
    let user = User::new("undrawn");
    user.write("src/lib.rs", UNDRAWN);
    for (kernel, law, marked, is_drawn) in [
        ("flat", "matrix", "[2, 4]", false),
        ("back", "reverse", "[[1, 1], [0, 1]]", false),
        ("full", "lanes", "map", false),
        ("wide", "lanes", "ni", true),
        ("many", "resources", "67108864", false),
        ("deep", "resources", "t", true),
        ("both", "blocks", "overlap n by (1, 0);", true),
    ] {
        let (code, out, err) = user.explain(&[kernel, "--as", "text"]);
        assert_eq!(code, Some(1), "{kernel}: {err}");
        assert!(err.starts_with(&format!("the map is refused: {law}: ")), "{kernel}: {err}");
        assert_eq!(out.contains("\nlanes and steps"), is_drawn, "{kernel}: {out}");
        let lines: Vec<&str> = out.lines().collect();
        let mark = lines.iter().position(|line| line.trim_start().starts_with('^')).unwrap_or_else(|| panic!("{out}"));
        let (from, to) = (lines[mark].find('^').expect("a mark"), lines[mark].len());
        assert_eq!(&lines[mark - 1][from..to], marked, "{kernel}: {out}");
        let (code, ..) = user.explain(&[kernel, "--as", "svg", "--output", "refused.svg"]);
        let svg = user.read("refused.svg");
        assert_eq!((code, svg.matches("class=\"lit\"").count()), (Some(1), 1), "{kernel}");
        assert!(svg.contains(&format!("kernel {kernel}(x: ")), "{svg}");
        let (code, ..) = user.explain(&[kernel, "--output", "refused.html"]);
        assert_eq!(code, Some(1));
        let page = user.read("refused.html");
        let message = err.trim_start_matches("the map is refused: ").lines().next().expect("a line");
        let message = serde_json::Value::from(message).to_string().replace('<', "\\u003c");
        assert!(page.contains(message.trim_matches('"')) && page.contains("\"written\":[[\"kernel "), "{kernel}");
    }
}

/// An open map is drawn as it was completed, with its counterexample.
#[test]
fn an_open_map_without_a_lawful_completion_is_drawn() {
    let user = User::new("open");
    let sums = "systolic::systolic! { kernel sums(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] }; y[r, c] = S[r, c]; }
        map auto { tile c by _ as (cb, ci); blocks (cb); }
    } }";
    user.write("src/lib.rs", sums);
    let (code, out, err) = user.explain(&["sums", "--as", "text"]);
    assert_eq!(code, Some(1), "{err}");
    for part in [
        "map: an open map, completed by the compiler\n",
        "tile c by 128 as (cb, ci);",
        "consumer: (r = 0, c = 128) at cb = 1,",
        "producer: (r = 0, c = 127) at cb = 0,",
        "# the points of the counterexample",
        "help: leave `cb` out of `blocks`",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

/// A refused map says nothing about the others.
#[test]
fn a_lawful_map_beside_a_refused_one() {
    let user = User::new("beside");
    let sums = "systolic::systolic! { kernel sums(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C { S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] }; z[r, c] = S[r, c]; }
        map down { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
        map up { tile c by 32 as (cb, ci); blocks (cb); space_time (ci, r) -> (s, t) = [[1, 0], [0, -1]]; lanes s; }
        map flat { tile c by 32 as (cb, ci); blocks (cb); space_time (ci, r) -> (s, t) = [[1, 0], [2, 0]]; lanes s; }
    } }";
    user.write("src/lib.rs", sums);
    let (code, out, err) = user.explain(&["sums", "--map", "down", "--as", "text"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("map: as the kernel writes it\n    map down {") && out.contains("limited by"), "{out}");
    for (map, law) in [("up", "causality"), ("flat", "matrix")] {
        let (code, out, err) = user.explain(&["sums", "--map", map, "--as", "text"]);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.starts_with(&format!("the map is refused: {law}: ")), "{map}: {err}");
        assert!(out.contains(&format!("map {map} {{")), "{out}");
    }
    assert_eq!(user.explain(&["sums", "--as", "text"]).0, Some(1));
    let (code, out, err) = user.explain(&["sums", "--map", "dwon"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, "error: the kernel `sums` has no map `dwon`; did you mean `down`?\n");
}

#[test]
fn mistakes_are_said() {
    let user = User::new("mistaken");
    for (words, expected) in [
        (&[][..], "required"),
        (&["blurr"], "there is no kernel `blurr` in `explained`; did you mean `blur`?"),
        (&["something"], "there is no kernel `something` in `explained`; there are `blur`, `conv`"),
        (&["outside"], "the kernel `outside` does not compile\nsrc/lib.rs:"),
        (&["outside"], ": bounds: a read of `x` is out of bounds"),
        (&["conv", "--map", "plane"], "the kernel `conv` has no map `plane`; did you mean `plain`?"),
        (&["conv", "--instance", "Q=3"], "no instance fits `Q=3`; there are `Q = 2`, `Q = 5`"),
        (&["conv", "--size", "N=3"], "the kernel has no size `N`; its sizes are `C`"),
        (&["conv", "--size", "C"], "expected a size such as `N=8192`, found `C`"),
        (&["conv", "--size", "C=0"], "a size is from 1"),
        (&["conv", "--value", "z"], "expected a value such as `z["),
        (&["conv", "--value", "y[1]"], "there is no variable or output `y`; there are `X`, `Z`, `z`"),
        (&["conv", "--value", "z[100000]"], "the picture has no `z[100000]` at these sizes; it has, for example, `z["),
        (&["conv", "--block", "99"], "there is no block 99"),
        (&["conv", "--warp", "1"], "there is no warp 1"),
        (&["conv", "--part", "1", "--as", "text", "--value", "z"], "expected a value such as `z["),
        (&["conv", "--part", "2"], "the kernel runs as one, there is no part 2"),
        (&["late", "--as", "code"], "`late` has no code: the map is refused"),
        (&["conv", "--output", "no/such/folder/page.html"], "could not write no/such/folder/page.html: "),
        (&["conv", "--output", "src"], "could not write src: "),
        (&["conv", "--package", "none"], "there is no package `none`; there are `explained`"),
    ] {
        let (code, out, err) = user.explain(words);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{words:?}: {err}");
        assert!(err.contains(expected) && err.starts_with("error: "), "{words:?}: {err}");
    }
    // Nothing is left of what could not be written.
    let left: Vec<_> = std::fs::read_dir(&user.folder).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("part")), "{left:?}");
}

#[test]
fn a_source_that_is_not_rust_and_a_folder_without_a_package() {
    let user = User::new("broken");
    user.write("src/lib.rs", "fn open() {\n");
    let (code, _, err) = user.explain(&["conv"]);
    assert!(code == Some(2) && err.contains("lib.rs:") && err.contains("this is not valid Rust"), "{code:?} {err}");
    let nowhere = User { folder: std::env::temp_dir() };
    let (code, _, err) = nowhere.explain(&["conv"]);
    assert!(code == Some(2) && err.starts_with("error: could not find `Cargo.toml`"), "{code:?} {err}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let user = User::new("piped");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-systolic"));
    command.args(["explain", "conv", "--as", "text"]).current_dir(&user.folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// A program of 20,000 lines: the page stays small, says what it leaves out and which command prints it.
#[test]
fn a_page_of_a_long_program_is_shortened() {
    let user = User::new("long");
    let filter =
        "systolic::systolic! { kernel filter(x: [f32; R + 18, C + 18], w: const [f32; 19, 19]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..19, q in 0..19 {
            S[r, c, p, q] = x[r + p, c + q] * w[p, q]
                + if q > 0 { S[r, c, p, q - 1] } else if p > 0 { S[r, c, p - 1, q + 18] } else { 0.0 };
            if p == 18 && q == 18 { y[r, c] = S[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
    } }";
    user.write("src/lib.rs", filter);
    let (code, out, err) = user.explain(&["filter", "--on", "gpu"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let page = std::fs::read_to_string(out.trim_end()).expect("a page");
    assert!(page.len() < 300_000, "{}", page.len());
    let data = data(&page);
    assert_eq!(data["command"], "cargo systolic explain filter --on gpu --as code");
    let part = &data["parts"][0];
    let (code, out, _) = user.explain(&["filter", "--on", "gpu", "--as", "code"]);
    assert_eq!(code, Some(0));
    let (shown, whole) = (lines(&part["code"]), out.lines().count());
    assert!(whole > 10_000 && shown.len() > 200, "{} of {whole}", shown.len());
    // Both texts are there in part, and every place where lines are missing says how many.
    let missing: usize = shown
        .iter()
        .filter_map(|(line, _)| {
            line.trim().strip_prefix("// … ")?.strip_suffix(" lines are left out here")?.parse::<usize>().ok()
        })
        .sum();
    let places = shown.iter().filter(|(line, _)| line.contains("lines are left out here")).count();
    assert_eq!(shown.len() - places + missing, whole);
    assert_eq!(part["codeMissing"].as_u64(), Some((whole - shown.len()) as u64));
    assert!(lines(&part["program"]).len() > 200 && part["programMissing"].as_u64() > Some(1_000));
}

/// A scalar is called as the kernel calls it.
#[test]
fn outputs_that_are_scalars() {
    let user = User::new("scalar");
    let kernel = "systolic::systolic! { kernel total(x: [i32; N]) -> (s: i32) {
        for n in 0..N { S[n] = x[n] + if n == 0 { 0 } else { S[n - 1] }; if n == N - 1 { s = S[n]; } }
    } }";
    user.write("src/lib.rs", kernel);
    let (code, out, err) = user.explain(&["total", "--as", "text", "--value", "s"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\ns is stored by ") && out.contains("s reads S at distance (0)"), "{out}");
    let (code, _, err) = user.explain(&["total", "--as", "text", "--value", "S"]);
    assert_eq!((code, err.as_str()), (Some(2), "error: expected a value such as `s`, found `S`\n"));
    let (_, out, _) = user.explain(&["total", "--as", "svg", "--output", "-"]);
    assert!(out.contains(">s</text>"), "{out}");
}
