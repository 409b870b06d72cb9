//! Streams, as CUDA: accesses that go through shared memory chunk by chunk. The lanes of a warp copy pieces of rows, one after
//! another, so that neighbouring lanes access neighbouring pieces; or each lane copies its own.
use super::body::{Body, coordinates, wait};
use super::loads::prefix;
use super::text::Text;
use crate::model::{Array, Type};
use crate::program::{Barrier, Condition, Operation};
use crate::schedule::{Rows, Slot, Step, Stream, Streams};

impl Body<'_> {
    /// Writes the loop over the chunks of a section. Later chunks are under way while one is computed.
    pub fn chunks(&self, text: &mut Text, step: &Step, streams: &Streams, time: &str) {
        let (steps, buffers) = (streams.steps, streams.buffers);
        text.line(format!("const I first = {time};"));
        self.boxes_of_streams(text, step, streams);
        text.line(format!("I chunk = quotient<{steps}>({time});"));
        let loads = !streams.loads.is_empty();
        if loads {
            text.line("i32 buffer = 0;");
            self.bring(text, step, streams);
        }
        text.open(format!("if ({time} <= last) {{"));
        text.line(wait(Barrier::Warp));
        if loads {
            text.line("#pragma unroll 1");
            text.line(format!(
                "for (i32 piece = 0; piece < {}; ++piece) bring_chunk(chunk + piece, piece);",
                streams.ahead()
            ));
        }
        text.line("#pragma unroll 1");
        text.open(format!("while ({time} <= last) {{"));
        if loads {
            let filled = match (streams.filled(), buffers) {
                (1, 2) => "1 - buffer".to_string(),
                (filled, _) => {
                    format!("buffer + {filled} < {buffers} ? buffer + {filled} : buffer + {filled} - {buffers}")
                }
            };
            text.line(format!("bring_chunk(chunk + {}, {filled});", streams.ahead()));
            text.line(format!("await_brought<{}>();", streams.under_way()));
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
            let next = if buffers == 2 {
                "1 - buffer".to_string()
            } else {
                format!("buffer + 1 < {buffers} ? buffer + 1 : 0")
            };
            text.line(format!("buffer = {next};"));
        }
        text.close("}");
        text.close("}");
    }

    /// Declares the boxes, and which lanes access their rows at all.
    fn boxes_of_streams(&self, text: &mut Text, step: &Step, streams: &Streams) {
        for (k, stream) in streams.loads.iter().chain(&streams.stores).enumerate() {
            let ty = self.element_of(step, streams, k);
            text.line(format!("{ty}* const stream_{k} = reinterpret_cast<{ty}*>(streams + {});", stream.offset));
            if stream.rows != Rows::Own && stream.guard != Condition::True {
                text.line(format!("const u32 live_{k} = __ballot_sync(0xffffffffu, {});", self.test(&stream.guard)));
            }
        }
    }

    /// Defines the function that begins to copy a chunk into a buffer.
    fn bring(&self, text: &mut Text, step: &Step, streams: &Streams) {
        text.open("const auto bring_chunk = [&](I chunk, i32 buffer) {");
        for (k, stream) in streams.loads.iter().enumerate() {
            let inst = &step.lines[stream.members[0]].inst;
            let Operation::Load { array: Array::Parameter(parameter), index } = &inst.operation else { continue };
            let count = stream.members.len();
            let wide = step.wide_load(stream.members[0]);
            let leads_back = |axis: usize| wide.map_or(inst.leads_back(axis), |wide| wide.back.contains(&axis));
            self.pieces(text, streams, stream, |body, text, mut tests| {
                let (there, address) = body.input(*parameter, index, count, &leads_back);
                tests.extend(there.into_iter().chain(body.is_live(k, stream)));
                let cell = cell(streams, stream, "buffer", row_of_copy(stream), "piece");
                let copied = format!("stream_{k} + ({cell}) * {count}, {address}");
                match tests.is_empty() {
                    true => text.line(format!("bring<{count}>({copied});")),
                    false => text.line(format!("bring_if<{count}>({}, {copied});", tests.join(" && "))),
                }
            });
        }
        text.line("end_of_brought();");
        text.close("};");
    }

    /// Copies what a chunk has stored to memory.
    fn take_away(&self, text: &mut Text, step: &Step, streams: &Streams, number: usize, stream: &Stream) {
        let k = streams.loads.len() + number;
        let store = &step.stores[stream.members[0]];
        let count = stream.members.len();
        self.pieces(text, streams, stream, |body, text, mut tests| {
            let address = body.target(store.into, &store.index);
            tests.extend(body.is_live(k, stream));
            let cell = cell(streams, stream, "0", row_of_copy(stream), "piece");
            let value = format!("from_shared<{count}>(stream_{k} + ({cell}) * {count})");
            match tests.is_empty() {
                true => text.line(format!("store({address}, {value});")),
                false => text.line(format!("store_if({}, {address}, {value});", tests.join(" && "))),
            }
        });
    }

    /// The test that the lane of a row accesses it.
    fn is_live(&self, number: usize, stream: &Stream) -> Option<String> {
        (stream.guard != Condition::True).then(|| match stream.rows {
            Rows::Own => self.test(&stream.guard),
            _ => format!("(live_{number} >> other & 1) != 0"),
        })
    }

    /// Writes the copy of all pieces of a chunk: without tests where all of its steps are run, and with them elsewhere.
    fn pieces(
        &self,
        text: &mut Text,
        streams: &Streams,
        stream: &Stream,
        copy: impl Fn(&Body<'_>, &mut Text, Vec<String>),
    ) {
        let steps = streams.steps;
        text.open(format!("if (chunk * {steps} >= first && chunk * {steps} + {} <= last) {{", steps - 1));
        self.every_piece(text, streams, stream, None, &copy);
        text.close_and_open("} else {");
        self.every_piece(text, streams, stream, Some("then >= first && then <= last"), &copy);
        text.close("}");
    }

    /// Writes a loop in which lanes take the pieces of a box in turn, or each its own: `other` is the row, `piece` the step in
    /// the chunk, `then` its time.
    fn every_piece(
        &self,
        text: &mut Text,
        streams: &Streams,
        stream: &Stream,
        test: Option<&str>,
        copy: &impl Fn(&Body<'_>, &mut Text, Vec<String>),
    ) {
        let (steps, pieces) = (streams.steps, stream.row_count() * streams.steps);
        let mut tests: Vec<String> = test.map(String::from).into_iter().collect();
        // The chunks at the ends are few.
        text.line(format!("#pragma unroll {}", if test.is_none() { streams.copies } else { 1 }));
        if stream.rows == Rows::Own {
            text.open(format!("for (i32 piece = 0; piece < {steps}; ++piece) {{"));
            text.line(format!("const I then = chunk * {steps} + piece;"));
            let names = self.names.at("then");
            copy(&Body { names: &names, ..*self }, text, tests);
            return text.close("}");
        }
        text.open(format!("for (i32 from = 0; from < {pieces}; from += 32) {{"));
        text.line(format!("const i32 other = (from + lane) / {steps}, piece = (from + lane) % {steps};"));
        let extents = &self.program.frame.lanes;
        let lanes: Vec<String> = (0..extents.len()).map(|k| format!("other_{k}")).collect();
        if stream.rows != Rows::Shared {
            coordinates(text, &lanes, extents, "other");
        }
        text.line(format!("const I then = chunk * {steps} + piece;"));
        let names = self.names.at("then").of_lanes(lanes);
        if pieces % 32 != 0 {
            tests.insert(0, format!("from + lane < {pieces}"));
        }
        copy(&Body { names: &names, ..*self }, text, tests);
        text.close("}");
    }

    /// Writes a loop over groups of steps. The pieces of all steps of a group are read before the first one is computed.
    fn group_of_steps(&self, text: &mut Text, step: &Step, streams: &Streams, time: &str, count: usize) {
        text.line("#pragma unroll 1");
        text.open(format!("while ({time} + {} <= stop) {{", count - 1));
        for k in 0..count {
            for (number, stream) in streams.loads.iter().enumerate() {
                let members = stream.members.len();
                let own = match stream.rows {
                    Rows::OfLanes(_) => self.own_lane(),
                    Rows::Shared => "0".to_string(),
                    Rows::Own => "lane".to_string(),
                };
                let piece = format!("(i32({time} - chunk * {}) + {k})", streams.steps);
                let cell = format!("({}) * {members}", cell(streams, stream, "buffer", &own, &piece));
                let ty = step.lines[stream.members[0]].inst.ty;
                for n in &stream.members {
                    text.line(format!("{ty} {}{};", prefix(k), self.names.value(step.lines[*n].id)));
                }
                text.open("{");
                let value = format!("from_shared<{members}>(stream_{number} + {cell})");
                text.line(format!("const Wide<{ty}, {members}> together = {value};"));
                for (at, n) in stream.members.iter().enumerate() {
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
            let members: Vec<_> = stream.members.iter().map(|n| &step.stores[*n]).collect();
            let (count, ty) = (members.len(), self.program.values[members[0].value.0].ty);
            let names: Vec<&str> = members.iter().map(|s| self.names.value(s.value)).collect();
            let piece = format!("i32({time} - chunk * {})", streams.steps);
            let cell = cell(streams, stream, "0", "lane", &piece);
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
            None => step.lines[streams.loads[number].members[0]].inst.ty,
            Some(k) => self.program.values[step.stores[streams.stores[k].members[0]].value.0].ty,
        }
    }
}

/// The number of a piece in the box of a stream.
fn cell(streams: &Streams, stream: &Stream, buffer: &str, row: &str, piece: &str) -> String {
    let (rows, steps) = (stream.row_count(), streams.steps);
    match stream.rows {
        Rows::Own => format!("({buffer} * {steps} + {piece}) * {rows} + {row}"),
        _ => format!("({buffer} * {rows} + {row}) * {} + {piece}", Stream::pitch(steps)),
    }
}

/// The row whose piece a lane copies.
fn row_of_copy(stream: &Stream) -> &'static str {
    if stream.rows == Rows::Own { "lane" } else { "other" }
}
