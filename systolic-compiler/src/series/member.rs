//! The kernels of a series: their syntax trees, from that of the whole kernel, resolved and proved like any user's.
use super::boxes::{between, needed_once};
use super::graph::{Edge, Graph};
use super::{Axis, Between, Group, Member, Node, Partition, Series, name};
use crate::laws::{Lawful, judge};
use crate::model::{self, Argument, Form, Kernel, Type, fresh_name, taken_names};
use crate::region::{Name, Region};
use crate::syntax::tree::{self, Assign, BinaryOp, Expr, ExprKind, GenericList, Statement};
use crate::target::series::{MOST_MEMBERS, MOST_VARIABLES};

/// The kernels of this partition of an instance; `None` if one of them is not lawful or computes with other types.
pub fn split(tree: &tree::Kernel, kernel: &Kernel, partition: &Partition) -> Option<Series> {
    if partition.len() > MOST_MEMBERS || kernel.equations.len() > MOST_VARIABLES {
        return None;
    }
    let graph = Graph::new(kernel);
    let between = arrays(tree, kernel, partition, &graph);
    let whole = Whole { tree, kernel, graph: &graph, between: &between };
    let members = (0..partition.len()).map(|k| whole.member(k, &partition[k], partition));
    let members = members.collect::<Option<Vec<Member>>>()?;
    Some(Series { members, between })
}

/// The arrays between the members, in the order of their variables.
fn arrays(tree: &tree::Kernel, kernel: &Kernel, partition: &Partition, graph: &Graph) -> Vec<Between> {
    let mut taken = taken_names(tree);
    let mut all = Vec::new();
    for variable in 0..kernel.equations.len() {
        let Some(made) = partition.iter().position(|group| group.contains(&Node::Variable(variable))) else { continue };
        let is_later = |edge: &&Edge| partition[made + 1..].iter().any(|group| group.contains(&edge.reader));
        let edges: Vec<&Edge> = graph.edges.iter().filter(|e| e.variable == variable).filter(is_later).collect();
        if !edges.is_empty() {
            let plain = format!("{}_kept", name(kernel, &Node::Variable(variable)));
            all.push(between(kernel, fresh_name(&mut taken, &plain), variable, &edges));
        }
    }
    all
}

/// The kernel that is cut.
struct Whole<'w> {
    tree: &'w tree::Kernel,
    kernel: &'w Kernel,
    graph: &'w Graph,
    between: &'w [Between],
}

impl Whole<'_> {
    fn member(&self, number: usize, group: &Group, partition: &Partition) -> Option<Member> {
        let kernel = self.kernel;
        let repeated = self.repeated(group);
        let is_own = |b: &Between| group.contains(&Node::Variable(b.variable));
        let is_read =
            |b: &Between| !is_own(b) && group.iter().any(|n| self.graph.reads(*n).any(|e| e.variable == b.variable));
        let reads: Vec<usize> = (0..self.between.len()).filter(|k| is_read(&self.between[*k])).collect();
        let stores: Vec<usize> = (0..self.between.len()).filter(|k| is_own(&self.between[*k])).collect();
        let outputs = (0..kernel.outputs.len()).filter(|k| group.contains(&Node::Output(*k))).collect();
        let mut tree = self.bare(number, partition.len());
        tree.parameters.extend(reads.iter().map(|k| self.parameter(&self.between[*k])));
        tree.outputs
            .retain(|output| group.iter().any(|n| matches!(n, Node::Output(_)) && name(kernel, n) == output.name.text));
        tree.outputs.extend(stores.iter().map(|k| self.output(&self.between[*k])));
        let computed = |target: &Name| {
            let mut nodes = group.iter().copied().chain(repeated.iter().map(|n| Node::Variable(*n)));
            nodes.any(|node| name(kernel, &node) == target.text)
        };
        tree.statements = self.tree.statements.iter().filter_map(|statement| only(statement, &computed)).collect();
        for statement in &mut tree.statements {
            each_value(statement, &mut |expr| reads.iter().for_each(|k| self.load(expr, &self.between[*k])));
        }
        tree.statements.extend(stores.iter().map(|k| self.store(&self.between[*k])));
        let stored: Vec<&Between> = stores.iter().map(|k| &self.between[*k]).collect();
        for (l, value) in needed_once(kernel, group, &repeated, &stored, &self.graph.edges) {
            tree.loops[l].low = self.expr(&value);
            tree.loops[l].high = self.expr(&value.plus(1));
        }
        let lawful = self.proved(&tree)?;
        Some(Member { tree, lawful, outputs, reads, stores })
    }

    /// The variables that a group computes besides its own.
    fn repeated(&self, group: &Group) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut open: Vec<Node> = group.clone();
        while let Some(node) = open.pop() {
            for edge in self.graph.reads(node) {
                if self.graph.repeated.contains(&edge.variable) && !found.contains(&edge.variable) {
                    found.push(edge.variable);
                    open.push(Node::Variable(edge.variable));
                }
            }
        }
        found
    }

    /// The kernel with the values of this instance's generics, and without what only the whole has.
    fn bare(&self, number: usize, count: usize) -> tree::Kernel {
        let mut tree = self.tree.clone();
        let at = tree.name.at;
        tree.attributes.clear();
        tree.visibility = Default::default();
        tree.maps.clear();
        tree.name.text = format!("{}_{}_of_{count}", tree.name.text, number + 1);
        for (generic, (_, argument)) in tree.generics.iter_mut().zip(&self.kernel.instance.arguments) {
            generic.list = match argument {
                Argument::Number(value) => {
                    GenericList::Numbers { values: vec![(*value, tree::Region0(at))], single: true }
                }
                Argument::Type(ty) => GenericList::Types { values: vec![Name { text: ty.to_string(), at }] },
            };
        }
        tree
    }

    fn at(&self) -> Region {
        self.tree.name.at
    }

    fn array(&self, between: &Between) -> tree::ArrayType {
        let element = Name { text: between.ty.to_string(), at: self.at() };
        tree::ArrayType {
            element,
            dims: between.axes.iter().map(|axis| self.expr(&axis.length)).collect(),
            at: self.at(),
        }
    }

    fn parameter(&self, between: &Between) -> tree::Parameter {
        let kind = tree::ParameterKind::Array { array: self.array(between), border: None, lengths: None };
        tree::Parameter { name: self.name(between), kind }
    }

    /// Elements that no point stores are never read, whatever they hold.
    fn output(&self, between: &Between) -> tree::Output {
        let kind = match between.ty {
            Type::Bool => ExprKind::Bool(false),
            ty if ty.is_integer() => ExprKind::Int { value: 0, suffix: None },
            _ => ExprKind::Float { text: "0.0".to_string(), suffix: None },
        };
        let is_box = self.kernel.loops.iter().all(|l| l.low.dims().max(l.high.dims()) <= self.kernel.call_sizes());
        let rest = (!is_box).then_some(Expr { kind, at: self.at() });
        tree::Output { name: self.name(between), array: self.array(between), is_scalar: false, rest }
    }

    fn name(&self, between: &Between) -> Name {
        Name { text: between.name.clone(), at: self.at() }
    }

    /// `r_kept[i, j] = r[i, j];`, or that at the values of the loops without an axis.
    fn store(&self, between: &Between) -> Statement {
        let own = |l: usize| self.plain(ExprKind::Name(self.kernel.loops[l].name.text.clone()));
        let point = (0..self.kernel.loops.len()).map(own).collect();
        let indices = between.axes.iter().map(|axis| self.from(own(axis.of), axis)).collect();
        let variable = self.kernel.equations[between.variable].variable.clone();
        let value = self.plain(ExprKind::Index { name: variable, indices: point });
        let assign = Assign { target: self.name(between), indices, value, at: self.at() };
        let equal = |(l, value): &(usize, Form)| self.binary(BinaryOp::Eq, own(*l), self.expr(value));
        match between.fixed.iter().map(equal).reduce(|a, b| self.binary(BinaryOp::And, a, b)) {
            Some(condition) => Statement::If { condition, stores: vec![assign] },
            None => Statement::Assign(assign),
        }
    }

    /// Replaces the read of a variable by that of its array.
    fn load(&self, expr: &mut Expr, between: &Between) {
        let ExprKind::Index { name, indices } = &mut expr.kind else { return };
        if name.text != self.kernel.equations[between.variable].variable.text {
            return;
        }
        let index = |axis: &Axis| self.from(indices[axis.of].clone(), axis);
        let indices: Vec<Expr> = between.axes.iter().map(index).collect();
        expr.kind = ExprKind::Index { name: self.name(between), indices };
    }

    /// An index along an axis.
    fn from(&self, index: Expr, axis: &Axis) -> Expr {
        let is_zero = axis.low.is_constant() && axis.low.constant == 0;
        if is_zero { index } else { self.binary(BinaryOp::Sub, index, self.expr(&axis.low)) }
    }

    /// A form of the sizes.
    fn expr(&self, form: &Form) -> Expr {
        let mut sum: Option<Expr> = None;
        for (k, c) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
            let size = self.plain(ExprKind::Name(self.kernel.sizes[k].name.clone()));
            let by = self.number(c.abs());
            let term = if c.abs() == 1 { size } else { self.binary(BinaryOp::Mul, by, size) };
            let op = if *c > 0 { BinaryOp::Add } else { BinaryOp::Sub };
            sum = Some(match sum {
                None if *c > 0 => term,
                sum => self.binary(op, sum.unwrap_or_else(|| self.number(0)), term),
            });
        }
        match (sum, form.constant) {
            (None, constant) => self.number(constant),
            (Some(sum), 0) => sum,
            (Some(sum), c @ 1..) => self.binary(BinaryOp::Add, sum, self.number(c)),
            (Some(sum), c) => self.binary(BinaryOp::Sub, sum, self.number(c.abs())),
        }
    }

    fn plain(&self, kind: ExprKind) -> Expr {
        Expr { kind, at: self.at() }
    }

    fn number(&self, value: i128) -> Expr {
        Expr::number(self.at(), value)
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.plain(ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) })
    }

    /// The member as a lawful kernel, with the sizes of the whole and the types of its variables.
    fn proved(&self, tree: &tree::Kernel) -> Option<Lawful> {
        let mut resolved = model::resolve(tree);
        if !resolved.faults.is_empty() || resolved.kernels.len() != 1 {
            return None;
        }
        let (member, pending) = (resolved.kernels.pop()?, resolved.pending.pop()?);
        let has_sizes = member.sizes.len() == self.kernel.sizes.len()
            && member.sizes.iter().zip(&self.kernel.sizes).all(|(a, b)| a.name == b.name);
        // What a member does not compute may have decided a type.
        let has_types = member.equations.iter().all(|equation| {
            self.kernel.equations.iter().any(|e| e.variable == equation.variable && e.ty == equation.ty)
        });
        if has_sizes && has_types { judge(member, pending, false).ok() } else { None }
    }
}

/// A statement with only the targets that are computed; `None` if there are none.
fn only(statement: &Statement, computed: &impl Fn(&Name) -> bool) -> Option<Statement> {
    match statement {
        Statement::Assign(assign) => computed(&assign.target).then(|| statement.clone()),
        Statement::If { condition, stores } => {
            let stores: Vec<Assign> = stores.iter().filter(|store| computed(&store.target)).cloned().collect();
            (!stores.is_empty()).then(|| Statement::If { condition: condition.clone(), stores })
        }
    }
}

/// Visits every expression of the values of a statement.
fn each_value(statement: &mut Statement, visit: &mut impl FnMut(&mut Expr)) {
    match statement {
        Statement::Assign(assign) => each(&mut assign.value, visit),
        Statement::If { stores, .. } => stores.iter_mut().for_each(|store| each(&mut store.value, visit)),
    }
}

fn each(expr: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    visit(expr);
    match &mut expr.kind {
        ExprKind::Index { indices: inner, .. } | ExprKind::Call { arguments: inner, .. } => {
            inner.iter_mut().for_each(|e| each(e, visit));
        }
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => each(operand, visit),
        ExprKind::Binary { left, right, .. } => [left, right].into_iter().for_each(|e| each(e, visit)),
        ExprKind::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|e| each(e, visit));
        }
        ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Hole => {}
    }
}
