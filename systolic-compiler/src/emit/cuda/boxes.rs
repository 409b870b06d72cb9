//! Staged boxes, as CUDA: the lanes of a block fill them together, as many neighbours with one access as are aligned, without
//! waiting for each. A double box is filled for the next iteration while this one reads its other half:
//!
//! ```text
//! fill half 0 for t = 0
//! for t in 0..=last
//!     wait for what this lane has copied, then for all lanes
//!     begin to fill the other half for t + 1
//!     compute, reading this half
//! ```
use super::body::{Body, wait};
use super::text::Text;
use crate::model::{Array, Int};
use crate::program::Stage;

/// The bytes that a copy without waiting may have.
const COPIED: [usize; 3] = [4, 8, 16];

impl Body<'_> {
    /// Defines the functions that fill boxes: `fill_0(t, half)`, with the times of the loops around the filling.
    pub fn boxes(&self, text: &mut Text) {
        for (k, stage) in self.program.stages.iter().enumerate() {
            let times = self.names.loops[..stage.level].iter().map(|time| format!("I {time}, "));
            text.open(format!("const auto fill_{k} = [&]({}i32 half) {{", times.collect::<String>()));
            if stage.piece > 1 {
                text.open("if (wide) {");
                self.pieces_of_box(text, k, stage, stage.piece);
                text.close_and_open("} else {");
                self.pieces_of_box(text, k, stage, 1);
                text.close("}");
            } else {
                self.pieces_of_box(text, k, stage, 1);
            }
            text.close("};");
        }
        for level in (1..=self.program.frame.loops.len()).filter(|level| self.program.has_double_boxes(*level)) {
            text.line(format!("i32 half_{level} = 0;"));
            text.line(format!("bool begun_{level} = false;"));
        }
    }

    /// Writes the copy of a box in pieces of `count` neighbours, which the lanes of the block take in turn.
    fn pieces_of_box(&self, text: &mut Text, number: usize, stage: &Stage, count: Int) {
        let threads = 32 * self.program.warp_count();
        let mut extents = stage.extents.clone();
        if let Some(last) = extents.last_mut() {
            *last /= count;
        }
        let pieces: Int = extents.iter().product();
        let turns = (pieces + threads - 1) / threads;
        text.line(format!("#pragma unroll {}", Stage::unrolled(turns)));
        text.open(format!("for (i32 from = 0; from < {pieces}; from += {threads}) {{"));
        text.line("const i32 cell = from + warp * 32 + lane;");
        let (mut position, mut axes) = ("0".to_string(), Vec::new());
        for (axis, extent) in extents.iter().enumerate() {
            let inner: Int = extents[axis + 1..].iter().product();
            let is_last = axis + 1 == extents.len();
            let over = if inner == 1 { "cell".to_string() } else { format!("cell / {inner}") };
            let rest = if axis == 0 { over } else { format!("{over} % {extent}") };
            let at = if is_last && count > 1 { format!("({rest}) * {count}") } else { format!("({rest})") };
            let length = if is_last { stage.pitch } else { *extent };
            position = if axis == 0 { at.clone() } else { format!("({position}) * {length} + {at}") };
            axes.push(format!("{} + {at}", self.names.form(&stage.low[axis])));
        }
        let to = match stage.is_double {
            true => format!("box_{number} + (half * {} + {position})", stage.cells()),
            false => format!("box_{number} + ({position})"),
        };
        let is_there = (pieces % threads != 0).then(|| format!("cell < {pieces}"));
        match self.copied(stage, &axes, count) {
            Some((tests, address)) => {
                let tests: Vec<String> = is_there.into_iter().chain(tests).collect();
                text.line(format!("bring_if<{count}>({}, {to}, {address});", tests.join(" && ")));
            }
            None => {
                let test = is_there.map_or(String::new(), |test| format!("if ({test}) "));
                text.line(format!("{test}*({to}) = {};", self.any_element(stage.array, &axes)));
            }
        }
        text.close("}");
    }

    /// The tests under which a piece is copied without waiting, and its address; `None` if elements outside the array have values, or
    /// a piece has other bytes than such a copy.
    fn copied(&self, stage: &Stage, axes: &[String], count: Int) -> Option<(Vec<String>, String)> {
        let Array::Parameter(parameter) = stage.array else { return None };
        if self.program.parameters[parameter].border.is_some() || !COPIED.contains(&(stage.ty.bytes() * count as usize))
        {
            return None;
        }
        let name = &self.names.parameters[parameter];
        let inside = |(k, axis): (usize, &String)| format!("is_below<I>({axis}, {name}_n{k})");
        let (_, address) = self.address(parameter, axes, count as usize, &|_| true);
        Some((axes.iter().enumerate().map(inside).collect(), address))
    }

    /// Writes that the boxes of a level are not filled yet, before the loop around their filling.
    pub fn begin_boxes(&self, text: &mut Text, level: usize) {
        if self.program.has_double_boxes(level) {
            text.line(format!("begun_{level} = false;"));
        }
    }

    /// Fills the boxes of a level.
    pub fn fill(&self, text: &mut Text, level: usize) {
        if self.of_level(level).next().is_none() {
            return;
        }
        let (before, after) = self.program.fences();
        if !self.program.has_double_boxes(level) {
            before.into_iter().for_each(|b| text.line(wait(b)));
            self.call_fill(text, level, None, "0");
            text.line("end_of_brought();");
            text.line("await_brought<0>();");
            return after.into_iter().for_each(|b| text.line(wait(b)));
        }
        let (time, next) = (&self.names.loops[level - 1], format!("{} + 1", self.names.loops[level - 1]));
        text.line(format!("half_{level} = 1 - half_{level};"));
        text.open(format!("if (!begun_{level}) {{"));
        // What was copied for an iteration that did not come may still be under way.
        text.line("await_brought<0>();");
        self.call_fill(text, level, None, &format!("half_{level}"));
        text.line("end_of_brought();");
        text.line(format!("begun_{level} = true;"));
        text.close("}");
        text.line("await_brought<0>();");
        if before.is_some() {
            after.into_iter().for_each(|b| text.line(wait(b)));
        }
        text.open(format!("if ({time} < high_{}) {{", level - 1));
        self.call_fill(text, level, Some(&next), &format!("1 - half_{level}"));
        text.close("}");
        text.line("end_of_brought();");
        if before.is_none() {
            after.into_iter().for_each(|b| text.line(wait(b)));
        }
    }

    fn of_level(&self, level: usize) -> impl Iterator<Item = (usize, &Stage)> {
        self.program.stages.iter().enumerate().filter(move |(_, stage)| stage.level == level)
    }

    /// Calls what fills the boxes of a level, at this time of the loop around it.
    fn call_fill(&self, text: &mut Text, level: usize, time: Option<&str>, half: &str) {
        for (k, _) in self.of_level(level) {
            let mut times: Vec<&str> = self.names.loops[..level].iter().map(String::as_str).collect();
            if let (Some(time), Some(last)) = (time, times.last_mut()) {
                *last = time;
            }
            times.push(half);
            text.line(format!("fill_{k}({});", times.join(", ")));
        }
    }
}
