//! Kernels whose loops over groups and over the elements of a group run as one.
use super::one;
use systolic_compiler::compile::{Programs, Which, by_rules};
use systolic_compiler::mapping::Target;
use systolic_compiler::model::{Form, Interleaved};
use systolic_compiler::syntax;

/// A kernel over pictures of three colours with this body.
fn picture(body: &str) -> String {
    format!(
        "kernel k(x: [i32; R, C, 3] border clamp, m: [i32; R, C], g: [i32; 3]) -> (y: [i32; R, C, 3]) where 3 <= C {{
            for r in 0..R, c in 0..C, k in 0..3 {{ {body} }}
        }}"
    )
}

fn interleaved(body: &str) -> Option<Interleaved> {
    one(&picture(body)).kernel().interleaved()
}

#[test]
fn groups_and_elements_are_one_loop() {
    let found =
        interleaved("y[r, c, k] = x[r, c - 1, k] + if c < C - 1 { x[r, c + 1, k] } else { 0 };").expect("one loop");
    let kernel = &found.kernel;
    assert_eq!((found.count, found.inputs), (3, vec![true, false, false]));
    let (columns, c, k) = (Form::var(1), &kernel.loops[1], &kernel.loops[2]);
    assert_eq!((c.low.clone(), c.high.clone()), (Form::constant(0), columns.scale(3)));
    assert_eq!((k.low.clone(), k.high.clone()), (Form::constant(0), Form::constant(1)));
    let at = Form::var(kernel.loop_dim(1));
    let last: Vec<Form> = kernel.accesses().iter().map(|a| a.index[1].clone()).collect();
    assert_eq!(last, [at.plus(-3), at.plus(3)]);
    assert_eq!(kernel.outputs[0].dims, [Form::var(0), columns.scale(3)]);
    // A value of the group before is three elements before.
    let moving =
        interleaved("V[r, c, k] = x[r, c, k] + if c == 0 { 0 } else { V[r, c - 1, k] }; y[r, c, k] = V[r, c, k];");
    assert_eq!(moving.expect("one loop").kernel.reads()[0].distance, [0, 3, 0]);
}

#[test]
fn loops_that_are_not_alike_stay() {
    for body in [
        // What is done depends on the element, or on the number of the group.
        "y[r, c, k] = if k == 0 { x[r, c, k] } else { 0 };",
        "y[r, c, k] = x[r, c, k] + c as i32;",
        "y[r, c, k] = if c % 2 == 0 { x[r, c, k] } else { 0 };",
        "y[r, c, k] = if 2 * c < C { x[r, c, k] } else { 0 };",
        // Other arrays follow one of the loops only.
        "y[r, c, k] = x[r, c, k] + g[k];",
        "y[r, c, k] = x[r, c, k] + m[r, c];",
        "y[r, c, k] = x[r, c, k] + x[r, c, 0];",
        "y[r, c, k] = x[r, c, 2 - k];",
        "y[r, c, k] = x[r, 2 * c, k];",
        // Values move along all other loops: lanes take the elements.
        "V[r, c, k] = x[r, c, k] + if r == 0 || c == 0 { 0 } else { V[r - 1, c - 1, k] }; y[r, c, k] = V[r, c, k];",
        // Values move from element to element.
        "V[r, c, k] = x[r, c, k] + if k == 0 { 0 } else { V[r, c, k - 1] }; y[r, c, k] = V[r, c, k];",
    ] {
        assert!(interleaved(body).is_none(), "{body}");
    }
}

#[test]
fn programs_have_one_axis_for_both() {
    let text = picture("y[r, c, k] = x[r, c - 1, k] + x[r, c + 1, k];");
    let (tree, lawful) = (syntax::parse(text.parse().expect("tokens")).block.kernels.remove(0), one(&text));
    let programs = Programs::new(&tree, std::slice::from_ref(&lawful), &[Target::Cpu], &by_rules).expect("programs");
    let mut program = (*programs.get(&lawful, Which::Default, Target::Cpu).expect("a program")).clone();
    assert!(program.stores.iter().all(|store| store.index.len() == 2));
    let merged = program.merge_axes(lawful.kernel());
    assert_eq!((merged.inputs, merged.outputs), (vec![2, 0, 0], vec![2]));
}
