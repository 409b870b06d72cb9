//! Kernels that no single map suits run as launches on a GPU and as passes on a CPU: `explain` shows all of them, in order.
mod support;

use support::{THERE_AND_BACK, User, data};
use systolic_compiler::compile::Which;
use systolic_compiler::{check, emit, link};

#[test]
fn each_part_has_a_picture() {
    let user = User::new("in-parts", THERE_AND_BACK);
    for (on, word, plural) in [("gpu", "launch", "launches"), ("cpu", "pass", "passes")] {
        let said = user.run(&["explain", "smooth", "--on", on, "--as", "text"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        for part in [
            format!("smooth, {word} 1 of 2 at "),
            format!(
                "run as 2 {plural}, one after another; this is {word} 1, which computes `A`, and leaves `A_kept` in memory"
            ),
            format!("this is {word} 2, which computes `B`, `z`, reads `A_kept` from before."),
            "A_kept[r, c] = A[r, c];".to_string(),
        ] {
            assert!(said.out.contains(&part), "{part}\n{}", said.out);
        }
        let second = user.run(&["explain", "smooth", "--on", on, "--as", "text", "--part", "2"]).out;
        assert!(
            second.starts_with(&format!("smooth, {word} 2 of 2 at ")) && !second.contains("pass 1, which"),
            "{second}"
        );
        // The part that computes a value shows it, and says where its input comes from.
        let out = user.run(&["explain", "smooth", "--on", on, "--as", "text", "--value", "z[1, 2]"]).out;
        assert!(out.contains("\nz[1, 2] is stored by ") && out.contains("A_kept[1, 2] by a load"), "{out}");

        let svg = user.run(&["explain", "smooth", "--on", on, "--as", "svg", "--output", "-"]).out;
        for k in 1..=2 {
            assert!(svg.contains(&format!(">smooth, {word} {k} of 2</text>")), "{svg}");
        }
        user.run(&["explain", "smooth", "--on", on, "--output", "smooth.html"]);
        let data = data(&user.read("smooth.html"));
        let parts = data["parts"].as_array().expect("parts");
        assert_eq!(parts.len(), 2);
        for part in parts {
            assert_eq!(part["sizes"], parts[0]["sizes"], "all parts are drawn at the same sizes");
            assert!(part["spots"].as_array().is_some_and(|spots| !spots.is_empty()));
        }
        let code = user.run(&["explain", "smooth", "--on", on, "--as", "code"]).out;
        let one = if on == "gpu" { "#include \"systolic.cuh\"" } else { "are the values of the program" };
        assert_eq!(code.matches(one).count(), 2, "{code}");
    }
    let said = user.run(&["explain", "smooth", "--part", "3"]);
    assert_eq!(said.code, Some(2));
    assert_eq!(said.err, "error: the kernel runs as 2 parts, there is no launch 3\n");
}

/// The time of all parts stands beside that of each, predicted and measured.
#[test]
fn what_all_parts_take() {
    let user = User::new("parts-take", THERE_AND_BACK);
    let out = user.run(&["explain", "smooth", "--as", "text"]).out;
    assert_eq!(out.matches("all 2 together: predicted ").count(), 2, "{out}");
    let times: Vec<f64> = out
        .lines()
        .filter_map(|line| {
            line.trim().strip_prefix("predicted ").or(line.trim().strip_prefix("all 2 together: predicted "))
        })
        .map(|rest| {
            let mut words = rest.split([' ', ',']);
            let number: f64 = words.next().expect("a number").parse().expect("a number");
            number
                * match words.next() {
                    Some("ms") => 1e3,
                    Some("s") => 1e6,
                    _ => 1.0,
                }
        })
        .collect();
    let [first, together, second, again] = times[..] else { panic!("{times:?}\n{out}") };
    assert_eq!(together, again);
    // With what the second launch takes to begin.
    let begin = together - first - second;
    assert!(begin > 0.0 && begin < 10.0, "{begin} µs\n{out}");
}

/// A series that a build script has found is shown with its maps, even where one map would do.
#[test]
fn a_series_that_was_found() {
    let sums = "systolic::systolic! {
    kernel sums(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            A[r, c] = x[r, c] + if c == 0 { 0.0 } else { A[r, c - 1] };
            B[r, c] = A[r, c] + if r == 0 { 0.0 } else { B[r - 1, c] };
            z[r, c] = B[r, c];
        }
    }
}
";
    let user = User::new("found-series", sums);
    let tokens = format!("(systolic) {}", sums.replace("systolic::systolic! {", "").trim_end().trim_end_matches('}'));
    let checked = check(tokens.parse().expect("tokens"));
    let (tree, instances) = &checked.kernels[0];
    let key = emit::key(tree, instances[0].kernel(), Which::Default);
    let kept = |number: usize, text: &str| {
        let file = link::map_file(&link::member_key(&key, number));
        user.write(&format!("target/debug/build/sums-1/out/{}/{file}", link::FOLDER), &format!("// found\n{text}"));
    };
    // Nothing is found yet: one map of the macro's.
    let out = user.run(&["explain", "sums", "--as", "text"]).out;
    assert!(out.starts_with("sums at "), "{out}");
    kept(
        1,
        "    map {
        tile r by 32 as (rb, ri);
        blocks (rb);
        lanes ri;
    }
    // the first of several launches, each with a map of its own: A | B, z
",
    );
    kept(
        2,
        "    map {
        tile c by 64 as (cb, ci);
        blocks (cb);
        lanes ci fold 2;
    }
",
    );
    let said = user.run(&["explain", "sums", "--as", "text"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.starts_with("sums, launch 1 of 2 at "), "{}", said.out);
    assert_eq!(said.out.matches("map: found by the search of the build script\n").count(), 2, "{}", said.out);
    assert!(said.out.contains("lanes ci fold 2;"), "{}", said.out);
    // A CPU needs no series: one map of the macro's runs it.
    assert!(user.run(&["explain", "sums", "--on", "cpu", "--as", "text"]).out.starts_with("sums at "));
}

/// The other commands know of parts too: nothing runs point by point.
#[test]
fn what_doctor_and_compare_say() {
    let user = User::new("parts-compared", THERE_AND_BACK);
    let out = user.run(&["doctor"]).out;
    assert!(out.contains(", in 2 passes\n") && !out.contains("point by point"), "{out}");
    let said = user.run(&["compare", "smooth"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for part in
        ["\nautomatic, launch 1 of 2  any ", "\nautomatic, launch 2 of 2  any ", "one after another, predicted "]
    {
        assert!(said.out.contains(part), "{part}\n{}", said.out);
    }
    assert_eq!(said.out.matches("this is the first lawful map").count(), 1, "{}", said.out);
    assert!(!said.out.contains("point by point"), "{}", said.out);
    let json = user.run(&["compare", "smooth", "--json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["maps"].as_array().map(Vec::len), Some(2));
    assert!(json["maps"][1]["note"].as_str().is_some_and(|note| note.starts_with("no single map suits all equations")));
}
