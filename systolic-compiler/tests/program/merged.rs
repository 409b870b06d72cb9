//! Short last axes of arrays, which are one with the axis before them in the memory of a GPU.
use crate::support::{program, text};
use systolic_compiler::evaluate::{evaluate, random_inputs};
use systolic_compiler::interpret::interpret;
use systolic_compiler::mapping::Target;

/// Channels of a picture are accessed together, whatever the border, and give the evaluator's bits at every size.
#[test]
fn channels_are_accessed_together() {
    for border in ["zero", "constant(7)", "clamp", "reflect", "symmetric", "wrap"] {
        let lawful = text(&format!(
            "kernel smooth(x: [u8; R, C, 3] border {border}) -> (y: [u8; R, C, 3]) {{
                for r in 0..R, c in 0..C, k in 0..3 {{ y[r, c, k] = x[r, c - 1, k] + 2 * x[r + 1, c, k] + x[r, c + 2, k]; }}
                map wide {{
                    tile c by 512 as (cb, ci);
                    blocks (r, cb);
                    space_time (ci, k) -> (s, t) = [[1, 0], [0, 1]];
                    lanes s fold 16;
                    unroll (t);
                }}
            }}"
        ));
        let program = program(&lawful, "wide", Target::Gpu);
        assert_eq!(
            (program.parameters[0].merged.as_slice(), program.merged_outputs[0].as_slice()),
            (&[3][..], &[3][..])
        );
        let interior = &program.versions[0].sections[0].step;
        assert!(interior.wide_loads.iter().any(|wide| wide.members.len() == 16), "{border}");
        assert_eq!(interior.wide_stores.iter().map(|wide| wide.members.len()).collect::<Vec<_>>(), [16; 3], "{border}");
        for sizes in [[1, 1], [2, 5], [3, 511], [2, 512], [2, 513], [1, 1040], [3, 1600]] {
            let inputs = random_inputs(lawful.kernel(), &sizes, 7);
            let expected = evaluate(lawful.kernel(), &sizes, &inputs).expect("small enough");
            let found = interpret(&program, lawful.kernel(), &sizes, &inputs, 1).expect("no trap");
            assert!(found.iter().zip(&expected).all(|(a, b)| a.same_bits(b)), "{border} at {sizes:?}");
        }
    }
}

/// A read that leaves the channels means the border there, so the axes stay apart.
#[test]
fn axes_stay_apart_where_a_border_applies_to_the_last() {
    let lawful = text(
        "kernel next(x: [u8; C, 3] border clamp) -> (y: [u8; C, 3]) {
            for c in 0..C, k in 0..3 { y[c, k] = x[c, k + 1]; }
            map wide { tile c by 64 as (cb, ci); blocks (cb); lanes ci fold 2; unroll (k); }
        }",
    );
    let program = program(&lawful, "wide", Target::Gpu);
    assert!(program.parameters[0].merged.is_empty());
    for sizes in [[1], [64], [65], [130]] {
        let inputs = random_inputs(lawful.kernel(), &sizes, 3);
        let expected = evaluate(lawful.kernel(), &sizes, &inputs).expect("small enough");
        let found = interpret(&program, lawful.kernel(), &sizes, &inputs, 2).expect("no trap");
        assert!(found.iter().zip(&expected).all(|(a, b)| a.same_bits(b)), "{sizes:?}");
    }
}
