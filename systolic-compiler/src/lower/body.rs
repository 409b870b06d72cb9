//! Builds the body of a step: the values that the stores need, directly or through other values.
//!
//! A value is identified by its operation, so two instances that need the same element share one load. An instance is one
//! copy of the equations in the body: one iteration of the unrolled rows and one register of the fold. A *copy* is a variable
//! that equals an input element at every point; it can be *fed*, which means that the element is loaded again instead of read
//! from a wire.
use super::fold::fold_comparison;
use crate::laws::Edge;
use crate::mapping::{Atom, Instance, Layout, PlaceForm, Source, over_leaves};
use crate::model::{Array, Element, Form, Formula, Int, Kernel, ParameterKind, Reader, Type};
use crate::planted::planted;
use crate::program::{Condition, Inst, Into, Operation, Store, ValueId};
use crate::sorted::{SortedMap, SortedSet};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A value of this step that must be computed first, and the read that needs it.
pub struct Need {
    pub source: Source,
    pub edge: Edge,
}

/// A cycle: values of a step that wait for each other, as the reads between them.
pub struct Ring(pub Vec<Edge>);

/// A register, before it has a number: the value it carries, and the lanes that the value is shuffled by.
pub type RegisterKey = (Source, Int);
/// A row, before it has a number: its value, the lanes between producer and consumer, and its loop.
pub type RowKey = (Source, Int, usize);

/// The body while it is built.
pub struct Body<'a, 'k> {
    pub layout: &'a Layout<'k>,
    /// Sources that turned out to be equal to another one: the source that stands for both.
    pub alias: &'a SortedMap<Source, Source>,
    /// Reads that are not built: no point makes them, or they read a copy that is fed instead.
    pub cut: &'a SortedSet<Edge>,
    pub values: Vec<Inst>,
    /// The number of every value, by its operation and type.
    numbers: HashMap<(Operation, Type), ValueId>,
    /// The value of every source that is computed so far.
    pub value_of: SortedMap<Source, ValueId>,
    /// The equation whose value is being built.
    pub reader: Option<usize>,
    /// Of every equation: whether it is a copy that reads a variable.
    is_wired: Vec<bool>,
    /// Sources of carried values that are still to be computed.
    pub pending: Vec<Source>,
    /// Of every load, the conditions under which it is needed. One of them is enough.
    needs: HashMap<ValueId, SortedSet<Condition>>,
    /// The registers, each with its largest delay.
    pub registers: Vec<(RegisterKey, Int)>,
    /// The rings, each with its largest delay.
    pub rings: Vec<(Source, Int)>,
    /// The rows, each with its largest delay and whether a consumer is in another warp.
    pub rows: Vec<(RowKey, Int, bool)>,
    /// A delay in steps counts iterations of all loops inside this one, so these loops run their whole constant range.
    pub counted: usize,
    pub stores: Vec<Store>,
    /// Of every instance, sizes and loops of the kernel as forms of the place.
    points: HashMap<Instance, Vec<PlaceForm>>,
    /// Of every instance, the leaves of the map as forms of the place.
    leaves: HashMap<Instance, Vec<PlaceForm>>,
    /// The conditions of the classes of a distance in an instance.
    pub edges: HashMap<(Vec<Int>, Instance), Rc<Vec<Condition>>>,
}

impl<'a, 'k> Body<'a, 'k> {
    pub fn new(layout: &'a Layout<'k>, alias: &'a SortedMap<Source, Source>, cut: &'a SortedSet<Edge>) -> Body<'a, 'k> {
        Body {
            layout,
            alias,
            cut,
            values: Vec::new(),
            numbers: HashMap::new(),
            value_of: SortedMap::new(),
            reader: None,
            is_wired: wired(layout.kernel),
            pending: Vec::new(),
            needs: HashMap::new(),
            registers: Vec::new(),
            rings: Vec::new(),
            rows: Vec::new(),
            counted: usize::MAX,
            stores: Vec::new(),
            points: layout.instances.iter().map(|i| (i.clone(), layout.point(i))).collect(),
            leaves: layout.instances.iter().map(|i| (i.clone(), layout.leaves_at(i))).collect(),
            edges: HashMap::new(),
        }
    }

    /// Builds the stores and everything they need. The sources in `first` are computed first, in this order.
    pub fn build(mut self, first: &[Source]) -> Result<Self, Ring> {
        for source in first {
            self.compute(source, None)?;
        }
        let layout = self.layout;
        for instance in &layout.instances {
            for store in &layout.kernel.stores {
                let condition = self.point_condition(instance).and(self.at(&store.guard, instance));
                if condition == Condition::False {
                    continue;
                }
                let value = loop {
                    self.reader = None;
                    match self.expression(&store.value, instance, &condition) {
                        Ok(value) => break value,
                        Err(need) => self.compute(&need.source, Some(need.edge))?,
                    }
                };
                let index = store.index.iter().map(|f| self.form(f, instance)).collect();
                let (whole, into) = (self.whole(instance), Into::Output(store.output));
                self.stores.push(Store { condition, whole, into, index, value });
            }
        }
        self.fill_faces()?;
        while let Some(source) = self.pending.pop() {
            self.compute(&source, None)?;
        }
        for (id, needs) in std::mem::take(&mut self.needs) {
            self.values[id.0].needed = either(needs);
        }
        Ok(self)
    }

    /// The forms that are whole numbers at every iteration point, and perhaps not at other places.
    pub fn whole(&self, instance: &Instance) -> Vec<PlaceForm> {
        self.leaves[instance].iter().filter(|l| l.denominator() != 1 || has_remainder(l)).cloned().collect()
    }

    /// Computes a value, after the values of this step that it needs. Chains of them can be long, so this does not recurse.
    pub fn compute(&mut self, source: &Source, edge: Option<Edge>) -> Result<(), Ring> {
        if self.value_of.contains_key(source) {
            return Ok(());
        }
        let mut stack = vec![(source.clone(), edge)];
        let mut open = HashSet::from([source.clone()]);
        while let Some((top, _)) = stack.last() {
            let top = top.clone();
            match self.equation(&top) {
                Ok(id) => {
                    self.value_of.insert(top.clone(), id);
                    open.remove(&top);
                    stack.pop();
                }
                Err(need) if open.contains(&need.source) => {
                    let around = stack.iter().skip_while(|(s, _)| *s != need.source).skip(1);
                    let mut ring: Vec<Edge> = around.filter_map(|(_, edge)| edge.clone()).collect();
                    ring.push(need.edge);
                    return Err(Ring(ring));
                }
                Err(need) => {
                    open.insert(need.source.clone());
                    stack.push((need.source, Some(need.edge)));
                }
            }
        }
        Ok(())
    }

    /// The value of a variable in an instance. Fails if it needs a value of this step that is not computed yet.
    fn equation(&mut self, source: &Source) -> Result<ValueId, Need> {
        let equation = &self.layout.kernel.equations[source.variable];
        self.reader = Some(source.variable);
        let id = match self.invariant_copy(source) {
            Some(id) => id,
            None => self.expression(&equation.value, &source.instance, &Condition::True)?,
        };
        if self.values[id.0].name.is_none() {
            self.values[id.0].name = Some(name(&equation.variable.text, &source.instance));
        }
        Ok(id)
    }

    /// The condition that a place is an iteration point outside the halo: it lies in the domain and in the tiles without
    /// their overlaps, and its rows are consistent.
    pub fn point_condition(&self, instance: &Instance) -> Condition {
        let (layout, sizes) = (self.layout, self.layout.kernel.sizes.len());
        let mut all = Vec::new();
        for (k, l) in layout.kernel.loops.iter().enumerate() {
            all.push(self.at(&Formula::within(&Form::var(sizes + k), &l.low, &l.high), instance));
        }
        for tile in layout.mapping.nodes.iter().filter_map(|n| n.tile.as_ref()) {
            let inner = &layout.places.nodes[tile.inner];
            let (before, after) = if planted(11) { (tile.before, tile.after) } else { (0, 0) };
            let inside = Formula::within(inner, &Form::constant(-before), &Form::constant(tile.by + after));
            if !planted(10) {
                all.push(self.of_leaves(&inside, instance));
            }
        }
        let known = |atom: &Atom| layout.known(instance, atom);
        let agree = if planted(12) { &[] } else { layout.consistent.as_slice() };
        all.extend(agree.iter().map(|f| fold_comparison(layout, Condition::Zero(f.substitute(&known)))));
        Condition::all(all)
    }

    /// A condition on sizes and loops, as a condition on the place.
    pub fn at(&self, formula: &Formula, instance: &Instance) -> Condition {
        Condition::of(formula, &self.points[instance], &|c| fold_comparison(self.layout, c))
    }

    /// A condition on sizes and leaves, as a condition on the place.
    pub fn of_leaves(&self, formula: &Formula, instance: &Instance) -> Condition {
        let sizes = (0..self.layout.kernel.sizes.len()).map(|s| PlaceForm::atom(Atom::Size(s)));
        let dims: Vec<PlaceForm> = sizes.chain(self.leaves[instance].iter().cloned()).collect();
        Condition::of(formula, &dims, &|c| fold_comparison(self.layout, c))
    }

    /// A form of sizes and loops, as a form of the place.
    pub fn form(&self, form: &Form, instance: &Instance) -> PlaceForm {
        let point = &self.points[instance];
        let mut result = PlaceForm::constant(form.constant);
        for (k, c) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
            result = result.add(&point[k].scale(*c, 1));
        }
        result
    }

    /// The number of a value. A new one is appended to the body.
    pub fn number(&mut self, operation: Operation, ty: Type) -> ValueId {
        if let Some(id) = self.numbers.get(&(operation.clone(), ty)) {
            return *id;
        }
        let id = ValueId(self.values.len());
        self.numbers.insert((operation.clone(), ty), id);
        self.values.push(Inst {
            operation,
            ty,
            needed: Condition::False,
            inside: Vec::new(),
            level: 0,
            phase: 0,
            wired: false,
            name: None,
        });
        id
    }

    /// A select between two values. Poison may have any value, so a select with poison is its other operand.
    pub fn select(&mut self, condition: Condition, a: ValueId, b: ValueId, ty: Type) -> ValueId {
        let poison = |v: ValueId| self.values[v.0].operation == Operation::Poison;
        if condition == Condition::True || a == b || poison(b) {
            return a;
        }
        if condition == Condition::False || poison(a) {
            return b;
        }
        self.number(Operation::Select(condition, a, b), ty)
    }

    /// A load. Loads of the same element are merged, so the conditions under which each is needed are collected separately.
    pub fn load(&mut self, element: &Element, ty: Type, instance: &Instance, need: &Condition) -> ValueId {
        let index = element.index.iter().map(|f| self.form(f, instance)).collect();
        let id = self.number(Operation::Load { array: element.array, index }, ty);
        self.values[id.0].wired |= self.reader.is_some_and(|e| self.is_wired[e]);
        // Parameters that are passed by value cost nothing to read, so they need no guard.
        let by_value = match element.array {
            Array::Parameter(k) => !matches!(self.layout.kernel.parameters[k].kind, ParameterKind::Array { .. }),
            Array::Constant(_) => true,
        };
        self.note_need(id, if by_value { &Condition::True } else { need });
        id
    }

    /// Notes a condition under which a load is needed.
    pub fn note_need(&mut self, id: ValueId, need: &Condition) {
        let needs = self.needs.entry(id).or_default();
        if !planted(14) || needs.is_empty() {
            // A load may be needed by hundreds of instances, so each condition is looked up, not searched for.
            match need {
                Condition::Any(parts) => needs.extend(parts.iter().cloned()),
                other => {
                    needs.insert(other.clone());
                }
            }
        }
    }

    /// A form of sizes and leaves, as a form of the place.
    pub fn leaf_form(&self, form: &Form, instance: &Instance) -> PlaceForm {
        over_leaves(form, self.layout.kernel.sizes.len(), &self.leaves[instance])
    }

    /// A copy whose element does not depend on the innermost loop needs no wire: it is loaded once before that loop.
    fn invariant_copy(&mut self, source: &Source) -> Option<ValueId> {
        let equation = &self.layout.kernel.equations[source.variable];
        let element = equation.copy.as_ref()?;
        let innermost = self.layout.loops.len().checked_sub(1)?;
        let varies = |f: &Form| self.form(f, &source.instance).mentions(&|a| *a == Atom::Time(innermost));
        if element.index.iter().any(varies) {
            return None;
        }
        Some(self.load(element, equation.ty, &source.instance, &Condition::True))
    }
}

/// Of every equation, whether it is a copy that reads a variable.
fn wired(kernel: &Kernel) -> Vec<bool> {
    let mut wired = vec![false; kernel.equations.len()];
    for read in kernel.reads() {
        if let Reader::Equation(e) = read.reader {
            wired[e] |= kernel.equations[e].copy.is_some();
        }
    }
    wired
}

/// The disjunction of distinct conditions, none of which is an `Any`.
fn either(mut parts: SortedSet<Condition>) -> Condition {
    parts.remove(&Condition::False);
    match parts.len() {
        0 => Condition::False,
        _ if parts.contains(&Condition::True) => Condition::True,
        1 => parts.into_iter().next().unwrap_or(Condition::False),
        _ => Condition::Any(parts.into_iter().collect()),
    }
}

fn has_remainder(form: &PlaceForm) -> bool {
    form.terms().any(|(a, _)| matches!(a, Atom::Remainder(..)))
}

/// The name of a variable in an instance: `Z`, `Z.1`, `Z[2, 0].1`.
fn name(variable: &str, instance: &Instance) -> String {
    let unrolled: Vec<String> = instance.unrolled.iter().map(Int::to_string).collect();
    match (unrolled.is_empty(), instance.register) {
        (true, 0) => variable.to_string(),
        (true, f) => format!("{variable}.{f}"),
        (false, f) => format!("{variable}[{}].{f}", unrolled.join(", ")),
    }
}
