//! What a step fetches from memory: before anything else, some steps ahead of its use, or, where that is too much, one
//! by one where it stands. Neighbours in memory are fetched together in any case.
use super::body::Body;
use super::place::joined;
use super::text::Text;
use crate::model::Array;
use crate::program::{Condition, Line, Operation, Piece, Step, Wide, is_fetched};
use crate::target::tuning;
use std::rc::Rc;

/// An access: a line alone, or several that lie side by side.
enum Fetch<'s> {
    One(&'s Line),
    Together(&'s Wide),
}

impl Body<'_> {
    pub fn is_fetched(&self, line: &Line) -> bool {
        is_fetched(self.program, &line.made.operation)
    }

    /// Whether a step fetches before anything else.
    pub fn fetches_first(&self, piece: &Piece) -> bool {
        let fetched = piece.step.lines.iter().filter(|line| self.is_fetched(line));
        let inner = piece.when == self.program.pieces[0].when;
        let most = if inner { tuning::FETCHED_WORDS } else { tuning::FETCHED_WORDS.min(self.program.room() / 2) };
        fetched.map(|line| line.made.ty.words()).sum::<usize>() <= most
    }

    /// Neighbours where the first of them stands, line `n`; nothing where the others do.
    pub fn fetch_here(&self, text: &mut Text, step: &Step, wide: &Wide, n: usize) {
        if wide.members.iter().min() == Some(&n) {
            self.declare(text, step, &Fetch::Together(wide), "");
            self.assign(text, step, &Fetch::Together(wide), "", false);
        }
    }

    /// The fetches of a step.
    pub fn fetch(&self, text: &mut Text, step: &Step) {
        for fetch in self.fetches(step) {
            self.declare(text, step, &fetch, "");
            self.assign(text, step, &fetch, "", false);
        }
    }

    /// How the fetches of a coming step are written.
    pub fn fetched_then(&self, step: &Step) -> String {
        let mut text = Text::default();
        self.fetches(step).iter().for_each(|fetch| self.declare(&mut text, step, fetch, &prefix(0)));
        self.then(&mut text, step, 0, true);
        text.finish()
    }

    /// The fetches of the first steps of some pieces, before their loops.
    pub fn fetch_first(&self, text: &mut Text, piece: &Piece, low: &str) {
        for k in 0..piece.ahead {
            for fetch in self.fetches(&piece.step) {
                self.declare(text, &piece.step, &fetch, &prefix(k));
            }
            text.open("{");
            text.line(format!("const I then = until<I>({low} + {k}, last);"));
            self.then(text, &piece.step, k, false);
            text.close("}");
        }
    }

    /// What was fetched for this step: in its turn, or what comes next.
    pub fn take(&self, text: &mut Text, piece: &Piece, turn: Option<usize>) {
        for fetch in self.fetches(&piece.step) {
            for name in self.named(&piece.step, &fetch) {
                let ty = self.type_of(&piece.step, &fetch);
                text.line(format!("const {ty} {name} = {}{name};", prefix(turn.unwrap_or(0))));
            }
        }
    }

    /// The fetches of a step to come. Behind the last step of all the pieces the last is fetched again. A step in its turn
    /// fetches into what it has taken; else all that was fetched moves on.
    pub fn fetch_ahead(&self, text: &mut Text, piece: &Piece, turn: Option<usize>, time: &str) {
        let last = piece.ahead - 1;
        if turn.is_none() {
            for fetch in self.fetches(&piece.step) {
                for name in self.named(&piece.step, &fetch) {
                    (0..last).for_each(|k| text.line(format!("{}{name} = {}{name};", prefix(k), prefix(k + 1))));
                }
            }
        }
        text.open("{");
        text.line(format!("const I then = until<I>({time} + {}, last);", piece.ahead));
        self.then(text, &piece.step, turn.unwrap_or(last), true);
        text.close("}");
    }

    /// The fetches of the step at time `then`. `keep`: a lane that fetches nothing keeps what this step has used up, so that
    /// nothing is put into its registers.
    fn then(&self, text: &mut Text, step: &Step, k: usize, keep: bool) {
        let names = self.names.at("then");
        let later = Body { names: &names, hoisted: Rc::clone(&self.hoisted), ..*self };
        self.fetches(step).iter().for_each(|fetch| later.assign(text, step, fetch, &prefix(k), keep));
    }

    fn fetches<'s>(&self, step: &'s Step) -> Vec<Fetch<'s>> {
        let mut found = Vec::new();
        for (n, line) in step.lines.iter().enumerate().filter(|(_, line)| self.is_fetched(line)) {
            match wide_of(step, n) {
                None => found.push(Fetch::One(line)),
                // All of a group, where its first one stands.
                Some(wide) if wide.members.iter().min() == Some(&n) => found.push(Fetch::Together(wide)),
                Some(_) => {}
            }
        }
        found
    }

    fn named<'s>(&'s self, step: &'s Step, fetch: &Fetch<'s>) -> Vec<&'s str> {
        match fetch {
            Fetch::One(line) => vec![self.names.value(line.id)],
            Fetch::Together(wide) => wide.members.iter().map(|n| self.names.value(step.lines[*n].id)).collect(),
        }
    }

    fn type_of(&self, step: &Step, fetch: &Fetch<'_>) -> crate::model::Type {
        match fetch {
            Fetch::One(line) => line.made.ty,
            Fetch::Together(wide) => step.lines[wide.members[0]].made.ty,
        }
    }

    fn declare(&self, text: &mut Text, step: &Step, fetch: &Fetch<'_>, before: &str) {
        let names: Vec<String> = self.named(step, fetch).iter().map(|n| format!("{before}{n}")).collect();
        text.line(format!("{} {};", self.type_of(step, fetch), names.join(", ")));
    }

    fn assign(&self, text: &mut Text, step: &Step, fetch: &Fetch<'_>, before: &str, keep: bool) {
        let wide = match fetch {
            Fetch::One(line) => {
                let name = self.names.value(line.id);
                return text.line(format!("{before}{name} = {};", self.loaded(&line.made, keep.then_some(name))));
            }
            Fetch::Together(wide) => wide,
        };
        let members: Vec<&Line> = wide.members.iter().map(|n| &step.lines[*n]).collect();
        let (count, ty) = (members.len(), members[0].made.ty);
        let Operation::Load { array: Array::Parameter(k), index } = &members[0].made.operation else { return };
        let (mut there, address) = self.input(*k, index, count, &|axis| wide.back.contains(&axis));
        if wide.wanted != Condition::True {
            there.push(self.test(&wide.wanted));
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
                format!("load_if<{count}>({}, {address}{old})", joined(&there, " && "))
            }
        };
        let load = self.with_ends(*k, index, wide.past, load);
        text.open(format!("if (wide{test}) {{"));
        text.line(format!("const Wide<{ty}, {count}> together = {load};"));
        let names: Vec<String> = members.iter().map(|l| format!("{before}{}", self.names.value(l.id))).collect();
        names.iter().enumerate().for_each(|(k, name)| text.line(format!("{name} = together.at[{k}];")));
        text.turn("} else {");
        members.iter().zip(&names).for_each(|(l, name)| text.line(format!("{name} = {};", self.expression(&l.made))));
        text.close("}");
    }
}

/// The neighbours that a line is fetched with.
pub fn wide_of(step: &Step, n: usize) -> Option<&Wide> {
    step.wide_loads.iter().find(|wide| wide.members.contains(&n))
}

/// Before the name of what is fetched for a coming step.
fn prefix(k: usize) -> String {
    format!("next{k}_")
}
