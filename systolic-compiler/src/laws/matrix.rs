//! rows(M) = the new loops, columns(M) = the old loops, each once, and the rows of M are linearly independent
use crate::fault::{Fault, Faults, MatrixFact};
use crate::model::{Form, MatrixClause};
use systolic_sets::Matrix;

pub fn check(matrix: &MatrixClause, faults: &mut Faults) {
    for (k, (leaf, name)) in matrix.old.iter().enumerate() {
        if matrix.old[..k].iter().any(|(l, _)| l == leaf) {
            faults.push(Fault::new(name.at, MatrixFact::Repeated { name: name.text.clone() }));
            return;
        }
    }
    let (expected, found) = (matrix.new.len(), matrix.rows.len());
    if expected != found {
        faults.push(Fault::new(matrix.at, MatrixFact::Rows { expected, found }));
        return;
    }
    let before = faults.len();
    for (row, at) in matrix.rows.iter().zip(&matrix.row_at) {
        let (expected, found) = (matrix.old.len(), row.len());
        if expected != found {
            faults.push(Fault::new(*at, MatrixFact::Columns { expected, found }));
        }
    }
    if faults.len() > before {
        return;
    }
    for last in 0..matrix.rows.len() {
        if let Some(combination) = dependence(matrix, last) {
            let fact = if last >= matrix.old.len() {
                MatrixFact::TooManyRows { rows: matrix.rows.len(), loops: matrix.old.len() }
            } else {
                MatrixFact::Dependent { row: matrix.new[last].text.clone(), combination }
            };
            faults.push(Fault::new(matrix.row_at[last], fact));
            return;
        }
    }
}

/// How row `last` depends on the rows above it, such as `t = 2 * i + j`; `None` if it is independent of them.
fn dependence(matrix: &MatrixClause, last: usize) -> Option<String> {
    let columns = Matrix::from_rows(matrix.rows[..=last].to_vec())?.transpose();
    let relation = columns.null_lattice()?.into_iter().find(|v| v[last] != 0)?;
    let names: Vec<&str> = matrix.new.iter().map(|n| n.text.as_str()).collect();
    let sign = if relation[last] > 0 { -1 } else { 1 };
    let above = Form::new(relation[..last].iter().map(|c| c * sign).collect(), 0);
    let own = match relation[last].unsigned_abs() {
        1 => names[last].to_string(),
        times => format!("{times} * {}", names[last]),
    };
    Some(format!("{own} = {}", super::set::text_of(&above, &names)))
}
