//! The body of a kernel: the code of one lane, from the first step of its block to the last. The control flow is the same in
//! all lanes; only loads and stores are predicated per lane.
use super::both::HAS_BESIDE;
use super::idioms::Idioms;
use super::names::Names;
use super::parameters;
use super::place::joined;
use super::text::Text;
use crate::mapping::PlaceForm;
use crate::model::{Int, Kernel};
use crate::program::{Barrier, Condition, Shared, Store, ValueId};
use crate::schedule::{Line, Pipeline, Schedule, Section, Slot, Step, Wide};
use std::collections::HashSet;

/// Writes the body of one program.
pub struct Body<'p> {
    pub kernel: &'p Kernel,
    pub program: &'p Schedule,
    pub names: &'p Names,
    pub idioms: &'p Idioms,
    /// Whether indices have 64 bits.
    pub has_64_bits: bool,
    /// Whether this is the second of two blocks that run as one.
    pub is_beside: bool,
}

/// The C++ variable that holds the value which a register was given `delay` steps ago.
pub fn register_name(register: usize, delay: Int) -> String {
    format!("r{register}_{delay}")
}

impl<'p> Body<'p> {
    pub fn write(&self, text: &mut Text) {
        text.line("// One lane of a block. `wide`: whether accesses of several elements are aligned.");
        text.line("template <typename I, bool wide>");
        text.open("__device__ __forceinline__ void body(const Params& p) {");
        parameters::locals(text, self.kernel, self.program, self.names);
        self.places(text);
        self.lengths(text);
        self.wait(text);
        self.bounds(text);
        self.memory(text);
        self.tables(text);
        self.registers(text);
        self.boxes(text);
        self.at_level(text, 0);
        if self.program.tickets.is_some() {
            text.line("publish(p.flags + at.number);");
        }
        text.close("}");
    }

    /// Waits for the blocks whose values this one reads: one lane for each.
    fn wait(&self, text: &mut Text) {
        let Some(tickets) = &self.program.tickets else { return };
        text.open("if (warp == 0) {");
        for (k, delta) in tickets.waits.iter().enumerate() {
            let axis = |k: usize| delta.get((k + delta.len()).wrapping_sub(3)).copied().unwrap_or(0);
            let by = (0..3).map(|k| axis(k).to_string()).collect::<Vec<_>>().join(", ");
            text.line(format!("if (lane == {k}) wait_for<I>(at, p.low, p.count, p.flags, {by});"));
        }
        text.close("}");
        text.line("__syncthreads();");
    }

    /// Declares the coordinates of this block, warp and lane.
    fn places(&self, text: &mut Text) {
        let frame = &self.program.frame;
        text.line("const i32 lane = i32(threadIdx.x), warp = i32(threadIdx.y);");
        let axes = frame.blocks.len() - frame.launches;
        if self.program.tickets.is_some() {
            text.line("const Block<I> at = ticket_at<I>(p.low, p.count, p.counter, p.order);");
        } else if axes > 0 {
            let ends = self.program.begins_with_ends();
            text.line(format!("const Block<I> at = block_at<I, {ends}>(p.low, p.count, p.linear);"));
        }
        let paired = self.program.paired.as_ref().map(|paired| paired.axis);
        for (k, block) in self.names.blocks.iter().enumerate() {
            if paired == Some(k) {
                let at = 3 - axes + k;
                let lines = self.coordinates_of_pair(k, &format!("at.axis[{at}]"));
                lines.into_iter().for_each(|line| text.line(line));
                continue;
            }
            let value = match k.checked_sub(frame.launches) {
                Some(axis) => format!("at.axis[{}]", 3 - axes + axis),
                None => format!("I(p.launch[{k}])"),
            };
            text.line(format!("const I {block} = {value};"));
        }
        coordinates(text, &self.names.lanes, &frame.lanes, &self.own_lane());
        coordinates(text, &self.names.warps, &frame.warps, "warp");
    }

    /// The number of this lane. Lanes after the last one that has points compute what that one computes, and store nothing.
    pub fn own_lane(&self) -> String {
        let count = self.program.lane_count();
        if count < 32 { format!("least(lane, {})", count - 1) } else { "lane".to_string() }
    }

    /// Loads the lengths of this block. Outside their array they are the least of their range.
    fn lengths(&self, text: &mut Text) {
        for length in &self.program.frame.lengths {
            let (name, array) = (&self.names.sizes[length.size], &self.names.parameters[length.parameter]);
            let index: Vec<String> = length.index.iter().map(|form| self.names.form(form)).collect();
            let inside = index.iter().enumerate().map(|(k, i)| format!("{i} >= 0 && {i} < {array}_n{k}"));
            let inside = inside.collect::<Vec<_>>().join(" && ");
            let last = index.len() - 1;
            let terms = index
                .iter()
                .enumerate()
                .map(|(k, i)| if k == last { format!("i64({i})") } else { format!("i64({i}) * {array}_s{k}") });
            let cell = terms.collect::<Vec<_>>().join(" + ");
            text.line(format!("const I {name} = {inside} ? I({array}[{cell}]) : I({});", length.least));
        }
    }

    fn bounds(&self, text: &mut Text) {
        for (k, row) in self.program.frame.loops.iter().enumerate() {
            text.line(format!("const I low_{k} = {};", self.names.bound(&row.low)));
            text.line(format!("const I high_{k} = {};", self.names.bound(&row.high)));
            let extent = format!("greatest<I>(high_{k} - low_{k} + 1, 0)");
            text.line(format!("const I extent_{k} = {extent};"));
        }
    }

    /// Declares pointers to the rings and boxes in shared memory, and to the rows. The rows lie after them in shared memory, or
    /// in device memory if the launch passes an address.
    fn memory(&self, text: &mut Text) {
        let (program, layout) = (self.program, Shared::of(self.program));
        if program.shared_bytes() > 0 || !program.rows.is_empty() {
            text.line("extern __shared__ __align__(16) u8 memory[];");
        }
        for (k, (ring, at)) in program.rings.iter().zip(&layout.rings).enumerate() {
            let ty = program.values[ring.value.0].ty;
            text.line(format!("{ty}* const ring_{k} = reinterpret_cast<{ty}*>(memory + {at});"));
        }
        for (k, (stage, at)) in program.stages.iter().zip(&layout.stages).enumerate() {
            let ty = stage.ty;
            text.line(format!("{ty}* const box_{k} = reinterpret_cast<{ty}*>(memory + {at});"));
        }
        for (k, (table, at)) in self.idioms.tables.iter().enumerate() {
            let own = format!("lane % {} * {}", table.copies, table.word_bytes());
            text.line(format!("const u8* const table_{k} = memory + ({at} + {own});"));
        }
        if program.stream_bytes() > 0 {
            text.line(format!("u8* const streams = memory + {} + warp * {};", layout.bytes, program.stream_bytes()));
        }
        if !program.rows.is_empty() {
            let has_blocks = program.frame.blocks.len() > program.frame.launches;
            let block = if has_blocks { "at.number" } else { "0" };
            let elsewhere = format!("p.rows + {block} * p.row_bytes");
            text.line(format!("u8* rows = p.rows == nullptr ? memory + {} : {elsewhere};", program.shared_bytes()));
        }
        for (k, row) in program.rows.iter().enumerate() {
            let ty = self.ty(row.value);
            text.line(format!("{ty}* const row_{k} = reinterpret_cast<{ty}*>(rows);"));
            if k + 1 < program.rows.len() {
                let mut cells = format!("i64({})", program.cells(row));
                (row.level + 1..program.frame.loops.len()).for_each(|k| cells.push_str(&format!(" * extent_{k}")));
                let bytes = program.cell_bytes(row.value);
                text.line(format!("rows += ({cells} * {bytes} + 15) / 16 * 16;"));
            }
        }
        if !program.rings.is_empty() {
            text.line("i32 step = 0;");
        }
    }

    /// Declares the carried registers. No iteration point uses their initial values.
    fn registers(&self, text: &mut Text) {
        for (k, register) in self.program.registers.iter().enumerate() {
            let (ty, zero) = (self.ty(register.value), self.zero(register.value));
            let each = (1..=register.delay).map(|d| format!("{} = {zero}", register_name(k, d)));
            if register.delay > 0 {
                text.line(format!("{ty} {};", each.collect::<Vec<_>>().join(", ")));
            }
        }
    }

    /// Copies the tables to shared memory.
    fn tables(&self, text: &mut Text) {
        let tables = &self.idioms.tables;
        let threads = 32 * self.program.warp_count();
        for (table, at) in tables {
            let (ty, copies, from) = (table.ty, table.copies, self.by_value(table.array));
            let all = table.count() * copies;
            text.open(format!("for (i32 cell = warp * 32 + lane; cell < {all}; cell += {threads}) {{"));
            let (mut inside, mut flat, mut place) =
                (Vec::new(), String::new(), format!("{at} + cell % {copies} * {}", table.word_bytes()));
            for (axis, length) in table.lengths.iter().enumerate() {
                let inner: Int = table.lengths[axis + 1..].iter().product::<Int>() * copies;
                let index = format!("(cell / {inner} % {length})");
                inside.push(format!("{index} < {}", length - 1));
                flat = if axis == 0 { index.clone() } else { format!("({flat} * {} + {index})", length - 1) };
                place.push_str(&format!(" + {}", self.in_table(table, axis, &index)));
            }
            let value = format!("{} ? {from}[{flat}] : {}", joined(&inside, " && "), self.outside(table.array));
            text.line(format!("*reinterpret_cast<{ty}*>(memory + ({place})) = {value};"));
            text.close("}");
        }
        if !tables.is_empty() {
            text.line(wait(self.program.barrier_of_all()));
        }
    }

    /// Writes the boxes, conditions and values of a level, and then the loop inside it.
    fn at_level(&self, text: &mut Text, level: usize) {
        let innermost = self.program.frame.loops.len();
        self.fill(text, level);
        if level < innermost || innermost == 0 {
            self.before(text, level);
        }
        self.begin_boxes(text, level + 1);
        if level + 1 >= innermost {
            return self.innermost(text);
        }
        let time = &self.names.loops[level];
        let row = &self.program.frame.loops[level];
        let (first, last) = match row.busy {
            Some(_) => (self.names.bound(row.first()), self.names.bound(row.last())),
            None => (format!("low_{level}"), format!("high_{level}")),
        };
        text.open(format!("for (I {time} = {first}; {time} <= {last}; ++{time}) {{"));
        self.at_level(text, level + 1);
        self.handover(text, level);
        text.close("}");
    }

    /// Writes the barrier at the end of an iteration of loop `level`, if there is one.
    pub fn handover(&self, text: &mut Text, level: usize) {
        if let Some(barrier) = self.program.handover(level) {
            text.line(wait(barrier));
        }
    }

    /// Writes the conditions and values of a level that no inner loop changes.
    fn before(&self, text: &mut Text, level: usize) {
        if level == self.program.frame.loops.len() {
            return;
        }
        for (k, named) in self.program.hoisted.named.iter().enumerate().filter(|(_, n)| n.level == level) {
            text.line(format!("const bool test_{k} = {};", self.names.condition(&named.condition)));
        }
        for (k, inst) in self.program.values.iter().enumerate().filter(|(_, m)| m.level == level) {
            let id = ValueId(k);
            if !self.is_index_of_both(id) {
                text.line(format!(
                    "const {} {} = {};",
                    self.ty(id),
                    self.names.value(id),
                    self.value_of(None, id, inst, None)
                ));
            }
            self.extension(id).into_iter().for_each(|line| text.line(line));
        }
    }

    /// Writes one iteration of the innermost loop.
    pub fn step(&self, text: &mut Text, pipeline: &Pipeline<'_>, section: &Section, slot: Slot) {
        let (program, step, prefetch) = (self.program, &section.step, pipeline.prefetch(section));
        let mut early: &[usize] = &[];
        match self.names.loops.last() {
            Some(time) if pipeline.distance > 0 => {
                self.take(text, step, slot);
                early = &prefetch.early;
                early.iter().for_each(|n| self.line(text, step, *n, &step.lines[*n]));
                self.load_ahead(text, pipeline, section, slot, time);
            }
            _ if prefetch.loads_first => self.load_all(text, step),
            _ => {}
        }
        let loaded = pipeline.distance > 0 || prefetch.loads_first;
        for phase in 0..program.phases() {
            if phase > 0 {
                text.line(wait(Barrier::Block));
            }
            let done = |n: usize| early.contains(&n) || (loaded && self.is_load(&step.lines[n]));
            self.lines(text, step, phase, |n| !done(n));
            self.give(text, step, phase);
        }
        self.stores(text, step, |_, _| false);
        self.rotate(text, step);
        if program.has_barrier_after_step() {
            text.line(wait(Barrier::Block));
        }
        if !program.rings.is_empty() {
            let round = program.rings.iter().fold(1, |all, r| lcm(all, r.slots()));
            text.line(format!("step = step + 1 == {round} ? 0 : step + 1;"));
        }
    }

    /// Writes those lines of a phase for which `here` holds. Neighbours with the same condition `guard` are one group.
    pub fn lines(&self, text: &mut Text, step: &Step, phase: usize, here: impl Fn(usize) -> bool) {
        let here = |(n, line): &(usize, &Line)| line.inst.phase == phase && here(*n);
        let lines: Vec<(usize, &Line)> = step.lines.iter().enumerate().filter(here).collect();
        for group in lines.chunk_by(|(_, a), (_, b)| a.guard == b.guard) {
            if group[0].1.guard == Condition::True {
                group.iter().for_each(|(n, line)| self.line(text, step, *n, line));
            } else {
                let group: Vec<&Line> = group.iter().map(|(_, line)| *line).collect();
                self.group(text, step, &group);
            }
        }
    }

    fn line(&self, text: &mut Text, step: &Step, n: usize, line: &Line) {
        match step.wide_load(n) {
            Some(wide) if self.is_load(line) => self.load_here(text, step, wide, n),
            _ if self.is_index_of_both(line.id) => {}
            _ => {
                let name = self.names.value(line.id);
                let sum = self.sum_with_either(step, &line.inst);
                let value = sum.unwrap_or_else(|| self.value_of(Some(step), line.id, &line.inst, None));
                text.line(format!("const {} {name} = {value};", self.ty(line.id)));
            }
        }
    }

    /// Writes lines that run under one condition. Values that are used outside the group are declared before it.
    fn group(&self, text: &mut Text, step: &Step, group: &[&Line]) {
        let assign = |line: &Line| {
            format!("{} = {};", self.names.value(line.id), self.value_of(Some(step), line.id, &line.inst, None))
        };
        let group: Vec<&Line> = group.iter().copied().filter(|line| !self.is_index_of_both(line.id)).collect();
        let Some(guard) = group.first().map(|line| &line.guard) else { return };
        let inside: HashSet<ValueId> = group.iter().map(|line| line.id).collect();
        let others = step.lines.iter().filter(|line| !inside.contains(&line.id));
        let seen: HashSet<ValueId> =
            others.flat_map(|line| line.inst.operation.operands()).chain(step.uses()).collect();
        for line in group.iter().filter(|line| seen.contains(&line.id)) {
            // If the group is skipped, a register that would take the value keeps its own, so that nothing moves. Other values
            // stay uninitialised.
            let kept = step.registers.iter().position(|id| *id == line.id);
            let kept = kept.map_or(String::new(), |k| format!(" = {}", register_name(k, 1)));
            text.line(format!("{} {}{kept};", self.ty(line.id), self.names.value(line.id)));
        }
        text.open(format!("if ({}) {{", self.names.condition(guard)));
        for line in &group {
            let ty = if seen.contains(&line.id) { String::new() } else { format!("const {} ", self.ty(line.id)) };
            text.line(ty + &assign(line));
        }
        text.close("}");
    }

    /// Writes the values of a phase that go into rings and rows.
    pub fn give(&self, text: &mut Text, step: &Step, phase: usize) {
        let program = self.program;
        for (k, ring) in program.rings.iter().enumerate().filter(|(_, r)| program.values[r.value.0].phase == phase) {
            let (slots, count) = (ring.slots(), program.warp_count());
            let slot = if slots == 1 { "0".to_string() } else { format!("remainder<{slots}>(step)") };
            let value = self.names.value(step.rings[k]);
            text.line(format!("ring_{k}[({slot} * {count} + warp) * 32 + lane] = {value};"));
        }
        for (k, (row, value)) in program.rows.iter().zip(&step.rows).enumerate() {
            if program.values[row.value.0].phase != phase {
                continue;
            }
            let nothing = vec![0; program.frame.loops.len() - row.level - 1];
            let (_, cell) = self.row_cell(k, 0, &nothing, 0);
            let kept = 32 - row.lanes.abs();
            let (test, slot) = match row.lanes {
                0 => (None, "lane".to_string()),
                lanes if lanes > 0 => (Some(format!("lane < {kept}")), "lane".to_string()),
                lanes => (Some(format!("lane >= {}", -lanes)), format!("lane - {}", -lanes)),
            };
            let put = format!("row_{k}[({cell}) * {kept} + {slot}] = {};", self.value_as(row.value, *value));
            put_where(text, &test.into_iter().collect::<Vec<_>>(), put);
        }
    }

    /// Writes the stores of a step. `through` writes a wide store in another way, if it returns true.
    pub fn stores(&self, text: &mut Text, step: &Step, through: impl Fn(&mut Text, &Wide) -> bool) {
        for (n, store) in step.stores.iter().enumerate() {
            match step.wide_stores.iter().find(|w| w.members.contains(&n)) {
                Some(wide) if wide.members.iter().min() != Some(&n) => {}
                Some(wide) if through(text, wide) => {}
                Some(wide) => self.store_together(text, step, wide),
                None => self.store(text, store),
            }
        }
    }

    fn store(&self, text: &mut Text, store: &Store) {
        let write = |body: &Body<'_>, more: &[&str], value: &str| {
            let mut tests = body.store_tests(&store.condition, &store.whole);
            tests.extend(more.iter().map(ToString::to_string));
            stored(&tests, &body.target(store.into, &store.index), value)
        };
        match self.stored_halves(store) {
            None => text.line(write(self, &[], self.names.value(store.value))),
            Some([first, second]) => {
                text.line(write(self, &[], &first));
                let second = self.beside(|body| write(body, &[HAS_BESIDE], &second));
                second.into_iter().for_each(|line| text.line(line));
            }
        }
    }

    fn store_together(&self, text: &mut Text, step: &Step, wide: &Wide) {
        let members: Vec<_> = wide.members.iter().map(|n| &step.stores[*n]).collect();
        let (count, ty) = (members.len(), self.program.values[members[0].value.0].ty);
        // If some of these places are iteration points and others are not, each element is stored on its own.
        let alike = members.iter().all(|s| s.whole == members[0].whole);
        let whole: Vec<_> = members.iter().flat_map(|s| s.whole.clone()).collect();
        let (outer, inner) = if alike { (&[][..], &members[0].whole[..]) } else { (&whole[..], &[][..]) };
        let mut together: Vec<String> = outer.iter().flat_map(|f| self.names.whole(f)).collect();
        together.extend((wide.when != Condition::True).then(|| self.test(&wide.when)));
        let together = if together.is_empty() { "true".to_string() } else { joined(&together, " && ") };
        let names: Vec<&str> = members.iter().map(|s| self.names.value(s.value)).collect();
        let address = self.target(members[0].into, &members[0].index);
        text.open(format!("if ({}) {{", with_wide(&together)));
        let value = format!("Wide<{ty}, {count}>{{{{{}}}}}", names.join(", "));
        text.line(stored(&self.store_tests(&wide.guard, inner), &address, &value));
        text.close_and_open("} else {");
        members.iter().for_each(|s| self.store(text, s));
        text.close("}");
    }

    /// The tests under which a place stores: it is an iteration point, the condition holds, and its lane has points.
    fn store_tests(&self, condition: &Condition, whole: &[PlaceForm]) -> Vec<String> {
        let mut tests: Vec<String> = whole.iter().flat_map(|f| self.names.whole(f)).collect();
        tests.dedup();
        if *condition != Condition::True {
            tests.push(self.test(condition));
        }
        if self.program.lane_count() < 32 {
            tests.push(format!("lane < {}", self.program.lane_count()));
        }
        tests
    }

    /// Rotates each register, the largest delay first. The values that they take are locals, which no rotation overwrites.
    pub fn rotate(&self, text: &mut Text, step: &Step) {
        for (k, register) in self.program.registers.iter().enumerate().filter(|(_, r)| r.delay > 0) {
            for delay in (2..=register.delay).rev() {
                text.line(format!("{} = {};", register_name(k, delay), register_name(k, delay - 1)));
            }
            let given = self.value_as(register.value, step.registers[k]);
            text.line(format!("{} = {given};", register_name(k, 1)));
        }
    }
}

/// Writes a line that runs where all tests hold.
fn put_where(text: &mut Text, tests: &[String], put: String) {
    if tests.is_empty() {
        return text.line(put);
    }
    text.open(format!("if ({}) {{", joined(tests, " && ")));
    text.line(put);
    text.close("}");
}

/// A test that also requires aligned wide accesses.
pub fn with_wide(test: &str) -> String {
    if test == "true" { "wide".to_string() } else { format!("wide && {test}") }
}

/// A store that runs where all tests hold.
fn stored(tests: &[String], address: &str, value: &str) -> String {
    match tests.is_empty() {
        true => format!("store({address}, {value});"),
        false => format!("store_if({}, {address}, {value});", joined(tests, " && ")),
    }
}

/// Declares the coordinates of a number in rows, of which the last one varies fastest. The first row has no upper limit.
pub fn coordinates(text: &mut Text, names: &[String], extents: &[Int], number: &str) {
    for (k, name) in names.iter().enumerate() {
        let inner: Int = extents[k + 1..].iter().product();
        let mut value = if inner == 1 { number.to_string() } else { format!("({number}) / {inner}") };
        if k > 0 {
            value = format!("({value}) % {}", extents[k]);
        }
        text.line(format!("const I {name} = {value};"));
    }
}

pub fn wait(barrier: Barrier) -> &'static str {
    match barrier {
        Barrier::Warp => "__syncwarp();",
        Barrier::Block => "__syncthreads();",
    }
}

fn lcm(a: Int, b: Int) -> Int {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
