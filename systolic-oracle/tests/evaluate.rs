//! The evaluator: results of kernels computed by hand, and a typed error with its point for everything that can go
//! wrong.
mod support;

use support::resolve;
use systolic_compiler::evaluate::{EvaluateError, Input, Inputs, Tensor, evaluate, random_inputs};
use systolic_compiler::model::{Int, Kernel, Type, Value};

fn kernel(text: &str) -> Kernel {
    let instances = resolve(text).unwrap_or_else(|faults| panic!("{:?}\n{text}", faults[0].fact));
    instances.into_iter().next().expect("one instance").0
}

fn array(values: &[f32]) -> Input {
    Input::Array(Tensor { shape: vec![values.len()], values: values.iter().map(|v| Value::F32(*v)).collect() })
}

fn floats(tensor: &Tensor) -> Vec<f32> {
    tensor.values.iter().map(|v| if let Value::F32(v) = v { *v } else { f32::NAN }).collect()
}

/// The error of a kernel with one loop over `N`, on arbitrary inputs.
fn error(text: &str, n: Int) -> EvaluateError {
    let kernel = kernel(text);
    evaluate(&kernel, &[n], &random_inputs(&kernel, &[n], 7)).expect_err(text)
}

#[test]
fn a_convolution_that_moves_its_inputs() {
    let kernel = kernel(
        "kernel conv<const Q: usize = 3>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
            for c in 0..C, q in 0..Q {
                X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
                Z[c, q] = X[c, q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
                if q == Q - 1 { z[c] = Z[c, q]; }
            }
        }",
    );
    let (x, w) = ([1.0, 2.0, 3.0, 5.0, 8.0], [1.0, 10.0, 100.0]);
    let inputs = Inputs { parameters: vec![array(&x), array(&w)] };
    let z = evaluate(&kernel, &[3], &inputs).expect("it is lawful");
    assert_eq!(floats(&z[0]), [321.0, 532.0, 853.0]);
    let wrong = Inputs { parameters: vec![array(&x[..4]), array(&w)] };
    assert_eq!(evaluate(&kernel, &[3], &wrong).err(), Some(EvaluateError::Input { parameter: 0 }));
}

#[test]
fn an_if_reads_one_side_and_a_select_both() {
    let guarded = "kernel k(x: [f32; N]) -> (z: [f32; N]) {
        for i in 0..N { z[i] = if i == 0 { 0.0 } else { x[i - 1] }; } }";
    let guarded = kernel(guarded);
    let inputs = Inputs { parameters: vec![array(&[1.0, 2.0, 3.0])] };
    assert_eq!(floats(&evaluate(&guarded, &[3], &inputs).expect("in range")[0]), [0.0, 1.0, 2.0]);
    let selected = "kernel k(x: [f32; N]) -> (z: [f32; N]) {
        for i in 0..N { z[i] = if i as f32 == 0.0 { 0.0 } else { x[i - 1] }; } }";
    let found = error(selected, 3);
    assert!(
        matches!(&found, EvaluateError::ReadOutOfRange { access: 0, point, index, .. }
        if *point == [0] && *index == [-1]),
        "{found}"
    );
}

#[test]
fn what_goes_wrong_is_said_with_its_point() {
    let undefined = "kernel k(N: size) -> (z: [i32; N]) { for i in 0..N { V[i] = V[i - 1] + 1; z[i] = V[i]; } }";
    assert_eq!(error(undefined, 3), EvaluateError::Undefined { read: 0, point: vec![0], source: vec![-1] });
    let cycle = "kernel k(N: size) -> (z: [i32; N]) { for i in 0..N {
        U[i] = if i == 0 { 0 } else { V[i - 1] };
        V[i] = if i == N - 1 { 0 } else { U[i + 1] };
        z[i] = U[i]; } }";
    assert_eq!(error(cycle, 2), EvaluateError::Cycle { ring: vec![(1, vec![0]), (0, vec![1])] });
    let store = "kernel k(N: size) -> (z: [i32; N]) { for i in 0..N { z[i + 1] = 1; } }";
    assert_eq!(error(store, 1), EvaluateError::StoreOutOfRange { store: 0, point: vec![0], index: vec![1] });
    let twice = "kernel k(N: size) -> (z: [i32; 1]) { for i in 0..N { z[0] = 1; } }";
    let (first, second) = (vec![0], vec![1]);
    assert_eq!(error(twice, 2), EvaluateError::StoredTwice { store: 0, output: 0, element: vec![0], first, second });
    let never = "kernel k(N: size) -> (z: [i32; N, 2]) { for i in 0..N { if i > 1 { z[i, 0] = 1; } } }";
    assert_eq!(error(never, 3), EvaluateError::NeverStored { output: 0, element: vec![0, 0] });
    let condition = "kernel k(N: size) -> (z: [i32; N]) where N % 2 == 0 { for i in 0..N { z[i] = 1; } }";
    assert_eq!(error(condition, 3), EvaluateError::Condition { condition: 0 });
    assert_eq!(
        error("kernel k(N: size) -> (z: [i32; N + 1]) { for i in 0..N + 1 { z[i] = 1; } }", 0),
        EvaluateError::SizeBelowOne { size: 0 }
    );
    let huge = "kernel k(N: size) -> (z: [i32; 1]) { for i in 0..N { if i == 0 { z[0] = 1; } } }";
    assert_eq!(error(huge, Int::MAX / 2), EvaluateError::TooLarge);
}

#[test]
fn sizes_below_one_are_fine_where_nothing_is_asked_for() {
    let kernel = kernel("kernel k(x: [f32; N]) -> (z: [f32; N]) { for i in 0..N { z[i] = x[i]; } }");
    let empty = evaluate(&kernel, &[0], &Inputs { parameters: vec![array(&[])] }).expect("empty");
    assert_eq!(empty[0].shape, [0]);
}

/// Long dependence chains in every direction, deeper than any call stack.
#[test]
fn a_hundred_thousand_points_in_any_direction() {
    for (guard, from) in [("i == 0", "i - 1"), ("i == N - 1", "i + 1")] {
        let text = format!(
            "kernel k(x: [i64; N]) -> (z: [i64; N]) {{ for i in 0..N {{
                A[i] = x[i] + 1;
                S[i] = A[i] * 3 - A[i] * 2 + if {guard} {{ 0 }} else {{ S[{from}] }};
                z[i] = S[i]; }} }}"
        );
        let kernel = kernel(&text);
        let n = 100_000;
        let x = Tensor { shape: vec![n], values: (0..n as i64).map(Value::I64).collect() };
        let z = evaluate(&kernel, &[n as Int], &Inputs { parameters: vec![Input::Array(x)] }).expect("it is lawful");
        let last = if from == "i - 1" { n - 1 } else { 0 };
        let total = (n as i64) * (n as i64 + 1) / 2;
        assert!(z[0].values[last].same_bits(Value::I64(total)), "{:?}", z[0].values[last]);
    }
}

#[test]
fn every_type_has_random_inputs() {
    for ty in Type::ALL {
        let text = format!("kernel k(x: [{ty}; N], a: {ty}) -> (z: [{ty}; N]) {{ for i in 0..N {{ z[i] = x[i]; }} }}");
        let kernel = kernel(&text);
        let inputs = random_inputs(&kernel, &[50], 3);
        let z = evaluate(&kernel, &[50], &inputs).expect("a copy");
        let Input::Array(x) = &inputs.parameters[0] else { panic!("an array") };
        assert!(z[0].same_bits(x));
    }
}
