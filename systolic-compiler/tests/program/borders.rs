//! Borders along several axes that depend on the lane.
use crate::support::{program, text};
use systolic_compiler::evaluate::{evaluate, random_inputs};
use systolic_compiler::interpret::interpret;
use systolic_compiler::mapping::Target;

/// Lanes that lie inside along one axis say nothing about those that lie outside along both.
#[test]
fn a_border_is_applied_along_every_axis_on_its_own() {
    for border in ["clamp", "reflect", "symmetric", "wrap"] {
        let lawful = text(&format!(
            "kernel diagonal(x: [i32; 16, 16] border {border}) -> (y: [i32; 8, 32]) {{
                for i in 0..8, j in 0..32 {{ D[i, j] = x[i + j - 4, 2 * j - 9]; y[i, j] = D[i, j]; }}
                map lines {{ blocks (i); lanes j; }}
            }}"
        ));
        let program = program(&lawful, "lines", Target::Gpu);
        let inputs = random_inputs(lawful.kernel(), &[], 7);
        let expected = evaluate(lawful.kernel(), &[], &inputs).expect("small enough");
        let found = interpret(&program, lawful.kernel(), &[], &inputs, 1).expect("no trap");
        assert!(found.iter().zip(&expected).all(|(a, b)| a.same_bits(b)), "{border}");
    }
}
