//! Builds the body of a step. Equal is equal: a value is found by what it is, so two instances that need one element
//! share it. Only what the stores need is made, and what that needs.
use super::{Condition, Made, Operation, RegisterId, RingId, RowId, Store, ValueId};
use crate::laws::{Class, classes};
use crate::mapping::{Atom, Index, Instance, Layout, Medium, Source, medium};
use crate::model::{Element, Expr, ExprKind, Form, Int, Type, moved};
use std::collections::{BTreeMap, HashMap};

/// The values of a step wait for each other: the laws have refused it, so this is never seen by a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoOrder;

/// A carried value, before it has a number: what, and shuffled by how many lanes.
pub type RegisterKey = (Source, Int);
/// A row, before it has a number: what, read across how many lanes, past which loop.
pub type RowKey = (Source, Int, usize);

pub struct Body<'a, 'k> {
    pub layout: &'a Layout<'k>,
    /// Sources that turned out to be one value, under one name.
    alias: &'a BTreeMap<Source, Source>,
    pub values: Vec<Made>,
    numbers: HashMap<(Operation, Type), ValueId>,
    pub made: BTreeMap<Source, ValueId>,
    busy: Vec<Source>,
    /// Sources of carried values, still to be made.
    pending: Vec<Source>,
    pub registers: Vec<(RegisterKey, Int)>,
    pub rings: Vec<(Source, Int)>,
    pub rows: Vec<(RowKey, Int, bool)>,
    pub stores: Vec<Store>,
    points: HashMap<Instance, Vec<Index>>,
    leaves: HashMap<Instance, Vec<Index>>,
    splits: HashMap<Vec<Int>, Vec<Class>>,
}

impl<'a, 'k> Body<'a, 'k> {
    pub fn new(layout: &'a Layout<'k>, alias: &'a BTreeMap<Source, Source>) -> Body<'a, 'k> {
        let points = layout.instances.iter().map(|i| (i.clone(), layout.point(i))).collect();
        let leaves = layout.instances.iter().map(|i| (i.clone(), layout.leaves_at(i))).collect();
        Body {
            layout,
            alias,
            values: Vec::new(),
            numbers: HashMap::new(),
            made: BTreeMap::new(),
            busy: Vec::new(),
            pending: Vec::new(),
            registers: Vec::new(),
            rings: Vec::new(),
            rows: Vec::new(),
            stores: Vec::new(),
            points,
            leaves,
            splits: HashMap::new(),
        }
    }

    /// What the stores need, and what that needs; `first` are made first, in this order.
    pub fn build(mut self, first: &[Source]) -> Result<Self, NoOrder> {
        for source in first {
            self.value(source)?;
        }
        let layout = self.layout;
        for instance in &layout.instances {
            for store in &layout.kernel.stores {
                let condition = self.point_condition(instance).and(self.at(&store.guard, instance));
                if condition == Condition::False {
                    continue;
                }
                let value = self.expression(&store.value, instance, &condition)?;
                let index = store.index.iter().map(|f| self.form(f, instance)).collect();
                let whole = self.leaves[instance].iter().filter(|l| l.denominator() != 1 || has_remainder(l));
                let whole = whole.cloned().collect();
                self.stores.push(Store { condition, whole, output: store.output, index, value });
            }
        }
        while let Some(source) = self.pending.pop() {
            self.value(&source)?;
        }
        Ok(self)
    }

    /// The place is a point that is no rim: the domain, the tiles without their overlaps, and rows that agree.
    fn point_condition(&self, instance: &Instance) -> Condition {
        let (layout, sizes) = (self.layout, self.layout.kernel.sizes.len());
        let mut dims: Vec<Index> = (0..sizes).map(|s| Index::atom(Atom::Size(s))).collect();
        dims.extend(self.leaves[instance].iter().cloned());
        let mut all = Vec::new();
        for (k, l) in layout.kernel.loops.iter().enumerate() {
            let inside = crate::model::Formula::within(&Form::var(sizes + k), &l.low, &l.high);
            all.push(self.at(&inside, instance));
        }
        for tile in layout.mapping.nodes.iter().filter_map(|n| n.tile.as_ref()) {
            let inner = &layout.places.nodes[tile.inner];
            let inside = crate::model::Formula::within(inner, &Form::constant(0), &Form::constant(tile.by));
            all.push(Condition::of(&inside, &dims, &|c| self.decide(c)));
        }
        let known = |atom: &Atom| layout.known(instance, atom);
        all.extend(layout.consistent.iter().map(|f| self.decide(Condition::Zero(f.substitute(&known)))));
        Condition::all(all)
    }

    /// A condition of sizes and loops, seen from a place.
    fn at(&self, formula: &crate::model::Formula, instance: &Instance) -> Condition {
        Condition::of(formula, &self.points[instance], &|c| self.decide(c))
    }

    /// A comparison that the lanes, warps and loops of constant range settle is no comparison.
    fn decide(&self, condition: Condition) -> Condition {
        let range = |form: &Index| self.constant_interval(form);
        match &condition {
            Condition::AtLeast(form) => match range(form) {
                Some((low, _)) if low >= 0 && form.denominator() == 1 => Condition::True,
                Some((_, high)) if high < 0 => Condition::False,
                _ => condition,
            },
            Condition::Zero(form) => match range(form) {
                Some((0, 0)) if form.denominator() == 1 => Condition::True,
                Some((low, high)) if low > 0 || high < 0 => Condition::False,
                _ => condition,
            },
            Condition::Remainder { form, modulus, is } => match form.number() {
                Some(value) if value.rem_euclid(*modulus) == *is => Condition::True,
                Some(_) => Condition::False,
                None => condition,
            },
            _ => condition,
        }
    }

    /// The numerator's interval, where only lanes, warps and constant loops are in it.
    fn constant_interval(&self, form: &Index) -> Option<(Int, Int)> {
        let mut total = (form.offset(), form.offset());
        for (atom, c) in form.terms() {
            let (low, high) = match atom {
                Atom::Lane(k) => (0, self.layout.lanes[*k].extent - 1),
                Atom::Warp(k) => (0, self.layout.warps[*k].extent - 1),
                Atom::Time(k) if *k < self.layout.rolled.len() => self.layout.constant_range(*k)?,
                Atom::Remainder(_, by) => (0, by - 1),
                _ => return None,
            };
            let (a, b) = (c * low, c * high);
            total = (total.0 + a.min(b), total.1 + a.max(b));
        }
        Some(total)
    }

    fn form(&self, form: &Form, instance: &Instance) -> Index {
        let point = &self.points[instance];
        let mut result = Index::constant(form.constant);
        for (k, c) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
            result = result.add(&point[k].scale(*c, 1));
        }
        result
    }

    pub fn number(&mut self, operation: Operation, ty: Type) -> ValueId {
        if let Some(id) = self.numbers.get(&(operation.clone(), ty)) {
            return *id;
        }
        let id = ValueId(self.values.len());
        self.numbers.insert((operation.clone(), ty), id);
        self.values.push(Made { operation, ty, needed: Condition::False, level: 0, phase: 0, name: None });
        id
    }

    /// Poison may be anything, so also the other side.
    fn select(&mut self, condition: Condition, a: ValueId, b: ValueId, ty: Type) -> ValueId {
        let poison = |v: ValueId| self.values[v.0].operation == Operation::Poison;
        if condition == Condition::True || a == b || poison(b) {
            return a;
        }
        if condition == Condition::False || poison(a) {
            return b;
        }
        self.number(Operation::Select(condition, a, b), ty)
    }

    /// Named by its address alone: a condition in the name would keep equal loads apart, so needs are collected beside.
    fn load(&mut self, element: &Element, ty: Type, instance: &Instance, need: &Condition) -> ValueId {
        let index = element.index.iter().map(|f| self.form(f, instance)).collect();
        let id = self.number(Operation::Load { array: element.array, index }, ty);
        let needed = std::mem::replace(&mut self.values[id.0].needed, Condition::False);
        self.values[id.0].needed = needed.or(need.clone());
        id
    }

    pub fn value(&mut self, source: &Source) -> Result<ValueId, NoOrder> {
        if let Some(id) = self.made.get(source) {
            return Ok(*id);
        }
        if self.busy.contains(source) {
            return Err(NoOrder);
        }
        self.busy.push(source.clone());
        let equation = &self.layout.kernel.equations[source.variable];
        let id = match self.stays(source) {
            Some(id) => id,
            None => self.expression(&equation.value, &source.instance, &Condition::True)?,
        };
        self.busy.pop();
        if self.values[id.0].name.is_none() {
            self.values[id.0].name = Some(name(&equation.variable.text, &source.instance));
        }
        self.made.insert(source.clone(), id);
        Ok(id)
    }

    /// A copy whose element does not contain the innermost loop stays in its lane: one load before that loop, no wire.
    fn stays(&mut self, source: &Source) -> Option<ValueId> {
        let equation = &self.layout.kernel.equations[source.variable];
        let element = equation.copy.as_ref()?;
        let innermost = self.layout.rolled.len().checked_sub(1)?;
        let moving = |f: &Form| self.form(f, &source.instance).mentions(&|a| *a == Atom::Time(innermost));
        if element.index.iter().any(moving) {
            return None;
        }
        Some(self.load(element, equation.ty, &source.instance, &Condition::True))
    }

    fn expression(&mut self, expr: &Expr, instance: &Instance, need: &Condition) -> Result<ValueId, NoOrder> {
        let ty = expr.ty;
        let operation = match &expr.kind {
            ExprKind::Literal(value) => Operation::Literal(value.bits()),
            ExprKind::Index(form) => Operation::Index(self.form(form, instance)),
            ExprKind::Holds(guard) => Operation::Holds(self.at(guard, instance)),
            ExprKind::Element { element, .. } => return Ok(self.load(element, ty, instance, need)),
            ExprKind::Read { variable, distance, .. } => return self.wire(*variable, distance, instance, need),
            ExprKind::If { guard, then, otherwise } => {
                let condition = self.at(guard, instance);
                // A side that never holds is not built, so its wires cost nothing.
                match condition {
                    Condition::True => return self.expression(then, instance, need),
                    Condition::False => return self.expression(otherwise, instance, need),
                    _ => {}
                }
                let a = self.expression(then, instance, &need.clone().and(condition.clone()))?;
                let b = self.expression(otherwise, instance, &need.clone().and(condition.clone().negate()))?;
                return Ok(self.select(condition, a, b, ty));
            }
            ExprKind::Unary { op, operand } => Operation::Unary(*op, self.expression(operand, instance, need)?),
            ExprKind::Cast { operand } => {
                let operand_id = self.expression(operand, instance, need)?;
                if operand.ty == ty {
                    return Ok(operand_id);
                }
                Operation::Cast(operand_id)
            }
            ExprKind::Binary { op, left, right } => {
                let a = self.expression(left, instance, need)?;
                Operation::Binary(*op, a, self.expression(right, instance, need)?)
            }
            ExprKind::Compare { op, left, right } => {
                let a = self.expression(left, instance, need)?;
                Operation::Compare(*op, a, self.expression(right, instance, need)?)
            }
            ExprKind::Fma { a, b, c } => {
                let a = self.expression(a, instance, need)?;
                let b = self.expression(b, instance, need)?;
                Operation::Fma(a, b, self.expression(c, instance, need)?)
            }
            ExprKind::Select { condition, then, otherwise } => {
                let c = self.expression(condition, instance, need)?;
                let a = self.expression(then, instance, need)?;
                let b = self.expression(otherwise, instance, need)?;
                if a == b {
                    return Ok(a);
                }
                Operation::Choose(c, a, b)
            }
        };
        Ok(self.number(operation, ty))
    }

    /// A read: its classes, each by its own medium; in the domain one of them holds.
    fn wire(&mut self, variable: usize, distance: &[Int], instance: &Instance, need: &Condition) -> Result<ValueId, NoOrder> {
        let layout = self.layout;
        let ty = layout.kernel.equations[variable].ty;
        if !self.splits.contains_key(distance) {
            self.splits.insert(distance.to_vec(), classes(layout.mapping, layout.places, distance));
        }
        let split = self.splits[distance].clone();
        let mut dims: Vec<Index> = (0..layout.kernel.sizes.len()).map(|s| Index::atom(Atom::Size(s))).collect();
        dims.extend(self.leaves[instance].iter().cloned());
        let mut ends: Vec<(Condition, ValueId)> = Vec::new();
        for class in &split {
            let condition = Condition::of(&class.condition, &dims, &|c| self.decide(c));
            if condition == Condition::False {
                continue;
            }
            let wanted = need.clone().and(condition.clone());
            if let Some(end) = self.receive(variable, distance, class, instance, &wanted)? {
                let sure = condition == Condition::True;
                ends.push((condition, end));
                if sure {
                    break;
                }
            }
        }
        let Some((_, last)) = ends.pop() else { return Ok(self.number(Operation::Poison, ty)) };
        let mut result = last;
        for (condition, end) in ends.into_iter().rev() {
            result = self.select(condition, end, result, ty);
        }
        Ok(result)
    }

    /// The end of one class of a wire.
    fn receive(
        &mut self,
        variable: usize,
        distance: &[Int],
        class: &Class,
        instance: &Instance,
        need: &Condition,
    ) -> Result<Option<ValueId>, NoOrder> {
        let equation = &self.layout.kernel.equations[variable];
        let ty = equation.ty;
        Ok(Some(match medium(self.layout, variable, class, instance) {
            Medium::Never => return Ok(None),
            Medium::Feed => {
                let Some(copy) = &equation.copy else { return Ok(None) };
                let element = moved(copy, distance, self.layout.kernel.sizes.len());
                self.load(&element, ty, instance, need)
            }
            Medium::Rename(source) => self.value(&source)?,
            Medium::Shuffle { source, lanes } => {
                let value = self.value(&source)?;
                self.number(Operation::Shuffle { value, lanes }, ty)
            }
            Medium::Rotation { source, lanes, depth } => {
                // Shuffled first, then carried: one shuffle serves every depth.
                let source = self.carried(source);
                let register = find_or_push(&mut self.registers, (source, lanes), depth);
                self.number(Operation::Carried { register: RegisterId(register), depth }, ty)
            }
            Medium::Shared { source, lanes, warps, depth } => {
                if depth == 0 {
                    self.value(&source)?;
                }
                let source = self.carried(source);
                let ring = find_or_push(&mut self.rings, source, depth);
                self.number(Operation::Ring { ring: RingId(ring), lanes, warps, depth }, ty)
            }
            Medium::Scratch { source, lanes, warps, level, laps, inner } => {
                let source = self.carried(source);
                let key = (source, lanes, level);
                let row = match self.rows.iter().position(|(k, ..)| *k == key) {
                    Some(row) => row,
                    None => {
                        self.rows.push((key, 0, false));
                        self.rows.len() - 1
                    }
                };
                self.rows[row].1 = self.rows[row].1.max(laps);
                self.rows[row].2 |= warps != 0;
                self.number(Operation::Row { row: RowId(row), lanes, warps, laps, inner }, ty)
            }
        }))
    }

    /// One value, one register. The source is made all the same: at its own place it may need a load its twin does not.
    fn carried(&mut self, source: Source) -> Source {
        self.pending.push(source.clone());
        let twin = self.alias.get(&source).cloned().unwrap_or(source);
        self.pending.push(twin.clone());
        twin
    }
}

fn find_or_push<K: PartialEq>(list: &mut Vec<(K, Int)>, key: K, depth: Int) -> usize {
    match list.iter().position(|(k, _)| *k == key) {
        Some(at) => {
            list[at].1 = list[at].1.max(depth);
            at
        }
        None => {
            list.push((key, depth));
            list.len() - 1
        }
    }
}

fn has_remainder(form: &Index) -> bool {
    form.terms().any(|(a, _)| matches!(a, Atom::Remainder(..)))
}

/// `Z`, `Z.1`, `Z[2, 0]`: a variable in an instance.
fn name(variable: &str, instance: &Instance) -> String {
    let written: Vec<String> = instance.written.iter().map(Int::to_string).collect();
    match (written.is_empty(), instance.register) {
        (true, 0) => variable.to_string(),
        (true, f) => format!("{variable}.{f}"),
        (false, f) => format!("{variable}[{}].{f}", written.join(", ")),
    }
}

