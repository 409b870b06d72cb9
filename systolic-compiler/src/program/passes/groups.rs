//! Groups of a long step that the loop's first and last iterations skip: what they make there, no store will want.
use super::super::{Condition, Line, Made, Operation, Piece, Program, RegisterId, Step, ValueId};
use super::ahead::is_fetched;
use super::given::Facts;
use super::least::{above, below, never_negative};
use super::levels::of_condition;
use crate::mapping::{Atom, Bound, Index, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::target::effort;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where a value is wanted: every form, without its number, plus its number is at least 0, and so many steps of the loop are
/// still to come. Forms are of sizes, blocks and time, so all lanes agree. Without either: always.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    forms: BTreeMap<Index, Int>,
    to_come: Int,
}

impl Window {
    /// A window that is open wherever one of two is.
    fn join(&self, other: &Window) -> Window {
        let both = self.forms.iter().filter_map(|(f, offset)| Some((f.clone(), *offset.max(other.forms.get(f)?))));
        Window { forms: both.collect(), to_come: self.to_come.min(other.to_come) }
    }

    /// Its comparisons, in a loop that ends with this bound.
    fn condition(&self, program: &Program, high: &Bound) -> Condition {
        let time = Index::atom(Atom::Time(program.frame.loops.len() - 1));
        let ends = if self.to_come > 0 { above(high) } else { Vec::new() };
        let ends = ends.into_iter().map(|end| end.sub(&time).plus(-self.to_come));
        let forms = self.forms.iter().map(|(form, offset)| form.plus(*offset)).chain(ends);
        let forms = forms.filter(|form| form.is_plain() && !never_negative(&program.frame, form));
        Condition::all(forms.map(Condition::AtLeast))
    }
}

/// Steps that stand alone in their loop; on a CPU pieces serve.
pub fn groups(program: &mut Program) {
    if program.target != Target::Gpu || program.frame.loops.is_empty() || program.phases() > 1 {
        return;
    }
    let mut pieces = std::mem::take(&mut program.pieces);
    for k in 0..pieces.len() {
        let alone = pieces.iter().filter(|p| p.when == pieces[k].when).count() == 1;
        if alone && is_long(program, pieces[k].step.operations()) {
            let Piece { step, high, .. } = &mut pieces[k];
            group(program, step, high);
        }
    }
    program.pieces = pieces;
}

/// Whether groups serve a program better than pieces of its loop, where some facts are known and some comparisons are left to
/// borders: steps are long, and time chooses neither values nor where borders lead.
pub fn serve(program: &Program, known: &Facts, left: &HashSet<Condition>) -> bool {
    let innermost = program.frame.loops.len();
    let lines = || program.values.iter().filter(|m| m.level == innermost);
    let open = |c: &Condition| !known.contains_key(c) && !left.contains(c) && of_condition(c) == innermost;
    let timed = |m: &Made| {
        let mut timed = false;
        // Whether anything is loaded is asked in passing.
        let asked = m.operation.condition().into_iter().chain(&m.inside);
        asked.for_each(|c| c.each(&mut |c| timed |= open(c)));
        timed
    };
    let count = lines().filter(|m| !m.operation.is_free()).count();
    program.target == Target::Gpu && program.phases() == 1 && is_long(program, count) && !lines().any(timed)
}

/// Whether so many instructions are at least two groups, about.
fn is_long(program: &Program, instructions: usize) -> bool {
    2 * instructions >= 3 * program.group
}

/// What all steps want first, then the rest in groups of about equal length, each where some line of it is wanted.
fn group(program: &Program, step: &mut Step, high: &Bound) {
    let windows = Wanted::of(program, step).windows;
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
        let wanted = hull.unwrap_or_default().condition(program, high);
        run.iter_mut().for_each(|line| line.wanted = wanted.clone());
        lines.extend(run);
    }
    step.lines = lines;
}

/// When values of a step are wanted, found from its stores backwards.
struct Wanted<'p> {
    program: &'p Program,
    windows: HashMap<ValueId, Window>,
    changed: bool,
    /// Whether windows may still grow.
    grows: bool,
}

impl<'p> Wanted<'p> {
    fn of(program: &'p Program, step: &Step) -> Wanted<'p> {
        let mut wanted = Wanted { program, windows: HashMap::new(), changed: true, grows: true };
        let mut round = 0;
        while std::mem::take(&mut wanted.changed) {
            wanted.grows = round < effort::WINDOW_ROUNDS;
            wanted.round(step);
            round += 1;
        }
        wanted
    }

    fn round(&mut self, step: &Step) {
        for store in &step.stores {
            self.want(store.value, self.window(&store.condition));
        }
        for line in step.lines.iter().rev() {
            let Some(window) = self.windows.get(&line.id).cloned() else { continue };
            // Lanes that exchange values stand together, and what comes from memory comes early.
            let exchanges = matches!(line.made.operation, Operation::Shuffle { .. } | Operation::Turn { .. });
            let always = exchanges || is_fetched(self.program, &line.made.operation);
            if always {
                self.want(line.id, Window::default());
            }
            let here = if always { Window::default() } else { window };
            line.made.operation.operands().iter().for_each(|id| self.want(*id, here.clone()));
            self.want_earlier(step, &line.made.operation, here);
        }
    }

    /// What a wire brings was made some steps before.
    fn want_earlier(&mut self, step: &Step, operation: &Operation, window: Window) {
        match operation {
            Operation::Carried { register: RegisterId(k), depth } => {
                let before = self.before(window, *depth);
                self.want(step.registers[*k], before);
            }
            Operation::Ring { ring, depth, .. } => {
                let before = self.before(window, *depth);
                self.want(step.rings[ring.0], before);
            }
            // The same time at another round of the loop around it, if all rounds are alike.
            Operation::Row { row, inner, .. } => {
                let same = inner.as_slice() == [0] && self.is_alike();
                self.want(step.rows[row.0], if same { window } else { Window::default() });
            }
            _ => {}
        }
    }

    /// So many steps before. With loops outside, the step before the first is the last of another round: then always.
    fn before(&self, window: Window, steps: Int) -> Window {
        let time = Atom::Time(self.innermost());
        let (alone, inner) = (Index::atom(time.clone()), &self.program.frame.loops[self.innermost()]);
        let stays = |low: Int| window.forms.get(&alone).is_some_and(|offset| -offset >= low + steps);
        let stays = inner.low.constant().is_some_and(stays);
        if self.innermost() > 0 && !stays {
            return Window::default();
        }
        let shifted = |(form, offset): (Index, Int)| {
            let steps = steps - Int::from(planted(50));
            let by = form.coefficient(&time) * steps;
            (form, offset + by)
        };
        Window { forms: window.forms.into_iter().map(shifted).collect(), to_come: window.to_come + steps }
    }

    /// Whether every round of the loops outside has the same steps.
    fn is_alike(&self) -> bool {
        let inner = &self.program.frame.loops[self.innermost()];
        let outer = |a: &Atom| matches!(a, Atom::Time(_));
        !below(&inner.low).iter().chain(&above(&inner.high)).any(|form| form.mentions(&outer))
    }

    fn innermost(&self) -> usize {
        self.program.frame.loops.len() - 1
    }

    /// What of a condition is of this loop's time, and the same for all lanes.
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
            let offset = window.forms.entry(form.plus(-form.offset())).or_insert(form.offset());
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
