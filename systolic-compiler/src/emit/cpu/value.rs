//! A value of the body as an expression over vectors.
use super::super::body;
use super::super::literal;
use super::super::names::ours;
use super::place::{Split, Tables};
use super::predicates::Predicates;
use super::rows::Part;
use super::walk;
use super::window::Windows;
use crate::mapping::PlaceForm;
use crate::model::{Array, BinaryOp, Border, CompareOp, Int, Kernel, ParameterKind, Type, UnaryOp};
use crate::program::{Condition, Inst, Operation, ValueId, literal as literal_value};
use crate::schedule::{CpuPlan, Line, Near, Schedule, Step};
use crate::sorted::{SortedMap, SortedSet};
use crate::target::cpu as limits;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// Emits the values of one block.
pub struct Values<'p> {
    pub krate: &'p TokenStream,
    pub kernel: &'p Kernel,
    pub program: &'p Schedule,
    pub tables: Tables<'p>,
    pub predicates: Predicates<'p>,
    /// What was decided for the CPU.
    pub plan: &'p CpuPlan,
    pub windows: Windows,
    /// The stores of the current step that have spans, by position, and the number of the line of each.
    pub spanned: Vec<(usize, usize)>,
    /// The selects of the current step that read a row at one distance.
    pub near: SortedMap<ValueId, Near>,
    /// The lines of the current step that are computed only where a condition holds.
    pub lazy: SortedMap<ValueId, Condition>,
    /// Whether there are several warps: every value is then an array with one vector per warp.
    pub many: bool,
    /// The comparisons computed so far.
    pub compares: SortedMap<ValueId, (CompareOp, ValueId, ValueId)>,
    /// What the casts computed so far cast.
    pub casts: SortedMap<ValueId, ValueId>,
    /// The parts of rows that the innermost loop accesses.
    pub parts: Vec<Part>,
}

impl Values<'_> {
    /// `systolic::__private::cpu`
    pub fn cpu(&self) -> TokenStream {
        let krate = self.krate;
        quote!(#krate::__private::cpu)
    }

    /// `S::V<f32>`
    pub fn vector(&self, ty: Type) -> TokenStream {
        let ty = literal::ty(self.krate, ty);
        quote!(S::V<#ty>)
    }

    /// `<S::V<f32> as Vector<f32>>`
    fn as_vector(&self, ty: Type) -> TokenStream {
        let (krate, vector, ty) = (self.krate, self.vector(ty), literal::ty(self.krate, ty));
        quote!(<#vector as #krate::__private::cpu::Vector<#ty>>)
    }

    /// All lanes zero.
    pub fn zero(&self, ty: Type) -> TokenStream {
        let ty = literal::ty(self.krate, ty);
        quote!(simd.zero::<#ty>())
    }

    /// A value at its use.
    pub fn read(&self, id: ValueId) -> TokenStream {
        let name = ours("v", id.0);
        if self.many { quote!(#name[w]) } else { quote!(#name) }
    }

    /// Records the comparisons and casts among the values of a step.
    pub fn note(&mut self, inst: &[(usize, &Inst)]) {
        for (k, inst) in inst {
            match &inst.operation {
                Operation::Cast(of) => self.casts.insert(ValueId(*k), *of),
                _ => self.casts.remove(&ValueId(*k)),
            };
            match &inst.operation {
                Operation::Compare(op, a, b) => self.compares.insert(ValueId(*k), (*op, *a, *b)),
                _ => self.compares.remove(&ValueId(*k)),
            };
        }
    }

    /// The comparisons of a step that are used only by choices of the compared type: these compare by themselves.
    pub fn spared(&self, step: &Step) -> SortedSet<ValueId> {
        let of = |line: &Line| match &line.inst.operation {
            Operation::Compare(_, a, _) => Some((line.id, self.ty(*a))),
            _ => None,
        };
        let mut spared: SortedMap<ValueId, Type> = step.lines.iter().filter_map(of).collect();
        for line in &step.lines {
            let chooses = match &line.inst.operation {
                Operation::Choose(c, a, b) if a != c && b != c => Some(*c),
                _ => None,
            };
            for operand in line.inst.operation.operands() {
                if chooses != Some(operand) || spared.get(&operand) != Some(&line.inst.ty) {
                    spared.remove(&operand);
                }
            }
        }
        let stored = step.stores.iter().map(|s| s.value);
        let kept = stored.chain(step.registers.iter().chain(&step.rings).chain(&step.rows).copied());
        kept.for_each(|id| {
            spared.remove(&id);
        });
        spared.into_keys().collect()
    }

    fn ty(&self, id: ValueId) -> Type {
        self.program.values[id.0].ty
    }

    /// The value of a line of a step.
    pub fn line(&mut self, id: usize, inst: &Inst) -> TokenStream {
        if let Some(near) = self.near.get(&ValueId(id)).cloned() {
            return self.near(&near);
        }
        let value = self.expression(inst);
        match self.lazy.get(&ValueId(id)) {
            Some(condition) => {
                let mask = self.predicates.mask(condition, &mut self.tables);
                quote!(if simd.lanes(#mask) == 0 { simd.zero() } else { #value })
            }
            None => value,
        }
    }

    /// The value of an instruction. Long, because it has one arm per operation.
    pub fn expression(&mut self, inst: &Inst) -> TokenStream {
        let vector = self.as_vector(inst.ty);
        let (krate, cpu) = (self.krate, self.cpu());
        match &inst.operation {
            Operation::Literal(bits) => {
                let value = literal::value(krate, literal_value(inst.ty, *bits));
                quote!(simd.splat(#value))
            }
            Operation::Index(form) => match self.tables.split(form) {
                Split::Plain { shared, table } => {
                    let table = Tables::name(table);
                    quote!(#cpu::index(simd, #shared, #table))
                }
                Split::Computed(each) => quote!(#each.values(simd)),
            },
            Operation::Holds(condition) => {
                let mask = self.predicates.mask(condition, &mut self.tables);
                quote!(simd.bools(simd.lanes(#mask)))
            }
            Operation::Load { array, index } => self.load(*array, index, &inst.needed),
            Operation::Face { face, index } => {
                let mask = self.predicates.mask(&inst.needed, &mut self.tables);
                let splits: Vec<Split> = index.iter().map(|f| self.tables.split(f)).collect();
                let (name, (at, tables)) = (ours("f", face.0), access(splits));
                quote!(self.#name.load(simd, #at, #tables, simd.lanes(#mask)))
            }
            Operation::Lookup { array, index } => self.lookup(*array, index),
            Operation::Unary(op, a) => {
                let (name, a) = (unary(*op), self.read(*a));
                quote!(#vector::#name(#a))
            }
            Operation::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr), a, b) => {
                let (name, from, to) = (binary(*op), literal::ty(krate, inst.ty), literal::ty(krate, self.ty(*b)));
                let (a, b) = (self.read(*a), self.read(*b));
                quote!(simd.#name::<#from, #to>(#a, #b))
            }
            Operation::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) if self.number(*b, inst.ty).is_some() => {
                let (name, a, by) = (format_ident!("{}_by", op.name()), self.read(*a), self.number(*b, inst.ty));
                quote!(#vector::#name(#a, #by))
            }
            Operation::Binary(op, a, b) => {
                let name = if self.is_called(*op, *b) { format_ident!("{}_called", op.name()) } else { binary(*op) };
                let (a, b) = (self.read(*a), self.read(*b));
                quote!(#vector::#name(#a, #b))
            }
            Operation::Fma(a, b, c) => {
                let (a, b, c) = (self.read(*a), self.read(*b), self.read(*c));
                quote!(#vector::fma(#a, #b, #c))
            }
            Operation::Compare(op, a, b) => {
                let of = self.as_vector(self.ty(*a));
                let (name, a, b) = (compare(*op), self.read(*a), self.read(*b));
                quote!(simd.bools(#of::#name(#a, #b)))
            }
            Operation::Cast(a) => {
                let (from, to) = (literal::ty(krate, self.ty(*a)), literal::ty(krate, inst.ty));
                let a = self.read(*a);
                quote!(simd.cast::<#from, #to>(#a))
            }
            Operation::Select(condition, a, b) => {
                let condition = self.predicates.condition(condition, &mut self.tables);
                let (a, b) = (self.read(*a), self.read(*b));
                match condition {
                    Ok(all) => quote!(if #all { #a } else { #b }),
                    Err(mask) => quote!(#vector::select(simd.lanes(#mask), #a, #b)),
                }
            }
            Operation::Choose(c, a, b) => {
                let (a, b) = (self.read(*a), self.read(*b));
                match self.compares.get(c) {
                    // One operation if the compared values have the same type.
                    Some((op, p, q)) if self.ty(*p) == inst.ty => {
                        let (name, p, q) = (format_ident!("choose_{}", op.name()), self.read(*p), self.read(*q));
                        quote!(#vector::#name(#p, #q, #a, #b))
                    }
                    _ => {
                        let c = self.read(*c);
                        quote!(#vector::select(simd.mask(#c), #a, #b))
                    }
                }
            }
            Operation::Shuffle { value, lanes } => {
                let (value, lanes) = (self.read(*value), literal::number(*lanes));
                quote!(#vector::shuffle::<{ #lanes }>(#value))
            }
            Operation::Rotate { value, lanes } => {
                let (value, count) = (self.read(*value), self.program.lane_count());
                let by = lanes.rem_euclid(count);
                let (below, around) = (literal::number(by), literal::number(by - count));
                quote!(#vector::rotate::<{ #below }, { #around }>(#value))
            }
            Operation::Carried { register, delay } => {
                let name = register_name(register.0, *delay);
                if self.many { quote!(#name[w]) } else { quote!(#name) }
            }
            Operation::Ring { ring, lanes, warps, delay } => {
                let slots = literal::number(self.program.rings[ring.0].slots());
                let (ring, delay, warps, count) =
                    (ours("q", ring.0), literal::number(*delay), literal::number(*warps), self.warps());
                let lanes = literal::number(*lanes);
                quote!({
                    let from = warp - #warps;
                    let cell = (step - #delay).rem_euclid(#slots) * #count + from;
                    #vector::shuffle::<{ #lanes }>(#ring.get(simd, if (from as u64) < #count { cell } else { -1 }))
                })
            }
            Operation::Row { row, lanes, warps, laps, inner } => {
                let (row, cell) = self.row_cell(row.0, *laps, inner, *warps);
                let lanes = literal::number(*lanes);
                quote!(#vector::shuffle::<{ #lanes }>(#row.get(simd, #cell)))
            }
            // Nothing is staged on a CPU.
            Operation::Staged { .. } | Operation::Poison => self.zero(inst.ty),
        }
    }

    /// A value of an integer type that is a number.
    fn number(&self, id: ValueId, ty: Type) -> Option<TokenStream> {
        match self.program.values[id.0].operation {
            Operation::Literal(bits) if !ty.is_float() => Some(literal::value(self.krate, literal_value(ty, bits))),
            _ => None,
        }
    }

    /// Whether an operation is a call: divisions that are not one instruction, unless they divide by a number.
    fn is_called(&self, op: BinaryOp, by: ValueId) -> bool {
        op == BinaryOp::Rem || op == BinaryOp::Div && !self.ty(by).is_float()
    }

    pub fn warps(&self) -> TokenStream {
        literal::number(self.program.warp_count())
    }

    /// Elements at indices that are values, lane by lane.
    fn lookup(&mut self, array: Array, index: &[ValueId]) -> TokenStream {
        let (krate, cpu) = (self.krate, self.cpu());
        let index = self.narrow(index);
        let (name, dims) = match array {
            Array::Parameter(k) => match &self.kernel.parameters[k].kind {
                ParameterKind::Const { dims, .. } => (ours("p", k), dims),
                _ => {
                    let (name, index) = (ours("p", k), index.iter().map(|id| self.read(*id)));
                    return quote!(self.#name.lookup(simd, [#(#index),*]));
                }
            },
            Array::Constant(k) => (ours("c", k), &self.kernel.constants[k].dims),
        };
        let alike = index.iter().take_while(|id| self.is_alike(**id)).count();
        let count =
            dims[alike..].iter().fold(1 as Int, |product, d| product.saturating_mul(*d)).min(Int::from(i32::MAX));
        let (alike, count) = (Literal::usize_unsuffixed(alike), Literal::i128_unsuffixed(count));
        let dims = dims.iter().map(|d| literal::number(*d));
        let border = match self.kernel.border(array) {
            Some(Border::Scalar(k)) => {
                let scalar = ours("p", k);
                quote!(#krate::__private::Border::Constant(self.#scalar))
            }
            border => body::border(krate, self.kernel.element(array), &border.cloned()),
        };
        let index = index.iter().map(|id| self.read(*id));
        quote!(#cpu::lookup::<S, _, _, _, #alike, #count>(simd, self.#name, [#(#dims),*], #border, [#(#index),*]))
    }

    /// Whether all lanes have the same value, as far as that is seen from loads and casts.
    fn is_alike(&self, id: ValueId) -> bool {
        match &self.program.values[id.0].operation {
            Operation::Cast(of) => self.is_alike(*of),
            operation @ (Operation::Literal(_) | Operation::Load { .. }) => operation.is_free(),
            _ => false,
        }
    }

    /// Indices that are values, before they were cast to 64 bits: if all had one type, which has the same numbers.
    fn narrow(&self, index: &[ValueId]) -> Vec<ValueId> {
        let is_narrow = |of: &ValueId| self.ty(*of).is_integer() && self.ty(*of).bytes() < Type::I64.bytes();
        let before = |id: &ValueId| self.casts.get(id).copied().filter(is_narrow);
        let all: Option<Vec<ValueId>> = index.iter().map(before).collect();
        let is_one_type = |all: &Vec<ValueId>| all.iter().all(|id| self.ty(*id) == self.ty(all[0]));
        all.filter(is_one_type).unwrap_or_else(|| index.to_vec())
    }

    fn load(&mut self, array: Array, index: &[PlaceForm], needed: &Condition) -> TokenStream {
        let cpu = self.cpu();
        let name = match array {
            Array::Parameter(k) => ours("p", k),
            Array::Constant(k) => ours("c", k),
        };
        if index.is_empty() {
            return quote!(simd.splat(self.#name));
        }
        if let Array::Parameter(k) = array
            && let Some(load) = self.by_window(k, index)
        {
            return load;
        }
        let splits: Vec<Split> = index.iter().map(|f| self.tables.split(f)).collect();
        let by_value = match array {
            Array::Parameter(k) => matches!(self.kernel.parameters[k].kind, ParameterKind::Const { .. }),
            Array::Constant(_) => true,
        };
        if by_value {
            let dims: &[Int] = match array {
                Array::Parameter(k) => match &self.kernel.parameters[k].kind {
                    ParameterKind::Const { dims, .. } => dims,
                    _ => &[],
                },
                Array::Constant(k) => &self.kernel.constants[k].dims,
            };
            let dims = dims.iter().map(|d| literal::number(*d));
            let dims = quote!([#(#dims),*]);
            let (at, tables) = access(splits);
            return quote!(#cpu::small(simd, self.#name, #dims, #at, #tables));
        }
        // An access that ends up lane by lane is emitted as such: other variants would be compiled only to be dropped.
        let each = is_computed(&splits) || !matches!(self.stride(&splits), Some(0..=limits::WINDOW_STRIDE));
        let even = each && self.is_even(&splits);
        let along = self.along_row(&splits);
        let inner = self.is_inner(array);
        let (at, tables) = access(splits);
        let walk = match array {
            Array::Parameter(k) => self.plan.walks.load(k, index),
            Array::Constant(_) => None,
        };
        match walk {
            Some(n) => {
                let (walks, fetched) = (walk::name(&self.plan.walks.loads[n]), walk::fetched(n));
                quote!(self.#name.#walks(simd, #at, #tables, &mut #fetched))
            }
            None if along == Some(-1) && inner => quote!(self.#name.row_down(simd, #at)),
            None if even => {
                let mask = self.predicates.mask(needed, &mut self.tables);
                quote!(self.#name.load_far(simd, #at, #tables, simd.lanes(#mask)))
            }
            // Only what some lane needs is collected.
            None if each && *needed != Condition::True => {
                let mask = self.predicates.mask(needed, &mut self.tables);
                quote!(self.#name.load_some(simd, #at, #tables, simd.lanes(#mask)))
            }
            None if each => quote!(self.#name.load_each(simd, #at, #tables)),
            None if along == Some(0) && inner => quote!(self.#name.load_inner(simd, #at)),
            None if along == Some(1) && inner => quote!(self.#name.row_inner(simd, #at)),
            None if along == Some(0) => quote!(self.#name.load_same(simd, #at)),
            None if along == Some(1) => quote!(self.#name.load_row(simd, #at)),
            None => quote!(self.#name.load(simd, #at, #tables)),
        }
    }
}

impl Values<'_> {
    /// Whether no point reads outside an array in memory.
    pub fn is_inner(&self, array: Array) -> bool {
        match array {
            Array::Parameter(k) => self.program.parameters[k].border.is_none(),
            Array::Constant(_) => false,
        }
    }

    /// The distance between adjacent lanes along the last axis, if it is constant and lanes differ along no other axis.
    pub fn stride(&self, splits: &[Split]) -> Option<Int> {
        let mut steps = splits.iter().map(|split| match split {
            Split::Plain { table, .. } => self.tables.line(*table).map(|(step, _)| step),
            Split::Computed(_) => None,
        });
        let last = steps.next_back()??;
        steps.all(|step| step == Some(0)).then_some(last)
    }

    /// Whether the distance between adjacent lanes is the same for all, along every axis.
    fn is_even(&self, splits: &[Split]) -> bool {
        let lines = splits.iter().all(|split| match split {
            Split::Plain { table, .. } => self.tables.line(*table).is_some(),
            Split::Computed(_) => false,
        });
        lines && self.program.frame.lanes.len() == 1
    }

    /// The same distance, if lane 0 has offset 0 along all axes.
    pub fn along_row(&self, splits: &[Split]) -> Option<Int> {
        let begins_at_0 = |split: &Split| match split {
            Split::Plain { table, .. } => self.tables.line(*table).is_some_and(|(_, first)| first == 0),
            Split::Computed(_) => false,
        };
        self.stride(splits).filter(|_| splits.iter().all(begins_at_0))
    }
}

/// Whether the per-lane offsets of some axis are known only at run time.
pub fn is_computed(splits: &[Split]) -> bool {
    splits.iter().any(|split| matches!(split, Split::Computed(_)))
}

/// The indices of an access: the parts that all lanes share, and one table per axis.
pub fn access(splits: Vec<Split>) -> (TokenStream, TokenStream) {
    let (mut at, mut tables) = (Vec::new(), Vec::new());
    for split in splits {
        match split {
            Split::Plain { shared, table } => {
                let table = Tables::name(table);
                at.push(shared);
                tables.push(quote!(#table));
            }
            Split::Computed(each) => {
                at.push(quote!(0));
                tables.push(quote!(&#each.offsets()));
            }
        }
    }
    (quote!([#(#at),*]), quote!([#(#tables),*]))
}

pub fn register_name(register: usize, delay: Int) -> Ident {
    Ident::new(&format!("r{register}_{delay}"), Span::mixed_site())
}

fn unary(op: UnaryOp) -> Ident {
    format_ident!("{}", op.name())
}

fn binary(op: BinaryOp) -> Ident {
    format_ident!("{}", op.name())
}

fn compare(op: CompareOp) -> Ident {
    format_ident!("{}", op.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::compile::compile;
    use crate::mapping::Target;

    /// A rotation of lanes from a GPU program, emitted for a CPU.
    #[test]
    fn lanes_go_around() {
        let text = "kernel k(x: [f32; N + 2]) -> (z: [f32; N]) {
            for i in 0..N { V[i] = x[i] + x[i + 2]; z[i] = V[i]; }
            map { tile i by 30 as (b, s); blocks (b); lanes s; } }";
        let checked = check(text.parse().expect("tokens"));
        let lawful = &checked.kernels[0].1[0];
        let program = compile(lawful.kernel(), &lawful.maps()[0], Target::Gpu).expect("a program");
        let krate = quote!(::systolic);
        let mut values = Values {
            krate: &krate,
            kernel: lawful.kernel(),
            program: &program,
            tables: Tables::new(&krate, &program),
            predicates: Predicates { hoisted: &program.hoisted },
            plan: &CpuPlan::new(&program),
            windows: Windows::default(),
            spanned: Vec::new(),
            near: SortedMap::new(),
            lazy: SortedMap::new(),
            many: false,
            compares: SortedMap::new(),
            casts: SortedMap::new(),
            parts: Vec::new(),
        };
        let is_rotation = |inst: &&Inst| matches!(inst.operation, Operation::Rotate { .. });
        let rotations: Vec<String> =
            program.values.iter().filter(is_rotation).map(|inst| values.expression(inst).to_string()).collect();
        assert!(!rotations.is_empty(), "{}", crate::schedule::print(&program));
        let wanted = ["rotate :: < { 28 } , { - 2 } >", "rotate :: < { 2 } , { - 28 } >"];
        assert!(rotations.iter().all(|text| wanted.iter().any(|part| text.contains(part))), "{rotations:?}");
    }
}
