//! An expression as a list of stack operations, so that evaluation can stop at a missing value and continue later.
use crate::model::{
    Array, BinaryOp, CompareOp, Element, Expr, ExprKind, Form, Formula, Int, Kernel, Type, UnaryOp, Value,
};

pub(super) enum Op<'k> {
    Literal(Value),
    /// With its number in `Kernel::accesses` if it has an index.
    Element {
        access: usize,
        element: &'k Element,
    },
    /// With its number in `Kernel::reads`.
    Read {
        read: usize,
        variable: usize,
        distance: &'k [Int],
    },
    /// Takes as many indices from the stack as the array has axes.
    Lookup {
        array: Array,
        axes: usize,
    },
    Index(&'k Form),
    Holds(&'k Formula),
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CompareOp),
    Fma,
    Cast(Type),
    /// Takes condition, then and otherwise from the stack.
    Select,
    JumpUnless(&'k Formula, usize),
    Jump(usize),
}

/// The code of all equations, followed by that of all stores.
pub(super) fn compile(kernel: &Kernel) -> Vec<Vec<Op<'_>>> {
    let (mut reads, mut accesses) = (0, 0);
    let equations = kernel.equations.iter().map(|e| &e.value);
    let stores = kernel.stores.iter().map(|s| &s.value);
    equations
        .chain(stores)
        .map(|value| {
            let mut code = Vec::new();
            write(value, &mut code, &mut reads, &mut accesses);
            code
        })
        .collect()
}

/// Visits operands in the order of `Expr::children`, so that reads and accesses have the same numbers as in the model.
fn write<'k>(expr: &'k Expr, code: &mut Vec<Op<'k>>, reads: &mut usize, accesses: &mut usize) {
    if let ExprKind::If { guard, then, otherwise } = &expr.kind {
        let branch = code.len();
        code.push(Op::Jump(0));
        write(then, code, reads, accesses);
        let leave = code.len();
        code.push(Op::Jump(0));
        code[branch] = Op::JumpUnless(guard, code.len());
        write(otherwise, code, reads, accesses);
        code[leave] = Op::Jump(code.len());
        return;
    }
    for child in expr.children() {
        write(child, code, reads, accesses);
    }
    code.push(match &expr.kind {
        ExprKind::Literal(value) => Op::Literal(*value),
        ExprKind::Element { element, .. } => {
            let access = *accesses;
            *accesses += usize::from(!element.index.is_empty());
            Op::Element { access, element }
        }
        ExprKind::Read { variable, distance, .. } => {
            *reads += 1;
            Op::Read { read: *reads - 1, variable: *variable, distance }
        }
        ExprKind::Lookup { array, index } => Op::Lookup { array: *array, axes: index.len() },
        ExprKind::Index(form) => Op::Index(form),
        ExprKind::Holds(formula) => Op::Holds(formula),
        ExprKind::Unary { op, .. } => Op::Unary(*op),
        ExprKind::Binary { op, .. } => Op::Binary(*op),
        ExprKind::Compare { op, .. } => Op::Compare(*op),
        ExprKind::Fma { .. } => Op::Fma,
        ExprKind::Cast { .. } => Op::Cast(expr.ty),
        ExprKind::Select { .. } | ExprKind::If { .. } => Op::Select,
    });
}
