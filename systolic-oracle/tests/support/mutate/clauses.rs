//! Whole maps and their clauses.
use super::Case;
use super::parse::map_from;
use systolic_compiler::syntax::tree::*;

/// The outermost loop whose length is a run-time size.
pub fn long_loop(case: &Case) -> Option<String> {
    let generics: Vec<&str> = case.kernel.generics.iter().map(|g| g.name.text.as_str()).collect();
    let long = case
        .kernel
        .loops
        .iter()
        .find(|l| matches!(&l.high.kind, ExprKind::Name(n) if !generics.contains(&n.as_str())))?;
    Some(long.name.text.clone())
}

pub fn replace_map(case: &mut Case, clauses: &str) -> Option<()> {
    case.kernel.maps = vec![map_from(clauses)];
    Some(())
}

/// Two random loops.
pub fn two_loops(case: &mut Case) -> Option<(String, String)> {
    let mut loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    case.random.shuffle(&mut loops);
    Some((loops.first()?.clone(), loops.get(1)?.clone()))
}
