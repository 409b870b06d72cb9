//! Expressions as statements: one `let` per operation, so that nothing nests except the branches of an `if`.
use super::forms;
use super::literal;
use super::names::ours;
use crate::model::{Array, Border, Element, Equation, Expr, ExprKind, Form, Int, Kernel, ParameterKind, Store};
use crate::target::cpu;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Where the values of a variable are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Only read at its own point: a local of the innermost loop.
    Local,
    /// In a grid. If `also_local`, its value at the current point is in a local too.
    Grid { also_local: bool },
}

/// Turns the expressions of one instance into statements.
pub struct Body<'k> {
    krate: &'k TokenStream,
    kernel: &'k Kernel,
    /// One per variable.
    places: &'k [Place],
    /// The variables whose local is in scope at this position of the emitted code.
    locals: Vec<usize>,
    /// The number of locals `e0`, `e1`, … emitted so far.
    emitted_locals: usize,
    /// Elements that were read before in the emitted code, each with its local, so that an element that occurs several times is
    /// read once.
    read: Vec<(Element, TokenStream)>,
    /// Whether accesses of arrays and grids are calls that are not inlined, because there are many.
    called: bool,
}

impl<'k> Body<'k> {
    pub fn new(krate: &'k TokenStream, kernel: &'k Kernel, places: &'k [Place]) -> Body<'k> {
        let called = accesses(kernel) > cpu::INLINE_ACCESSES;
        Body { krate, kernel, places, locals: Vec::new(), emitted_locals: 0, read: Vec::new(), called }
    }

    /// The name of an access function: the inlined one or the called one.
    fn access(&self, name: &str) -> proc_macro2::Ident {
        if self.called { format_ident!("{name}_called") } else { format_ident!("{name}") }
    }

    /// Forgets the elements read so far: the code that follows is in another scope.
    pub fn forget(&mut self) {
        self.read.clear();
    }

    /// A branch of an `if`: elements read in it are not available after it.
    fn side(&mut self, expr: &Expr, code: &mut TokenStream) -> TokenStream {
        let known = self.read.len();
        let value = self.expr(expr, code);
        self.read.truncate(known);
        value
    }

    /// The statements of equation `n` at the current point.
    pub fn equation(&mut self, n: usize, equation: &Equation) -> TokenStream {
        let mut code = TokenStream::new();
        let value = self.expr(&equation.value, &mut code);
        let (local, ty) = (ours("v", n), literal::ty(self.krate, equation.ty));
        code.extend(quote!(let #local: #ty = #value;));
        self.locals.push(n);
        if let Some(Place::Grid { .. }) = self.places.get(n) {
            let (grid, point, set) = (ours("g", n), self.point(&[]), self.access("set"));
            code.extend(quote!(#grid.#set(#point, #local);));
        }
        code
    }

    /// The statements of a store at the current point.
    pub fn store(&mut self, store: &Store) -> TokenStream {
        let mut code = TokenStream::new();
        let value = self.side(&store.value, &mut code);
        let (output, index) = (ours("o", store.output), forms::list(self.kernel, &store.index));
        let (guard, put) = (forms::formula(self.kernel, &store.guard), self.access("store"));
        quote!(if #guard { #code #output.#put(#index, #value); })
    }

    /// The point at this distance before the current one.
    pub fn point(&self, distance: &[Int]) -> TokenStream {
        let index = |k: usize| {
            let far = distance.get(k).copied().unwrap_or(0);
            Form::var(self.kernel.loop_dim(k)).plus(far.saturating_neg())
        };
        let point: Vec<Form> = (0..self.kernel.loops.len()).map(index).collect();
        forms::list(self.kernel, &point)
    }

    /// Appends the statements of an expression to `code`. Returns its value, which may be used any number of times.
    fn expr(&mut self, expr: &Expr, code: &mut TokenStream) -> TokenStream {
        let krate = self.krate;
        let ops = quote!(#krate::__private::ops);
        let value = match &expr.kind {
            ExprKind::Literal(value) => return literal::value(krate, *value),
            ExprKind::Element { element, .. } if element.index.is_empty() => return self.scalar(element.array),
            ExprKind::Element { element, .. } => match self.read.iter().find(|(read, _)| read == element) {
                Some((_, local)) => return local.clone(),
                None => self.element(element),
            },
            ExprKind::Lookup { array, index } => {
                let index: Vec<TokenStream> = index.iter().map(|i| self.expr(i, code)).collect();
                self.lookup(*array, expr.ty, &index)
            }
            ExprKind::Read { variable, distance, .. } => {
                let here = distance.iter().all(|d| *d == 0);
                match self.places.get(*variable) {
                    Some(Place::Local | Place::Grid { also_local: true }) if here => {
                        // The order computes every value before it is read. A variable without a local is read only under a
                        // guard that never holds.
                        return if self.locals.contains(variable) {
                            let local = ours("v", variable);
                            quote!(#local)
                        } else {
                            literal::value(krate, systolic_arith::Value::zero(expr.ty))
                        };
                    }
                    _ => {
                        let (grid, point, get) = (ours("g", variable), self.point(distance), self.access("get"));
                        quote!(#grid.#get(#point))
                    }
                }
            }
            ExprKind::Index(form) => forms::form(self.kernel, form),
            ExprKind::Holds(formula) => forms::formula(self.kernel, formula),
            ExprKind::Unary { op, operand } => {
                let (op, a) = (format_ident!("{}", op.name()), self.expr(operand, code));
                quote!(#ops::#op(#a))
            }
            ExprKind::Binary { op, left, right } => {
                let (a, b) = (self.expr(left, code), self.expr(right, code));
                let op = format_ident!("{}", op.name());
                quote!(#ops::#op(#a, #b))
            }
            ExprKind::Fma { a, b, c } => {
                let (a, b, c) = (self.expr(a, code), self.expr(b, code), self.expr(c, code));
                quote!(#ops::fma(#a, #b, #c))
            }
            ExprKind::Compare { op, left, right } => {
                let (a, b) = (self.expr(left, code), self.expr(right, code));
                let op = format_ident!("{}", op.name());
                quote!(#ops::#op(#a, #b))
            }
            ExprKind::Cast { operand } => {
                let a = self.expr(operand, code);
                let (from, to) = (literal::ty(krate, operand.ty), literal::ty(krate, expr.ty));
                quote!(#ops::cast::<#from, #to>(#a))
            }
            ExprKind::If { guard, then, otherwise } => {
                let guard = forms::formula(self.kernel, guard);
                let (mut yes, mut no) = (TokenStream::new(), TokenStream::new());
                let (a, b) = (self.side(then, &mut yes), self.side(otherwise, &mut no));
                quote!(if #guard { #yes #a } else { #no #b })
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.expr(condition, code);
                let (a, b) = (self.expr(then, code), self.expr(otherwise, code));
                quote!(if #condition { #a } else { #b })
            }
        };
        let (name, ty) = (ours("e", self.emitted_locals), literal::ty(krate, expr.ty));
        self.emitted_locals += 1;
        code.extend(quote!(let #name: #ty = #value;));
        if let ExprKind::Element { element, .. } = &expr.kind {
            self.read.push((element.clone(), quote!(#name)));
        }
        quote!(#name)
    }

    /// A scalar parameter or constant.
    fn scalar(&self, array: Array) -> TokenStream {
        match array {
            Array::Parameter(p) => {
                let name = ours("p", p);
                quote!(#name)
            }
            Array::Constant(c) => {
                let value = self.kernel.constants.get(c).and_then(|c| c.values.first());
                value.map(|value| literal::value(self.krate, *value)).unwrap_or_default()
            }
        }
    }

    /// An element at indices that are values.
    fn lookup(&self, array: Array, ty: systolic_arith::Type, index: &[TokenStream]) -> TokenStream {
        let krate = self.krate;
        let (name, dims) = match array {
            Array::Parameter(p) => match self.kernel.parameters.get(p).map(|p| &p.kind) {
                Some(ParameterKind::Const { dims, .. }) => (ours("p", p), dims.as_slice()),
                _ => {
                    let (name, read) = (ours("p", p), self.access("read"));
                    return quote!(#name.#read([#(#index),*]));
                }
            },
            Array::Constant(c) => {
                let dims = self.kernel.constants.get(c).map(|c| c.dims.as_slice()).unwrap_or_default();
                (ours("c", c), dims)
            }
        };
        let dims = dims.iter().map(|d| literal::index(*d));
        let border = border(krate, ty, &self.kernel.border(array).cloned());
        quote!(#krate::__private::lookup(#name, [#(#dims),*], #border, [#(#index),*]))
    }

    fn element(&self, element: &Element) -> TokenStream {
        let krate = self.krate;
        let index = forms::list(self.kernel, &element.index);
        let flat = |name: proc_macro2::Ident, dims: &[Int]| {
            let dims = dims.iter().map(|d| literal::index(*d));
            quote!(#krate::__private::element(#name, [#(#dims),*], #index))
        };
        match element.array {
            Array::Parameter(p) => match self.kernel.parameters.get(p).map(|p| &p.kind) {
                Some(ParameterKind::Const { dims, .. }) => flat(ours("p", p), dims),
                _ => {
                    let (name, read) = (ours("p", p), self.access("read"));
                    quote!(#name.#read(#index))
                }
            },
            Array::Constant(c) => {
                let dims = self.kernel.constants.get(c).map(|c| c.dims.as_slice()).unwrap_or_default();
                flat(ours("c", c), dims)
            }
        }
    }
}

/// The number of reads and writes of arrays and variables in the source of a kernel.
fn accesses(kernel: &Kernel) -> usize {
    fn count(expr: &Expr) -> usize {
        let own = matches!(expr.kind, ExprKind::Element { .. } | ExprKind::Lookup { .. } | ExprKind::Read { .. });
        usize::from(own) + expr.children().into_iter().map(count).sum::<usize>()
    }
    let equations = kernel.equations.iter().map(|e| count(&e.value) + 1);
    equations.chain(kernel.stores.iter().map(|s| count(&s.value) + 1)).sum()
}

/// The border of an input. An input without one is never read outside; the zero given here is not used.
pub fn border(krate: &TokenStream, ty: systolic_arith::Type, border: &Option<Border>) -> TokenStream {
    let name = quote!(#krate::__private::Border);
    let constant = |value: TokenStream| quote!(#name::Constant(#value));
    match border {
        None | Some(Border::Zero) => constant(literal::value(krate, systolic_arith::Value::zero(ty))),
        Some(Border::Clamp) => quote!(#name::Clamp),
        Some(Border::Reflect) => quote!(#name::Reflect),
        Some(Border::Symmetric) => quote!(#name::Symmetric),
        Some(Border::Wrap) => quote!(#name::Wrap),
        Some(Border::Constant(value)) => constant(literal::value(krate, *value)),
        Some(Border::Scalar(parameter)) => {
            let scalar = ours("p", parameter);
            constant(quote!(#scalar))
        }
    }
}
