//! Finds expressions of a kernel to change.
use super::Case;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

/// The position of an expression.
#[derive(Clone, Default)]
pub struct Site {
    /// The variable whose equation contains it; `None` in a store.
    pub variable: Option<String>,
    pub in_index: bool,
    pub in_condition: bool,
    /// Whether it is under an `as`, where an index may be used as a value.
    pub in_cast: bool,
}

pub fn walk(expr: &mut Expr, site: &Site, visit: &mut dyn FnMut(&mut Expr, &Site)) {
    visit(expr, site);
    let index = Site { in_index: true, ..site.clone() };
    let cast = Site { in_cast: true, ..site.clone() };
    let condition_site = Site { in_condition: true, ..site.clone() };
    match &mut expr.kind {
        ExprKind::Index { indices, .. } => indices.iter_mut().for_each(|e| walk(e, &index, visit)),
        ExprKind::Unary { operand, .. } => walk(operand, site, visit),
        ExprKind::Cast { operand, .. } => walk(operand, &cast, visit),
        ExprKind::Binary { left, right, .. } => {
            walk(left, site, visit);
            walk(right, site, visit);
        }
        ExprKind::If { condition, then, otherwise } => {
            walk(condition, &condition_site, visit);
            walk(then, site, visit);
            walk(otherwise, site, visit);
        }
        ExprKind::Call { arguments, .. } => arguments.iter_mut().for_each(|e| walk(e, site, visit)),
        _ => {}
    }
}

impl Case<'_> {
    pub fn is_output(&self, name: &str) -> bool {
        self.kernel.outputs.iter().any(|o| o.name.text == name)
    }

    pub fn variables(&self) -> Vec<String> {
        let target = |s: &Statement| match s {
            Statement::Assign(a) if !self.is_output(&a.target.text) => Some(a.target.text.clone()),
            _ => None,
        };
        self.kernel.statements.iter().filter_map(target).collect()
    }

    pub fn is_loop(&self, name: &str) -> bool {
        self.kernel.loops.iter().any(|l| l.name.text == name)
    }

    pub fn each_value(&mut self, visit: &mut dyn FnMut(&mut Expr, &Site)) {
        let variables = self.variables();
        for statement in &mut self.kernel.statements {
            match statement {
                Statement::Assign(assign) => {
                    let variable = Some(assign.target.text.clone()).filter(|n| variables.contains(n));
                    walk(&mut assign.value, &Site { variable, ..Site::default() }, visit);
                }
                Statement::If { stores, .. } => {
                    stores.iter_mut().for_each(|s| walk(&mut s.value, &Site::default(), visit));
                }
            }
        }
    }

    /// Changes a random one of the expressions that `pick` accepts.
    pub fn change(
        &mut self,
        pick: &dyn Fn(&Expr, &Site) -> bool,
        change: &mut dyn FnMut(&mut Expr, &Site),
    ) -> Option<()> {
        let mut count = 0;
        self.each_value(&mut |e, site| count += usize::from(pick(e, site)));
        if count == 0 {
            return None;
        }
        let chosen = self.random.below(count);
        let mut at = 0;
        self.each_value(&mut |e, site| {
            if pick(e, site) {
                at += 1;
                if at == chosen + 1 {
                    change(e, site);
                }
            }
        });
        Some(())
    }

    pub fn map(&mut self) -> Option<&mut Map> {
        let count = self.kernel.maps.len();
        if count == 0 {
            return None;
        }
        let chosen = self.random.below(count);
        Some(&mut self.kernel.maps[chosen])
    }

    /// The loops in `lanes` and `warps`, and the `space_time` clause of a map that has one.
    pub fn matrix(&mut self) -> Option<(Vec<String>, &mut Clause)> {
        let map = self.map()?;
        let space = map
            .clauses
            .iter()
            .flat_map(|c| match &c.kind {
                ClauseKind::Lanes { loops, .. } | ClauseKind::Warps(loops) => loops.clone(),
                _ => Vec::new(),
            })
            .map(|n| n.text)
            .collect();
        let clause = map.clauses.iter_mut().find(|c| matches!(c.kind, ClauseKind::SpaceTime { .. }))?;
        Some((space, clause))
    }

    pub fn assigns(&mut self, output: bool) -> Vec<&mut Assign> {
        let outputs: Vec<String> = self.kernel.outputs.iter().map(|o| o.name.text.clone()).collect();
        let all = self.kernel.statements.iter_mut().flat_map(|s| match s {
            Statement::Assign(a) => vec![a],
            Statement::If { stores, .. } => stores.iter_mut().collect(),
        });
        all.filter(|a| outputs.contains(&a.target.text) == output).collect()
    }

    pub fn one<T>(&mut self, count: usize, get: impl FnOnce(&mut Self, usize) -> T) -> Option<T> {
        if count == 0 {
            return None;
        }
        let k = self.random.below(count);
        Some(get(self, k))
    }
}

pub fn read_of<'e>(e: &'e Expr, among: &[String]) -> Option<&'e Vec<Expr>> {
    match &e.kind {
        ExprKind::Index { name, indices } if among.contains(&name.text) => Some(indices),
        _ => None,
    }
}

pub fn is_shifted(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. })
}

pub fn left_side(assign: &Assign) -> String {
    let indices: Vec<String> = assign.indices.iter().map(print_expr).collect();
    format!("{}[{}]", assign.target.text, indices.join(", "))
}
