//! Rejects steps whose unrolled body would be too long.
use crate::mapping::{Layout, Obstacle};
use crate::model::{Expr, ExprKind, Kernel};
use crate::target::effort;

/// Whether the body of a step would be too long. Such a map runs point by point.
pub fn is_large(layout: &Layout) -> bool {
    too_long(layout).is_some()
}

/// The obstacle, if the body of a step would be too long.
pub fn too_long(layout: &Layout) -> Option<Obstacle> {
    let operations = layout.instances.len().saturating_mul(operations(layout.kernel));
    (operations > effort::WRITTEN_OPERATIONS).then_some(Obstacle::Long { operations, most: effort::WRITTEN_OPERATIONS })
}

/// The number of operations in the equations and stores of a kernel. A deeply nested one, as in a long chain of `else if`,
/// counts more than once: one more for each condition around it beyond the first few.
fn operations(kernel: &Kernel) -> usize {
    fn count(expr: &Expr, conditions: usize) -> usize {
        let inside = conditions + usize::from(matches!(expr.kind, ExprKind::If { .. }));
        let children = expr.children().into_iter().map(|child| count(child, inside)).sum::<usize>();
        1 + conditions.saturating_sub(effort::NESTED_CONDITIONS) + children
    }
    let equations = kernel.equations.iter().map(|e| count(&e.value, 0));
    equations.chain(kernel.stores.iter().map(|s| count(&s.value, 0))).sum()
}
