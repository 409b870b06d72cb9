//! Skipping: a long step runs groups of its lines only while some later store needs them.
//!
//! ```text
//! before                              after
//!
//! for t in 0..=N + 40                 for t in 0..=N + 40
//!     … 400 lines of stage 0              where N - 1 - t >= 0
//!     … 400 lines of stage 1                  … 400 lines of stage 0
//!     store … if t >= 40                  where t - 20 >= 0
//!                                             … 400 lines of stage 1
//!                                         store … if t >= 40
//! ```
//!
//! For a long step this replaces the sections of the loop: three copies of it would exceed the instruction cache.
use crate::mapping::{Atom, Bound, PlaceForm, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{
    Condition, Inst, Operation, Program, RegisterId, ValueId, above, below, is_load_from_memory, level_of_condition,
    never_negative,
};
use crate::schedule::specialise::Facts;
use crate::schedule::{Line, Section, Step, Version};
use crate::sorted::SortedMap;
use crate::target::effort;
use std::collections::{HashMap, HashSet};

/// Where a value is needed: where every form plus its number is at least 0, and at least `to_come` steps of the loop are still to
/// come. Forms depend on sizes, blocks and time, so that all lanes agree. An empty window means everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    forms: SortedMap<PlaceForm, Int>,
    to_come: Int,
}

impl Window {
    /// A window that contains both.
    fn join(&self, other: &Window) -> Window {
        let both = self.forms.iter().filter_map(|(f, offset)| Some((f.clone(), *offset.max(other.forms.get(f)?))));
        Window { forms: both.collect(), to_come: self.to_come.min(other.to_come) }
    }

    /// The window as a condition, in a loop that ends with this bound.
    fn condition(&self, program: &Program, high: &Bound) -> Condition {
        let time = PlaceForm::atom(Atom::Time(program.frame.loops.len() - 1));
        let ends = if self.to_come > 0 { above(high) } else { Vec::new() };
        let ends = ends.into_iter().map(|end| end.sub(&time).plus(-self.to_come));
        let forms = self.forms.iter().map(|(form, offset)| form.plus(*offset)).chain(ends);
        let forms = forms.filter(|form| form.is_plain() && !never_negative(&program.frame, form));
        Condition::all(forms.map(Condition::AtLeast))
    }
}

/// Groups the lines of every long step that is the only section of its loop. Only for a GPU; on a CPU sections serve.
pub fn skip(program: &Program, versions: &mut [Version]) {
    if program.target != Target::Gpu || program.frame.loops.is_empty() || program.phases() > 1 {
        return;
    }
    for version in versions {
        if let [Section { step, high, .. }] = version.sections.as_mut_slice()
            && is_long(program, step.operations())
        {
            group(program, step, high);
        }
    }
}

/// Whether skipping serves a program better than sections, given these facts, with some comparisons left to borders: the step is
/// long, and time decides neither values nor whether borders apply.
pub fn serves(program: &Program, known: &Facts, left: &HashSet<Condition>) -> bool {
    let innermost = program.frame.loops.len();
    let lines = || program.values.iter().filter(|m| m.level == innermost);
    let open = |c: &Condition| !known.contains_key(c) && !left.contains(c) && level_of_condition(c) == innermost;
    let timed = |m: &Inst| {
        let mut timed = false;
        // Whether a load is needed costs no section: it is part of the load.
        let evaluated = m.operation.condition().into_iter().chain(&m.inside);
        evaluated.for_each(|c| c.each(&mut |c| timed |= open(c)));
        timed
    };
    let count = lines().filter(|m| !m.operation.is_free()).count();
    program.target == Target::Gpu && program.phases() == 1 && is_long(program, count) && !lines().any(timed)
}

/// Whether this many instructions are about two groups or more.
fn is_long(program: &Program, instructions: usize) -> bool {
    2 * instructions >= 3 * program.group
}

/// Puts the lines that every iteration needs first, then the rest in groups of about equal length. A group runs where one of its
/// lines is needed.
fn group(program: &Program, step: &mut Step, high: &Bound) {
    let windows = Needed::of(program, step).windows;
    let window = |line: &Line| windows.get(&line.id).cloned().unwrap_or_default();
    let (mut lines, others): (Vec<Line>, Vec<Line>) =
        std::mem::take(&mut step.lines).into_iter().partition(|l| window(l) == Window::default());
    let length = others.iter().filter(|l| l.is_operation()).count();
    let count = ((2 * length + program.group) / (2 * program.group)).max(1);
    let share = length.div_ceil(count);
    let mut others = others.into_iter().peekable();
    while others.peek().is_some() {
        let (mut run, mut hull, mut length): (Vec<Line>, Option<Window>, usize) = (Vec::new(), None, 0);
        while let Some(line) = others.next_if(|l| length < share || hull.as_ref() == Some(&window(l))) {
            hull = Some(hull.map_or(window(&line), |hull| hull.join(&window(&line))));
            length += usize::from(line.is_operation());
            run.push(line);
        }
        let guard = hull.unwrap_or_default().condition(program, high);
        run.iter_mut().for_each(|line| line.guard = guard.clone());
        lines.extend(run);
    }
    step.lines = lines;
}

/// The windows of a step's values, found from its stores backwards.
struct Needed<'p> {
    program: &'p Program,
    windows: HashMap<ValueId, Window>,
    changed: bool,
    /// Whether windows may still grow. After many rounds a window that still grows becomes everywhere.
    grows: bool,
}

impl<'p> Needed<'p> {
    fn of(program: &'p Program, step: &Step) -> Needed<'p> {
        let mut needed = Needed { program, windows: HashMap::new(), changed: true, grows: true };
        let mut round = 0;
        while std::mem::take(&mut needed.changed) {
            needed.grows = round < effort::WINDOW_ROUNDS;
            needed.round(step);
            round += 1;
        }
        needed
    }

    fn round(&mut self, step: &Step) {
        for store in &step.stores {
            self.want(store.value, self.window(&store.condition));
        }
        for line in step.lines.iter().rev() {
            let Some(window) = self.windows.get(&line.id).cloned() else { continue };
            // Shuffles need all lanes, and loads are issued early.
            let exchanges = matches!(line.inst.operation, Operation::Shuffle { .. } | Operation::Rotate { .. });
            let always = exchanges || is_load_from_memory(self.program, &line.inst.operation);
            if always {
                self.want(line.id, Window::default());
            }
            let here = if always { Window::default() } else { window };
            line.inst.operation.operands().iter().for_each(|id| self.want(*id, here.clone()));
            self.want_earlier(step, &line.inst.operation, here);
        }
    }

    /// A value that a wire delivers was computed some steps before.
    fn want_earlier(&mut self, step: &Step, operation: &Operation, window: Window) {
        match operation {
            Operation::Carried { register: RegisterId(k), delay } => {
                let before = self.before(window, *delay);
                self.want(step.registers[*k], before);
            }
            Operation::Ring { ring, delay, .. } => {
                let before = self.before(window, *delay);
                self.want(step.rings[ring.0], before);
            }
            // Computed at the same time of an earlier iteration of the outer loop, if all iterations have the same times.
            Operation::Row { row, inner, .. } => {
                let same = inner.as_slice() == [0] && self.is_alike();
                self.want(step.rows[row.0], if same { window } else { Window::default() });
            }
            _ => {}
        }
    }

    /// The window this many steps earlier. With outer loops, the step before the first one is the last of another iteration: then
    /// the value is needed everywhere.
    fn before(&self, window: Window, steps: Int) -> Window {
        let time = Atom::Time(self.innermost());
        let (alone, inner) = (PlaceForm::atom(time.clone()), &self.program.frame.loops[self.innermost()]);
        let stays = |low: Int| window.forms.get(&alone).is_some_and(|offset| -offset >= low + steps);
        let stays = inner.low.constant().is_some_and(stays);
        if self.innermost() > 0 && !stays {
            return Window::default();
        }
        let shifted = |(form, offset): (PlaceForm, Int)| {
            let steps = steps - Int::from(planted(50));
            let by = form.coefficient(&time) * steps;
            (form, offset + by)
        };
        Window { forms: window.forms.into_iter().map(shifted).collect(), to_come: window.to_come + steps }
    }

    /// Whether every iteration of the outer loops runs the same times.
    fn is_alike(&self) -> bool {
        let inner = &self.program.frame.loops[self.innermost()];
        let outer = |a: &Atom| matches!(a, Atom::Time(_));
        inner.busy.is_none() && !below(&inner.low).iter().chain(&above(&inner.high)).any(|form| form.mentions(&outer))
    }

    fn innermost(&self) -> usize {
        self.program.frame.loops.len() - 1
    }

    /// The part of a condition that depends on the time of this loop and is the same for all lanes.
    fn window(&self, condition: &Condition) -> Window {
        let parts = match condition {
            Condition::All(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let time = Atom::Time(self.innermost());
        let alike = |a: &Atom| *a == time || matches!(a, Atom::Size(_) | Atom::Block(_));
        let timed = parts.iter().filter_map(|part| match part {
            Condition::AtLeast(form) if form.is_plain() && form.terms().all(|(a, _)| alike(a)) => Some(form),
            _ => None,
        });
        let timed = timed.filter(|form| form.coefficient(&time) != 0);
        timed.fold(Window::default(), |mut window, form| {
            let offset = window.forms.or_insert(form.plus(-form.offset()), form.offset());
            *offset = form.offset().min(*offset);
            window
        })
    }

    fn want(&mut self, id: ValueId, window: Window) {
        let joined = match self.windows.get(&id) {
            None => window,
            Some(before) => {
                let mut joined = before.join(&window);
                if !self.grows {
                    joined.forms.retain(|form, offset| before.forms.get(form) == Some(offset));
                }
                joined
            }
        };
        if self.windows.get(&id) != Some(&joined) {
            self.windows.insert(id, joined);
            self.changed = true;
        }
    }
}
