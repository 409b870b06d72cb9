//! Steps that are too long to be written out.
use crate::mapping::Layout;
use crate::model::{Expr, Kernel};

/// The most operations of a step that are written out: beyond, neither this compiler nor rustc would end soon.
const MOST_OPERATIONS: usize = 40_000;

/// Whether the body of a step would be too long. Such a map is run point by point.
pub fn is_large(layout: &Layout) -> bool {
    layout.instances.len().saturating_mul(operations(layout.kernel)) > MOST_OPERATIONS
}

/// How many operations the equations and stores of a kernel have.
fn operations(kernel: &Kernel) -> usize {
    fn count(expr: &Expr) -> usize {
        1 + expr.children().into_iter().map(count).sum::<usize>()
    }
    let equations = kernel.equations.iter().map(|e| count(&e.value));
    equations.chain(kernel.stores.iter().map(|s| count(&s.value))).sum()
}
