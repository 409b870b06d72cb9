//! The loads of a step, as CUDA. The schedule says when they are issued: some steps before their use, all at the beginning of
//! the step, or each where its value is used.
use super::body::Body;
use super::place::joined;
use super::text::Text;
use crate::model::Array;
use crate::program::{Condition, Operation, is_load_from_memory};
use crate::schedule::{Access, Line, Pipeline, Section, Slot, Step, Wide, accesses};

impl Body<'_> {
    /// Whether a line loads from memory.
    pub fn is_load(&self, line: &Line) -> bool {
        is_load_from_memory(self.program, &line.inst.operation)
    }

    /// Writes a wide load if `n` is the first of its lines, and nothing for its other lines.
    pub fn load_here(&self, text: &mut Text, step: &Step, wide: &Wide, n: usize) {
        if wide.members.iter().min() == Some(&n) {
            self.declare(text, step, Access::Wide(wide), "");
            self.assign(text, step, Access::Wide(wide), "", false);
        }
    }

    /// Writes all loads of a step.
    pub fn load_all(&self, text: &mut Text, step: &Step) {
        for access in accesses(self.program, step) {
            self.declare(text, step, access, "");
            self.assign(text, step, access, "", false);
        }
    }

    /// Fills the slots of a pipeline before its loop.
    pub fn load_first(&self, text: &mut Text, pipeline: &Pipeline<'_>, low: &str) {
        let step = &pipeline.sections[0].step;
        for k in 0..pipeline.distance {
            for access in accesses(self.program, step) {
                self.declare(text, step, access, &prefix(k));
            }
            text.open("{");
            text.line(format!("const I then = until<I>({low} + {}, last);", pipeline.first_load(k)));
            self.load_then(text, step, k, false);
            text.close("}");
        }
    }

    /// Copies the loaded values of this step from their slot.
    pub fn take(&self, text: &mut Text, step: &Step, slot: Slot) {
        let from = match slot {
            Slot::Shift => prefix(0),
            Slot::InTurn(k) => prefix(k),
        };
        for access in accesses(self.program, step) {
            for name in self.named(step, access) {
                text.line(format!("const {} {name} = {from}{name};", self.type_of(step, access)));
            }
        }
    }

    /// Issues the loads of a later step into the slot that this step has freed.
    pub fn load_ahead(&self, text: &mut Text, pipeline: &Pipeline<'_>, section: &Section, slot: Slot, time: &str) {
        let last = pipeline.distance - 1;
        if slot == Slot::Shift {
            for access in accesses(self.program, &section.step) {
                for name in self.named(&section.step, access) {
                    (0..last).for_each(|k| text.line(format!("{}{name} = {}{name};", prefix(k), prefix(k + 1))));
                }
            }
        }
        let filled = match slot {
            Slot::Shift => last,
            Slot::InTurn(k) => k,
        };
        text.open("{");
        text.line(format!("const I then = until<I>({time} + {}, last);", pipeline.load_ahead()));
        self.load_then(text, &section.step, filled, true);
        text.close("}");
    }

    /// Issues the loads of the step at time `then` into slot `k`. With `keep`, a lane that loads nothing gets the value that
    /// this step has used already, so that no instruction has to clear the registers.
    fn load_then(&self, text: &mut Text, step: &Step, k: usize, keep: bool) {
        let names = self.names.at("then");
        let later = Body { names: &names, ..*self };
        accesses(self.program, step).into_iter().for_each(|access| later.assign(text, step, access, &prefix(k), keep));
    }

    fn named<'s>(&'s self, step: &'s Step, access: Access<'s>) -> Vec<&'s str> {
        access.lines(step).iter().map(|line| self.names.value(line.id)).collect()
    }

    fn type_of(&self, step: &Step, access: Access<'_>) -> String {
        self.ty(access.lines(step)[0].id)
    }

    pub fn declare(&self, text: &mut Text, step: &Step, access: Access<'_>, before: &str) {
        let names: Vec<String> = self.named(step, access).iter().map(|n| format!("{before}{n}")).collect();
        text.line(format!("{} {};", self.type_of(step, access), names.join(", ")));
    }

    fn assign(&self, text: &mut Text, step: &Step, access: Access<'_>, before: &str, keep: bool) {
        let wide = match access {
            Access::One(line) => {
                let name = self.names.value(line.id);
                let value = self.value_of(Some(step), line.id, &line.inst, keep.then_some(name));
                return text.line(format!("{before}{name} = {value};"));
            }
            Access::Wide(wide) => wide,
        };
        let members: Vec<&Line> = wide.members.iter().map(|n| &step.lines[*n]).collect();
        let (count, ty) = (members.len(), members[0].inst.ty);
        let (loads, (mut there, address)) = match &members[0].inst.operation {
            Operation::Load { array: Array::Parameter(k), index } => {
                ("load_if", self.input(*k, index, count, &|axis| wide.back.contains(&axis)))
            }
            Operation::Face { face, index } => {
                // Loads from faces always have a test.
                let tests = if wide.guard == Condition::True { vec!["true".to_string()] } else { Vec::new() };
                (self.face_load(face.0), (tests, self.in_face(face.0, index)))
            }
            _ => return,
        };
        if wide.guard != Condition::True {
            there.push(self.test(&wide.guard));
        }
        let test = match &wide.when {
            Condition::True => String::new(),
            when => format!(" && {}", self.test(when)),
        };
        let load = match there.is_empty() {
            true => format!("load<{count}>({address})"),
            false => {
                let old: Vec<&str> = members.iter().map(|l| self.names.value(l.id)).collect();
                let old = if keep { format!(", Wide<{ty}, {count}>{{{{{}}}}}", old.join(", ")) } else { String::new() };
                format!("{loads}<{count}>({}, {address}{old})", joined(&there, " && "))
            }
        };
        let load = match &members[0].inst.operation {
            Operation::Load { array: Array::Parameter(k), index } => self.with_ends(*k, index, wide.past, load),
            _ => load,
        };
        text.open(format!("if (wide{test}) {{"));
        text.line(format!("const Wide<{ty}, {count}> together = {load};"));
        let names: Vec<String> = members.iter().map(|l| format!("{before}{}", self.names.value(l.id))).collect();
        names.iter().enumerate().for_each(|(k, name)| text.line(format!("{name} = together.at[{k}];")));
        text.close_and_open("} else {");
        members.iter().zip(&names).for_each(|(l, name)| text.line(format!("{name} = {};", self.expression(&l.inst))));
        text.close("}");
    }
}

/// The prefix of the names of slot `k`.
pub fn prefix(k: usize) -> String {
    format!("next{k}_")
}
