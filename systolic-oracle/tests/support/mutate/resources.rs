//! Parameters, folds and loops that need too many resources.
use super::clauses::{long_loop, replace_map};
use super::parse::kernel_from;
use super::{Case, Kind, WIRES, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_kernel;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("large const parameter", &[Resources], large_parameter),
    kind("large generic", &[Resources, Sizes, Matrix, Collision, Lanes, Causality, Broadcast, Blocks], large_generic),
    kind("fold too large", WIRES, large_fold),
];

fn large_parameter(case: &mut Case) -> Option<()> {
    let length = case.random.pick(&["1100", "64, 64", "2000"]);
    let text = format!("kernel k(big: const [f32; {length}]) -> (z: [f32; 1]) {{ for i in 0..1 {{ z[i] = 0.0; }} }}");
    case.kernel.parameters.extend(kernel_from(&text).parameters);
    case.places = vec!["big".to_string()];
    Some(())
}

fn large_generic(case: &mut Case) -> Option<()> {
    // Brute force would enumerate every lane of a wide overlap.
    if print_kernel(&case.kernel).contains("overlap") {
        return None;
    }
    let value = case.random.pick(&[1500u64, 40, 4000]);
    let count = case.kernel.generics.len();
    case.one(count, |case, k| match &mut case.kernel.generics[k].list {
        GenericList::Numbers { values, .. } => {
            values.truncate(1);
            values[0].0 = value;
            Some(())
        }
        GenericList::Types { .. } => None,
    })?
}

fn large_fold(case: &mut Case) -> Option<()> {
    let long = long_loop(case)?;
    let fold = case.random.pick(&["64", "128", "300"]);
    replace_map(case, &format!("tile {long} by (32 * {fold}) as (m_b, m_l); lanes m_l fold {fold};"))
}
