//! Collects every read of a variable or array with the guards on its path: an independent walk, in the order in which
//! the model numbers them.
use systolic_compiler::model::{Array, Expr, ExprKind, Form, Formula, Int, Kernel, Reader};
use systolic_compiler::region::Region;

/// Guards, and whether each must hold or not.
pub type Path = Vec<(Formula, bool)>;

/// A read of a variable.
pub struct ReadSite {
    pub reader: Reader,
    pub variable: usize,
    pub distance: Vec<Int>,
    pub path: Path,
    pub at: Region,
    pub index_at: Vec<Region>,
}

/// A read of an array with an index.
pub struct AccessSite {
    pub array: Array,
    pub index: Vec<Form>,
    pub path: Path,
    pub at: Region,
    pub index_at: Vec<Region>,
}

pub fn sites(kernel: &Kernel) -> (Vec<ReadSite>, Vec<AccessSite>) {
    let mut found = (Vec::new(), Vec::new());
    for (n, equation) in kernel.equations.iter().enumerate() {
        walk(&equation.value, Reader::Equation(n), &mut Vec::new(), &mut found);
    }
    for (n, store) in kernel.stores.iter().enumerate() {
        walk(&store.value, Reader::Store(n), &mut vec![(store.guard.clone(), true)], &mut found);
    }
    found
}

fn walk(expr: &Expr, reader: Reader, path: &mut Path, found: &mut (Vec<ReadSite>, Vec<AccessSite>)) {
    match &expr.kind {
        ExprKind::Read { variable, distance, index_at } => found.0.push(ReadSite {
            reader,
            variable: *variable,
            distance: distance.clone(),
            path: path.clone(),
            at: expr.at,
            index_at: index_at.clone(),
        }),
        ExprKind::Element { element, index_at } if !element.index.is_empty() => found.1.push(AccessSite {
            array: element.array,
            index: element.index.clone(),
            path: path.clone(),
            at: expr.at,
            index_at: index_at.clone(),
        }),
        ExprKind::If { guard, then, otherwise } => {
            for (side, holds) in [(then, true), (otherwise, false)] {
                path.push((guard.clone(), holds));
                walk(side, reader, path, found);
                path.pop();
            }
        }
        ExprKind::Select { condition, then, otherwise } => {
            for operand in [condition, then, otherwise] {
                walk(operand, reader, path, found);
            }
        }
        ExprKind::Lookup { index, .. } => index.iter().for_each(|operand| walk(operand, reader, path, found)),
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand } => walk(operand, reader, path, found),
        ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
            walk(left, reader, path, found);
            walk(right, reader, path, found);
        }
        ExprKind::Fma { a, b, c } => {
            for operand in [a, b, c] {
                walk(operand, reader, path, found);
            }
        }
        ExprKind::Literal(_) | ExprKind::Element { .. } | ExprKind::Index(_) | ExprKind::Holds(_) => {}
    }
}
