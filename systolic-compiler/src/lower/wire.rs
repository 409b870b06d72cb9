//! Lowers the reads of variables. A read has several classes, one for each way to cross tile edges, and each class has its
//! own medium: a register, a shuffle, a ring, a row, or a load.
use super::body::{Body, Need};
use crate::dependence::Class;
use crate::laws::Edge;
use crate::mapping::{Instance, Medium, Source, medium, outermost};
use crate::model::{Int, Tile, moved};
use crate::planted::planted;
use crate::program::{Condition, Operation, RegisterId, RingId, RowId, ValueId};
use std::rc::Rc;

impl Body<'_, '_> {
    /// The value of a read: a select between its classes, of which exactly one holds at every point of the domain. Fails if a
    /// class needs a value of this step that is not computed yet.
    pub fn wire(
        &mut self,
        variable: usize,
        distance: &[Int],
        instance: &Instance,
        need: &Condition,
    ) -> Result<ValueId, Need> {
        let ty = self.layout.kernel.equations[variable].ty;
        let split = self.layout.dependences.of(distance);
        let conditions = self.conditions(distance, split, instance);
        let mut ends: Vec<(Condition, ValueId)> = Vec::new();
        let mut rest = need.clone();
        let count = if planted(9) { 1 } else { split.len() };
        for (k, class) in split.iter().enumerate().take(count) {
            let condition = &conditions[k];
            if *condition == Condition::False {
                continue;
            }
            let need = need.clone().and(condition.clone());
            if let Some(end) = self.receive(variable, distance, (k, class), instance, &need)? {
                ends.push((condition.clone(), end));
            }
            rest = rest.and(condition.clone().negate());
            if *condition == Condition::True {
                break;
            }
        }
        if rest != Condition::False && !planted(16) && self.may_lie_outside(variable, distance) {
            // The outermost points of a halo read beyond it. No class holds there, and a copy is loaded again.
            ends.extend(self.feed(variable, distance, instance, &rest).map(|end| (rest, end)));
        }
        let Some((_, last)) = ends.pop() else { return Ok(self.number(Operation::Poison, ty)) };
        let mut result = last;
        for (condition, end) in ends.into_iter().rev() {
            result = self.select(condition, end, result, ty);
        }
        Ok(result)
    }

    /// The conditions of the classes, as conditions on the place.
    fn conditions(&mut self, distance: &[Int], split: &[Class], instance: &Instance) -> Rc<Vec<Condition>> {
        let key = (distance.to_vec(), instance.clone());
        if let Some(conditions) = self.edges.get(&key) {
            return conditions.clone();
        }
        let conditions = Rc::new(split.iter().map(|c| self.of_leaves(&c.condition, instance)).collect());
        self.edges.insert(key, Rc::clone(&conditions));
        conditions
    }

    /// Whether the source of a read may lie in no class: it is a copy, and some tile has an overlap.
    fn may_lie_outside(&self, variable: usize, distance: &[Int]) -> bool {
        let has_halo = |t: &Tile| t.before > 0 || t.after > 0;
        self.layout.kernel.equations[variable].copy.is_some()
            && distance.iter().any(|d| *d != 0)
            && self.layout.mapping.nodes.iter().any(|n| n.tile.as_ref().is_some_and(has_halo))
    }

    /// Loads the element that a copy equals again; `None` if the variable is no copy.
    fn feed(&mut self, variable: usize, distance: &[Int], instance: &Instance, need: &Condition) -> Option<ValueId> {
        let equation = &self.layout.kernel.equations[variable];
        let distance = if planted(15) { &[] } else { distance };
        let element = moved(equation.copy.as_ref()?, distance, self.layout.kernel.sizes.len());
        let id = self.load(&element, equation.ty, instance, need);
        self.values[id.0].wired = true;
        Some(id)
    }

    /// The value that one class of a read receives; `None` if no point reads so. Fails if that value is of this step and not
    /// computed yet.
    fn receive(
        &mut self,
        variable: usize,
        distance: &[Int],
        (number, class): (usize, &Class),
        instance: &Instance,
        need: &Condition,
    ) -> Result<Option<ValueId>, Need> {
        let ty = self.layout.kernel.equations[variable].ty;
        let edge = || Edge {
            reader: self.reader,
            variable,
            distance: distance.to_vec(),
            class: number,
            unrolled: instance.unrolled.clone(),
            register: instance.register,
        };
        // This read would close a cycle. It is a copy, or no point makes it.
        if !self.cut.is_empty() && self.cut.contains(&edge()) {
            return Ok(self.feed(variable, distance, instance, need));
        }
        let computed = |source: &Source| match self.value_of.get(source) {
            Some(id) => Ok(*id),
            None => Err(Need { source: source.clone(), edge: edge() }),
        };
        let medium = medium(self.layout, variable, class, instance);
        if matches!(medium, Medium::Rotation { .. } | Medium::Shared { delay: 1.., .. })
            && let Some(level) = outermost(self.layout, class)
        {
            self.counted = self.counted.min(level);
        }
        Ok(Some(match medium {
            Medium::Never => return Ok(None),
            Medium::Face { face } => self.read_face(face, distance, class, instance, need),
            Medium::Feed => return Ok(self.feed(variable, distance, instance, need)),
            Medium::Rename(source) => computed(&source)?,
            Medium::Shuffle { source, lanes } => {
                let value = computed(&source)?;
                self.number(Operation::Shuffle { value, lanes }, ty)
            }
            Medium::Rotation { source, lanes, delay } => {
                // The value is shuffled first and then carried, so that one shuffle serves every delay.
                let source = self.carried(source);
                let register = find_or_push(&mut self.registers, (source, lanes), delay);
                self.number(Operation::Carried { register: RegisterId(register), delay }, ty)
            }
            Medium::Shared { source, lanes, warps, delay } => {
                if delay == 0 {
                    computed(&source)?;
                }
                let source = self.carried(source);
                let ring = find_or_push(&mut self.rings, source, delay);
                self.number(Operation::Ring { ring: RingId(ring), lanes, warps, delay }, ty)
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

    /// The source whose register carries a value; equal sources share one. The source itself is computed too, because it may
    /// need a load at places where its equal does not.
    fn carried(&mut self, source: Source) -> Source {
        self.pending.push(source.clone());
        let twin = self.alias.get(&source).cloned().unwrap_or(source);
        self.pending.push(twin.clone());
        twin
    }
}

/// The position of a key, which is appended if it is new. Its delay becomes at least `delay`.
fn find_or_push<K: PartialEq>(list: &mut Vec<(K, Int)>, key: K, delay: Int) -> usize {
    match list.iter().position(|(k, _)| *k == key) {
        Some(at) => {
            list[at].1 = list[at].1.max(delay);
            at
        }
        None => {
            list.push((key, delay));
            list.len() - 1
        }
    }
}
