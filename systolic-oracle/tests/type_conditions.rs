//! Conditions on types, such as `T == f64`: which instances and maps they select, that these compute the right values,
//! and which errors are reported for invalid conditions.
mod support;

use support::check_text;
use support::machine::{Effort, run};
use support::report::Report;
use systolic_compiler::fault::message;
use systolic_compiler::laws::Lawful;

/// A sum over a window, with these conditions of the kernel and these maps.
fn window(conditions: &str, maps: &str) -> String {
    format!(
        "kernel window<type T in [f32, f64], type U in [f32, i32], const P: usize in [3, 5]>(
            x: [T; N + P - 1],
            u: [U; N],
        ) -> (y: [T; N], v: [U; N]) {conditions} {{
            for n in 0..N, p in 0..P {{
                S[n, p] = x[n + p] + if p == 0 {{ 0 as T }} else {{ S[n, p - 1] }};
                if p == P - 1 {{ y[n] = S[n, p]; v[n] = u[n]; }}
            }}
            {maps}
        }}"
    )
}

fn instances(text: &str) -> Vec<Lawful> {
    let mut checked = check_text(text);
    let faults: Vec<String> = checked.faults.iter().map(message).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{text}");
    checked.kernels.remove(0).1
}

fn listed(conditions: &str) -> Vec<String> {
    instances(&window(conditions, "")).iter().map(|l| l.kernel().instance.to_string()).collect()
}

#[test]
fn the_kernels_where_drops_instances() {
    assert_eq!(listed("").len(), 8);
    let narrow =
        ["T = f32, U = f32, P = 3", "T = f32, U = f32, P = 5", "T = f32, U = i32, P = 3", "T = f32, U = i32, P = 5"];
    assert_eq!(listed("where T == f32"), narrow);
    assert_eq!(listed("where f32 == T"), narrow);
    assert_eq!(listed("where T != f64"), narrow);
    assert_eq!(listed("where (T == f32)"), narrow);
    assert_eq!(listed("where T == U, P < 5, N > 1"), ["T = f32, U = f32, P = 3"]);
    assert_eq!(listed("where T != U, T != f64").len(), 2);
    assert_eq!(listed("where T == T, f32 != bool").len(), 8);
}

/// The folds of an instance's maps, in order; the first is the kernel's default.
fn folds(lawful: &Lawful) -> Vec<i128> {
    lawful.maps().iter().map(|m| m.mapping().fold).collect()
}

const MAPS: &str = "
    map where T == f64 { tile n by 64 as (nb, ni); blocks (nb); lanes ni fold 2; }
    map where T != f64, P <= 3 { tile n by 128 as (nb, ni); blocks (nb); lanes ni fold 4; }
    map on gpu where T == U { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    map eight where U == i32 { tile n by 256 as (nb, ni); blocks (nb); lanes ni fold 8; }
    map never where T == u8 { tile n by 96 as (nb, ni); blocks (nb); lanes ni fold 3; }
";

#[test]
fn every_instance_takes_its_maps_and_computes_what_it_means() {
    let mut report = Report::default();
    let instances = instances(&window("", MAPS));
    for lawful in &instances {
        run(lawful, &lawful.kernel().instance.to_string(), Effort::with_points(800), 1, &mut report);
    }
    report.assert_nothing_wrong();
    let taken: Vec<_> = instances.iter().map(|l| (l.kernel().instance.to_string(), folds(l))).collect();
    let want = [
        ("T = f32, U = f32, P = 3", vec![4, 1]),
        ("T = f32, U = f32, P = 5", vec![1]),
        ("T = f32, U = i32, P = 3", vec![4, 8]),
        ("T = f32, U = i32, P = 5", vec![8]),
        ("T = f64, U = f32, P = 3", vec![2]),
        ("T = f64, U = f32, P = 5", vec![2]),
        ("T = f64, U = i32, P = 3", vec![2, 8]),
        ("T = f64, U = i32, P = 5", vec![2, 8]),
    ];
    assert_eq!(taken, want.map(|(instance, folds)| (instance.to_string(), folds)));
}

/// A build script compiles the first map of every type, and a named map for the instances that it fits.
#[test]
fn units_for_a_gpu_are_those_of_the_maps_that_fit() {
    let text = window("where P == 3, U == f32", &MAPS.replace("U == i32", "T != f32"));
    let units = systolic_compiler::units(text.parse().expect("tokens"));
    let names: Vec<&str> = units.iter().map(|u| u.name.as_str()).collect();
    assert_eq!(names, ["window::<f32, f32, 3>", "window::<f64, f32, 3>", "window_eight::<f64, f32, 3>"]);
}

/// The messages, each with the tokens that it points at.
fn told(text: &str) -> Vec<(String, String)> {
    let source =
        |at: &systolic_compiler::region::Region| text[at.start.byte_range().start..at.end.byte_range().end].to_string();
    check_text(text).faults.iter().map(|f| (message(f), source(&f.at))).collect()
}

#[test]
fn what_is_no_condition_on_types_is_told_on_its_tokens() {
    let near = |found: &str, near: &str| format!("names: `{found}` is not a type\nhelp: did you mean `{near}`?");
    let order =
        |op: &str, instead: &str| format!("types: a type has no `{op}`\nhelp: types have no order: write `{instead}`");
    let inside = |text: &str| {
        format!(
            "names: `{text}` compares types, which only a whole condition of a `where` can do\nhelp: use it to choose a \
             map: `map where {text} {{ … }}`"
        )
    };
    let cases = [
        ("T == f644", near("f644", "f64"), "f644"),
        ("u644 != T", near("u644", "u64"), "u644"),
        ("t == f64", near("t", "T"), "t"),
        ("T == P", "names: expected a type, found `P`, a generic number".to_string(), "P"),
        ("f64 == N", "names: expected a type, found `N`, a size".to_string(), "N"),
        ("x != T", "names: expected a type, found `x`, an input array".to_string(), "x"),
        ("T < f64", order("<", "T != f64"), "T < f64"),
        ("T > U", order(">", "T != U"), "T > U"),
        ("f32 >= T", order(">=", "f32 == T"), "f32 >= T"),
        ("T <= f32", order("<=", "T == f32"), "T <= f32"),
        ("T == 3", "types: expected a type, found `3`: `T` is one".to_string(), "3"),
        ("2 * N + Q == T", "types: expected a type, found `2 * N + Q`: `T` is one".to_string(), "2 * N + Q"),
        ("(T == f64) == (P == 3)", inside("T == f64"), "(T == f64)"),
    ];
    for (condition, want, at) in cases {
        for text in [
            window(&format!("where {condition}"), ""),
            window("", &format!("map where {condition} {{ tile n by 32 as (nb, ni); lanes ni; }}")),
        ] {
            assert_eq!(told(&text), [(want.clone(), at.to_string())], "{text}");
        }
    }
}

#[test]
fn types_are_compared_in_no_guard_and_no_value() {
    let whole = window("", "");
    for (part, condition) in [("if p == 0", "T == f64"), ("if p == P - 1", "f32 != T"), ("if p == 0", "T == U")] {
        let text = whole.replace(part, &format!("{part} && {condition}"));
        let told = told(&text);
        assert_eq!(told.len(), 1, "{told:#?}\n{text}");
        assert!(told[0].0.starts_with(&format!("names: `{condition}` compares types")), "{told:#?}");
        assert_eq!(told[0].1, condition);
    }
}

/// A name that is a type elsewhere has the meaning that the kernel gives it.
#[test]
fn a_size_may_be_called_as_a_type() {
    let text = "kernel k<type T in [i32, u8]>(x: [T; f64]) -> (y: [T; f64]) where f64 >= 2 {
        for n in 0..f64 { y[n] = x[1]; }
    }";
    assert_eq!(instances(text).len(), 2);
    let wrong = told(&text.replace("f64 >= 2", "T == f64"));
    assert_eq!(wrong, [("names: expected a type, found `f64`, a size".to_string(), "f64".to_string())]);
}

#[test]
fn at_most_one_unnamed_map_a_device_and_condition() {
    let map = |condition: &str| format!("map where {condition} {{ tile n by 32 as (nb, ni); blocks (nb); lanes ni; }}");
    assert!(told(&window("", &(map("T == f32") + &map("T == f64")))).is_empty());
    let second = told(&window("", &(map("T == f32") + &map("T == f32"))));
    assert_eq!(second.len(), 1, "{second:#?}");
    assert!(second[0].0.starts_with("names: expected at most one unnamed map per device and condition"), "{second:#?}");
}

#[test]
fn a_where_that_leaves_no_type_is_told() {
    let told = told(&window("where T == u8", ""));
    let words = "sizes: no combination of the generics satisfies this, so the kernel has no instance";
    assert_eq!(told, [(words.to_string(), "T == u8".to_string())]);
}

/// Otherwise `f32` would be one type in a condition and another in a signature.
#[test]
fn no_generic_is_called_as_a_type() {
    let text = "kernel k<type f32 in [f64, i32]>(x: [f32; N]) -> (y: [f32; N]) where f32 == f64 {
        for n in 0..N { y[n] = x[n]; }
    }";
    let words = "names: `f32` is already a type; it cannot also be a generic type\n\
                 help: give the generic another name, such as `T`";
    assert_eq!(told(text), [(words.to_string(), "f32".to_string())]);
}
