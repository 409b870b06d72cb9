//! Access to matrices and their rows.
use super::Case;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::{Matrix as MatrixTree, *};
use systolic_oracle::Random;

impl Case<'_> {
    pub fn with_matrix(
        &mut self,
        edit: impl FnOnce(
            &mut Random,
            &[String],
            &mut Vec<systolic_compiler::region::Name>,
            &mut Vec<systolic_compiler::region::Name>,
            &mut MatrixTree,
            &mut Option<MatrixTree>,
        ) -> Option<Vec<String>>,
    ) -> Option<()> {
        let mut random = Random::new(self.random.below(1 << 62) as u64);
        let (space, clause) = self.matrix()?;
        let ClauseKind::SpaceTime { old, new, matrix, reverse } = &mut clause.kind else { return None };
        self.places = edit(&mut random, &space, old, new, matrix, reverse)?;
        Some(())
    }
}

pub fn print_row(row: &MatrixRow) -> String {
    format!("[{}]", row.entries.iter().map(print_expr).collect::<Vec<_>>().join(", "))
}

pub fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int { value: 0, .. })
}
