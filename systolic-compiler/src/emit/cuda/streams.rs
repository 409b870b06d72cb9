//! Streams, as CUDA: rows that go through shared memory chunk by chunk. The lanes of a warp copy pieces of rows, one after
//! another, so that neighbouring lanes access neighbouring pieces.
use super::body::{Body, coordinates, wait};
use super::loads::prefix;
use super::text::Text;
use crate::model::{Array, Type};
use crate::program::{Barrier, Condition, Operation};
use crate::schedule::{Access, Slot, Step, Stream, Streams, Wide};

impl Body<'_> {
    /// Writes the loop over the chunks of a section. The next chunk is under way while this one is computed.
    pub fn chunks(&self, text: &mut Text, step: &Step, streams: &Streams, time: &str) {
        let steps = streams.steps;
        text.line(format!("const I first = {time};"));
        self.boxes(text, step, streams);
        text.line(format!("I chunk = quotient<{steps}>({time});"));
        let loads = !streams.loads.is_empty();
        if loads {
            text.line("i32 buffer = 0;");
            self.bring(text, step, streams);
        }
        text.open(format!("if ({time} <= last) {{"));
        text.line(wait(Barrier::Warp));
        if loads {
            text.line("bring(chunk, 0);");
        }
        text.line("#pragma unroll 1");
        text.open(format!("while ({time} <= last) {{"));
        if loads {
            text.line("bring(chunk + 1, 1 - buffer);");
            text.line("await_brought<1>();");
        }
        let (before, after) = streams.barriers();
        before.into_iter().for_each(|barrier| text.line(wait(barrier)));
        text.line(format!("const I stop = least<I>(last, chunk * {steps} + {});", steps - 1));
        self.group_of_steps(text, step, streams, time, streams.group);
        self.group_of_steps(text, step, streams, time, 1);
        after.into_iter().for_each(|barrier| text.line(wait(barrier)));
        for (k, stream) in streams.stores.iter().enumerate() {
            self.take_away(text, step, streams, k, stream);
        }
        text.line("++chunk;");
        if loads {
            text.line("buffer = 1 - buffer;");
        }
        text.close("}");
        text.close("}");
    }

    /// Declares the boxes, and which lanes access their rows at all.
    fn boxes(&self, text: &mut Text, step: &Step, streams: &Streams) {
        for (k, (wide, stream)) in all(step, streams).enumerate() {
            let ty = self.element_of(step, streams, k);
            text.line(format!("{ty}* const stream_{k} = reinterpret_cast<{ty}*>(streams + {});", stream.offset));
            if wide.guard != Condition::True {
                text.line(format!("const u32 live_{k} = __ballot_sync(0xffffffffu, {});", self.test(&wide.guard)));
            }
        }
    }

    /// Defines the function that begins to copy a chunk into a buffer.
    fn bring(&self, text: &mut Text, step: &Step, streams: &Streams) {
        text.open("const auto bring = [&](I chunk, i32 buffer) {");
        for (k, (wide, stream)) in loads(step, streams).enumerate() {
            let Operation::Load { array: Array::Parameter(parameter), index } =
                &step.lines[wide.members[0]].inst.operation
            else {
                continue;
            };
            let count = wide.members.len();
            self.pieces(text, streams, stream, |body, text, test| {
                let (mut tests, address) = body.input(*parameter, index, count, &|_| false);
                tests.insert(0, test);
                tests.extend(is_live(k, wide));
                let cell = format!("(buffer * {} + other) * {} + piece", stream.rows, stream.pitch(streams.steps));
                text.line(format!(
                    "bring_if<{count}>({}, stream_{k} + ({cell}) * {count}, {address});",
                    tests.join(" && ")
                ));
            });
        }
        text.line("end_of_brought();");
        text.close("};");
    }

    /// Copies what a chunk has stored to memory.
    fn take_away(&self, text: &mut Text, step: &Step, streams: &Streams, number: usize, stream: &Stream) {
        let (wide, k) = (&step.wide_stores[stream.wide], streams.loads.len() + number);
        let store = &step.stores[wide.members[0]];
        let count = wide.members.len();
        self.pieces(text, streams, stream, |body, text, test| {
            let address = body.target(store.into, &store.index);
            let tests: Vec<String> = [test].into_iter().chain(is_live(k, wide)).collect();
            let cell = format!("other * {} + piece", stream.pitch(streams.steps));
            let value = format!("from_shared<{count}>(stream_{k} + ({cell}) * {count})");
            text.line(format!("store_if({}, {address}, {value});", tests.join(" && ")));
        });
    }

    /// Writes a loop in which lanes take the pieces of a box in turn: `other` is the row, `piece` the step in the chunk, `then`
    /// its time.
    fn pieces(&self, text: &mut Text, streams: &Streams, stream: &Stream, copy: impl Fn(&Body<'_>, &mut Text, String)) {
        let (steps, pieces) = (streams.steps, stream.rows * streams.steps);
        text.line("#pragma unroll");
        text.open(format!("for (i32 from = 0; from < {pieces}; from += 32) {{"));
        text.line(format!("const i32 other = (from + lane) / {steps}, piece = (from + lane) % {steps};"));
        let extents = &self.program.frame.lanes;
        let lanes: Vec<String> = (0..extents.len()).map(|k| format!("other_{k}")).collect();
        if stream.rows > 1 {
            coordinates(text, &lanes, extents, "other");
        }
        text.line(format!("const I then = chunk * {steps} + piece;"));
        let names = self.names.at("then").of_lanes(lanes);
        let mut test = "then >= first && then <= last".to_string();
        if pieces % 32 != 0 {
            test = format!("from + lane < {pieces} && {test}");
        }
        copy(&Body { names: &names, ..*self }, text, test);
        text.close("}");
    }

    /// Writes a loop over groups of steps. The pieces of all steps of a group are read before the first one is computed.
    fn group_of_steps(&self, text: &mut Text, step: &Step, streams: &Streams, time: &str, count: usize) {
        text.line("#pragma unroll 1");
        text.open(format!("while ({time} + {} <= stop) {{", count - 1));
        for k in 0..count {
            for (number, (wide, stream)) in loads(step, streams).enumerate() {
                self.declare(text, step, Access::Wide(wide), &prefix(k));
                let members = wide.members.len();
                let own = if stream.rows > 1 { self.own_lane() } else { "0".to_string() };
                let row = format!("(buffer * {} + {own}) * {}", stream.rows, stream.pitch(streams.steps));
                let cell = format!("({row} + i32({time} - chunk * {}) + {k}) * {members}", streams.steps);
                let ty = step.lines[wide.members[0]].inst.ty;
                text.open("{");
                let value = format!("from_shared<{members}>(stream_{number} + {cell})");
                text.line(format!("const Wide<{ty}, {members}> together = {value};"));
                for (at, n) in wide.members.iter().enumerate() {
                    let name = self.names.value(step.lines[*n].id);
                    text.line(format!("{}{name} = together.at[{at}];", prefix(k)));
                }
                text.close("}");
            }
        }
        for k in 0..count {
            text.open("{");
            self.streamed_step(text, step, streams, time, k);
            text.close("}");
            text.line(format!("++{time};"));
        }
        text.close("}");
    }

    /// Writes one step that takes its loads from registers and leaves its stores in shared memory.
    fn streamed_step(&self, text: &mut Text, step: &Step, streams: &Streams, time: &str, k: usize) {
        self.take(text, step, Slot::InTurn(k));
        self.lines(text, step, 0, |n| !self.is_load(&step.lines[n]));
        self.give(text, step, 0);
        self.stores(text, step, |text, wide| {
            let Some((number, stream)) = streams.store(wide) else { return false };
            let members: Vec<_> = step.wide_stores[wide].members.iter().map(|n| &step.stores[*n]).collect();
            let (count, ty) = (members.len(), self.program.values[members[0].value.0].ty);
            let names: Vec<&str> = members.iter().map(|s| self.names.value(s.value)).collect();
            let pitch = stream.pitch(streams.steps);
            let cell = format!("lane * {pitch} + i32({time} - chunk * {})", streams.steps);
            let value = format!("Wide<{ty}, {count}>{{{{{}}}}}", names.join(", "));
            let to = format!("stream_{} + ({cell}) * {count}", streams.loads.len() + number);
            match self.program.lane_count() {
                32 => text.line(format!("store({to}, {value});")),
                lanes => text.line(format!("if (lane < {lanes}) store({to}, {value});")),
            }
            true
        });
        self.rotate(text, step);
    }

    /// The type of the elements of a stream, counted as in `all`.
    fn element_of(&self, step: &Step, streams: &Streams, number: usize) -> Type {
        match number.checked_sub(streams.loads.len()) {
            None => step.lines[step.wide_loads[streams.loads[number].wide].members[0]].inst.ty,
            Some(k) => {
                let store = &step.stores[step.wide_stores[streams.stores[k].wide].members[0]];
                self.program.values[store.value.0].ty
            }
        }
    }
}

/// The streams of loads with their accesses.
fn loads<'s>(step: &'s Step, streams: &'s Streams) -> impl Iterator<Item = (&'s Wide, &'s Stream)> {
    streams.loads.iter().map(|stream| (&step.wide_loads[stream.wide], stream))
}

/// All streams with their accesses: loads, then stores.
fn all<'s>(step: &'s Step, streams: &'s Streams) -> impl Iterator<Item = (&'s Wide, &'s Stream)> {
    loads(step, streams).chain(streams.stores.iter().map(|stream| (&step.wide_stores[stream.wide], stream)))
}

/// The test that the lane of a row accesses it.
fn is_live(number: usize, wide: &Wide) -> Option<String> {
    (wide.guard != Condition::True).then(|| format!("(live_{number} >> other & 1) != 0"))
}
