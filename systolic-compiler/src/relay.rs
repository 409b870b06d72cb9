//! The kernel that a rank runs where values are carried along a loop from part to part. It takes the values of the last iterations
//! before its own, and gives those that the next rank needs:
//!
//! ```text
//! S[n, c] = x[n, c] + if n == 0 { 0.0 } else { S[n - 1, c] };
//!
//! S[n, c] = if taken <= n && n < taken + 1 { S_taken[n - taken, c] } else { x[n, c] + if n == 0 { 0.0 } else { S[n - 1, c] } };
//! if given <= n && n < given + 1 { S_given[n - given, c] = S[n, c]; }
//! ```
//!
//! `taken` and `given` are numbers of the call. Where another loop allows it, the same is done along that: a rank runs its part in chunks,
//! and the next rank begins after the first chunk. This kernel is resolved, proved and compiled like any user's, so nothing about it is
//! trusted: what it takes is one more input, what it gives one more output.
use crate::laws::split::{Carry, Chunked, Split, chunked, relayed};
use crate::laws::{Lawful, judge};
use crate::model::{self, Argument, Form, Int, Kernel, Type, fresh_name, hull, taken_names};
use crate::region::{Name, Region};
use crate::sorted::SortedSet;
use crate::syntax::tree::{self, Assign, BinaryOp, Expr, ExprKind, GenericList, Statement};
use crate::target::limits::DIMENSIONS;

/// The kernel of a rank for one axis.
#[derive(Clone, Debug)]
pub struct Relay {
    /// The axis of the outputs along which ranks follow each other.
    pub axis: usize,
    /// How the axis is cut.
    pub split: Split,
    /// What ranks take and give.
    pub carrying: Carrying,
    /// How a rank runs its part in chunks along another loop, so that the next rank can begin after the first of them.
    pub chunks: Option<Chunks>,
    /// As a user would write it. It has the parameters of the whole kernel, then those of what ranks take and give, then those of what
    /// chunks do; in the same order the outputs. See [`Carrying`].
    pub tree: tree::Kernel,
    pub lawful: Lawful,
}

/// What is taken and given along one loop: an input and an output per variable. After the inputs there are two sizes, which say where
/// the iterations begin that are taken, and those that are given. At 1 they begin `reach` before the least value of the loop, where
/// there is nothing.
#[derive(Clone, Debug)]
pub struct Carrying {
    /// Whether later iterations come first.
    pub is_backward: bool,
    /// How many iterations are taken and given.
    pub reach: Int,
    /// The least value of the loop.
    pub lowest: Int,
    pub carried: Vec<Carried>,
}

/// How the iterations of another loop are run in chunks.
#[derive(Clone, Debug)]
pub struct Chunks {
    pub chunked: Chunked,
    /// What chunks take and give, if something is carried along their loop.
    pub carrying: Option<Carrying>,
}

/// The values of a variable at the end of a part.
#[derive(Clone, Debug)]
pub struct Carried {
    pub variable: usize,
    pub ty: Type,
    /// Its lengths, as forms of the sizes of a part: the iterations that are carried, then one per other loop.
    pub lengths: Vec<Form>,
    /// The other loops, each with its least value.
    others: Vec<(usize, Form)>,
    taken: String,
    given: String,
}

/// The kernel of a rank if ranks follow each other along an axis of all outputs, or why they cannot.
pub fn relay(tree: &tree::Kernel, kernel: &Kernel, axis: usize) -> Result<Relay, String> {
    let (split, carry, lowest) = relayed(kernel, axis)?;
    let (of, loops) = (&kernel.loops[carry.along].name.text, kernel.loops.len());
    if loops > DIMENSIONS {
        let name = &kernel.equations[carry.variables[0]].variable.text;
        return Err(format!(
            "resources: the values of `{name}` are carried along `{of}` from part to part, but it runs along {loops} loops, and arrays have at most {DIMENSIONS} dimensions (a limit)"
        ));
    }
    let Some((tree, lawful, carrying)) = rewritten(tree, kernel, &carry, lowest) else {
        return Err(format!(
            "blocks: values are carried along `{of}` from part to part, and the kernel of a part is not lawful (a limit)"
        ));
    };
    let relay = Relay { axis, split, carrying, chunks: None, tree, lawful };
    // Arrays of a mesh are cut along their leading axes: the last loop is the one that the mesh cuts least.
    let others = (0..loops).rev().filter(|l| *l != carry.along);
    let outputs = kernel.outputs.len();
    Ok(others.into_iter().find_map(|l| in_chunks(&relay, l, outputs)).unwrap_or(relay))
}

/// The same in chunks along a loop, if that is possible.
fn in_chunks(relay: &Relay, l: usize, outputs: usize) -> Option<Relay> {
    let kernel = relay.lawful.kernel();
    let chunked = chunked(kernel, l, outputs).ok()?;
    let mut relay = relay.clone();
    let mut carrying = None;
    if let Some(carry) = &chunked.carry {
        let (tree, lawful, found) = rewritten(&relay.tree, kernel, carry, chunked.lowest)?;
        (relay.tree, relay.lawful, carrying) = (tree, lawful, Some(found));
    }
    relay.chunks = Some(Chunks { chunked, carrying });
    Some(relay)
}

/// A kernel that takes and gives values along a loop; `None` if it is not lawful.
fn rewritten(
    tree: &tree::Kernel,
    kernel: &Kernel,
    carry: &Carry,
    lowest: Int,
) -> Option<(tree::Kernel, Lawful, Carrying)> {
    let mut taken = taken_names(tree);
    let rewrite = Rewrite { kernel, carry, lowest, at: tree.name.at };
    let carried: Vec<Carried> = carry.variables.iter().map(|v| rewrite.carried(*v, &mut taken)).collect();
    let windows = ["taken", "given"].map(|plain| fresh_name(&mut taken, plain));
    let tree = rewrite.tree(tree, &carried, &windows);
    let lawful = rewrite.proved(&tree)?;
    let Carry { is_backward, reach, .. } = *carry;
    Some((tree, lawful, Carrying { is_backward, reach, lowest, carried }))
}

/// The kernel that is rewritten.
struct Rewrite<'k> {
    kernel: &'k Kernel,
    carry: &'k Carry,
    lowest: Int,
    at: Region,
}

impl Rewrite<'_> {
    /// The arrays of a variable.
    fn carried(&self, variable: usize, names: &mut SortedSet<String>) -> Carried {
        let equation = &self.kernel.equations[variable];
        let mut lengths = vec![Form::constant(self.carry.reach)];
        let mut others = Vec::new();
        for (l, (low, length)) in hull(self.kernel).into_iter().enumerate().filter(|(l, _)| *l != self.carry.along) {
            others.push((l, low));
            lengths.push(length);
        }
        let mut name = |what: &str| fresh_name(names, &format!("{}_{what}", equation.variable.text));
        let (taken, given) = (name("taken"), name("given"));
        Carried { variable, ty: equation.ty, lengths, others, taken, given }
    }

    /// The kernel with the values of this instance's generics, which takes and gives these arrays.
    fn tree(&self, whole: &tree::Kernel, carried: &[Carried], windows: &[String; 2]) -> tree::Kernel {
        let mut tree = whole.clone();
        tree.attributes.clear();
        tree.visibility = Default::default();
        tree.maps.clear();
        for (generic, (_, argument)) in tree.generics.iter_mut().zip(&self.kernel.instance.arguments) {
            generic.list = match argument {
                Argument::Number(value) => {
                    GenericList::Numbers { values: vec![(*value, tree::Region0(self.at))], single: true }
                }
                Argument::Type(ty) => GenericList::Types { values: vec![self.name(&ty.to_string())] },
            };
        }
        let [taken, given] = windows;
        for of in carried {
            let kind = tree::ParameterKind::Array { array: self.array(of), border: None, lengths: None };
            tree.parameters.push(tree::Parameter { name: self.name(&of.taken), kind });
            tree.outputs.push(self.output(of));
            self.take(&mut tree.statements, of, taken);
            tree.statements.push(self.give(of, given));
        }
        let size = |name| tree::Parameter { name: self.name(name), kind: tree::ParameterKind::Size };
        tree.parameters.extend([size(taken), size(given)]);
        tree
    }

    fn array(&self, of: &Carried) -> tree::ArrayType {
        let dims = of.lengths.iter().map(|length| self.expr(length)).collect();
        tree::ArrayType { element: self.name(&of.ty.to_string()), dims, at: self.at }
    }

    /// Iterations that a part does not have are given too; nothing reads them.
    fn output(&self, of: &Carried) -> tree::Output {
        let kind = match of.ty {
            Type::Bool => ExprKind::Bool(false),
            ty if ty.is_integer() => ExprKind::Int { value: 0, suffix: None },
            _ => ExprKind::Float { text: "0.0".to_string(), suffix: None },
        };
        let rest = Some(self.plain(kind));
        tree::Output { name: self.name(&of.given), array: self.array(of), is_scalar: false, rest }
    }

    /// The equation of the variable takes the values of these iterations.
    fn take(&self, statements: &mut [Statement], of: &Carried, window: &str) {
        let variable = &self.kernel.equations[of.variable].variable;
        for statement in statements {
            let Statement::Assign(assign) = statement else { continue };
            if assign.target != *variable {
                continue;
            }
            let then = ExprKind::Index { name: self.name(&of.taken), indices: self.place(of, window) };
            let otherwise = std::mem::replace(&mut assign.value, self.number(0));
            assign.value = self.plain(ExprKind::If {
                condition: Box::new(self.within(window)),
                then: Box::new(self.plain(then)),
                otherwise: Box::new(otherwise),
            });
        }
    }

    /// `if … { S_given[…] = S[n, c]; }`
    fn give(&self, of: &Carried, window: &str) -> Statement {
        let point = (0..self.kernel.loops.len()).map(|l| self.own(l)).collect();
        let variable = self.kernel.equations[of.variable].variable.clone();
        let value = self.plain(ExprKind::Index { name: variable, indices: point });
        let assign = Assign { target: self.name(&of.given), indices: self.place(of, window), value, at: self.at };
        Statement::If { condition: self.within(window), stores: vec![assign] }
    }

    /// How far the iteration lies behind the first of a window. A window at 1 lies just before the least value of the loop: sizes are
    /// at least 1, and a part may take nothing.
    fn after(&self, window: &str) -> Expr {
        let plus = self.carry.reach - self.lowest + 1;
        let own = self.own(self.carry.along);
        let own = match plus {
            0 => own,
            1.. => self.binary(BinaryOp::Add, own, self.number(plus)),
            _ => self.binary(BinaryOp::Sub, own, self.number(-plus)),
        };
        self.binary(BinaryOp::Sub, own, self.plain(ExprKind::Name(window.to_string())))
    }

    /// Whether the iteration lies in a window.
    fn within(&self, window: &str) -> Expr {
        let least = self.binary(BinaryOp::Ge, self.after(window), self.number(0));
        let most = self.binary(BinaryOp::Lt, self.after(window), self.number(self.carry.reach));
        self.binary(BinaryOp::And, least, most)
    }

    /// Where the point stands in an array.
    fn place(&self, of: &Carried, window: &str) -> Vec<Expr> {
        let other = |(l, low): &(usize, Form)| match low.is_constant() && low.constant == 0 {
            true => self.own(*l),
            false => self.binary(BinaryOp::Sub, self.own(*l), self.expr(low)),
        };
        [self.after(window)].into_iter().chain(of.others.iter().map(other)).collect()
    }

    /// A form of the sizes.
    fn expr(&self, form: &Form) -> Expr {
        let term = |(k, c): (usize, &Int)| {
            let size = self.plain(ExprKind::Name(self.kernel.sizes[k].name.clone()));
            self.binary(BinaryOp::Mul, self.number(*c), size)
        };
        let terms = form.coefs.iter().enumerate().filter(|(_, c)| **c != 0).map(term);
        terms.fold(self.number(form.constant), |sum, term| self.binary(BinaryOp::Add, sum, term))
    }

    fn own(&self, l: usize) -> Expr {
        self.plain(ExprKind::Name(self.kernel.loops[l].name.text.clone()))
    }

    fn name(&self, text: &str) -> Name {
        Name { text: text.to_string(), at: self.at }
    }

    fn plain(&self, kind: ExprKind) -> Expr {
        Expr { kind, at: self.at }
    }

    fn number(&self, value: Int) -> Expr {
        Expr::number(self.at, value)
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.plain(ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) })
    }

    /// The kernel as a lawful one, with the sizes of the whole, two more, and the types of its variables.
    fn proved(&self, tree: &tree::Kernel) -> Option<Lawful> {
        let mut resolved = model::resolve(tree);
        if !resolved.faults.is_empty() || resolved.kernels.len() != 1 {
            return None;
        }
        let (part, pending) = (resolved.kernels.pop()?, resolved.pending.pop()?);
        let has_sizes = part.sizes.len() == self.kernel.sizes.len() + 2
            && part.sizes.iter().zip(&self.kernel.sizes).all(|(a, b)| a.name == b.name);
        let has_types = part.equations.len() == self.kernel.equations.len()
            && part.equations.iter().zip(&self.kernel.equations).all(|(a, b)| a.ty == b.ty);
        if has_sizes && has_types { judge(part, pending, false).ok() } else { None }
    }
}
