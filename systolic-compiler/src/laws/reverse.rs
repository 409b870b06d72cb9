//! R · M = 1
//!
//! The matrix that the map claims to be the inverse is the inverse.
use crate::fault::{Fault, Faults, ReverseFact};
use crate::model::{Form, MatrixClause};

pub fn check(matrix: &MatrixClause, faults: &mut Faults) {
    let Some((reverse, at)) = &matrix.reverse else { return };
    let (rows, columns) = (matrix.old.len(), matrix.new.len());
    if reverse.len() != rows || reverse.iter().any(|r| r.len() != columns) {
        let found_columns = reverse.iter().map(Vec::len).find(|n| *n != columns).unwrap_or(columns);
        let fact = ReverseFact::Shape { rows, columns, found_rows: reverse.len(), found_columns };
        faults.push(Fault::new(*at, fact));
        return;
    }
    let names: Vec<&str> = matrix.old.iter().map(|(_, n)| n.text.as_str()).collect();
    for (k, row) in reverse.iter().enumerate() {
        let product: Vec<i128> = (0..rows).map(|c| row.iter().zip(&matrix.rows).map(|(r, m)| r * m[c]).sum()).collect();
        let unit = (0..rows).all(|c| product[c] == i128::from(c == k));
        if !unit {
            let becomes = super::set::text_of(&Form::new(product, 0), &names);
            let fault = Fault::new(*at, ReverseFact::NotInverse { loop_name: names[k].to_string(), becomes });
            faults.push(match inverse(matrix) {
                Some(code) => fault.with_edit(format!("this undoes it: `{code}`"), *at, code),
                None => fault.with_advice("leave `reverse` out: the compiler derives it"),
            });
            return;
        }
    }
}

/// The inverse as the language writes it; `None` if there is none with integer entries.
fn inverse(matrix: &MatrixClause) -> Option<String> {
    let (numerator, denominator) = systolic_sets::Matrix::from_rows(matrix.rows.clone())?.inverse()?;
    if denominator != 1 {
        return None;
    }
    let n = matrix.old.len();
    let row = |i| (0..n).map(|j| numerator.get(i, j).to_string()).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = (0..n).map(|i| format!("[{}]", row(i))).collect();
    Some(format!("[{}]", rows.join(", ")))
}
