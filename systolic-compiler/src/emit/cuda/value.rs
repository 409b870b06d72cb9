//! Instructions as C++ expressions.
use super::body::Body;
use super::literal::literal;
use super::minus::negated;
use super::place::{joined, number};
use crate::mapping::PlaceForm;
use crate::model::{Array, BinaryOp, Border, Int, ParameterKind, Type};
use crate::program::{Condition, Inst, Into, Operation, Table, ValueId, literal as literal_value};
use crate::schedule::{Past, Step, Use};

impl Body<'_> {
    /// A load. In lanes that do not need it the result is `old` if given, and 0 otherwise.
    pub fn loaded(&self, inst: &Inst, old: Option<&str>) -> String {
        let (array, index) = match &inst.operation {
            Operation::Load { array, index } => (array, index),
            Operation::Face { face, index } => return self.read_face(face.0, index, &inst.needed, old),
            _ => return self.expression(inst),
        };
        let leads_back = |axis: usize| inst.leads_back(axis);
        self.guarded(inst.ty, &inst.needed, &self.element(*array, index, &leads_back), old)
    }

    fn read(&self, id: &ValueId) -> &str {
        self.names.value(*id)
    }

    /// The value of a line, in a step or before all of them. In lanes that need no load the result is `old` if given, and 0 otherwise.
    pub fn value_of(&self, step: Option<&Step>, id: ValueId, inst: &Inst, old: Option<&str>) -> String {
        if self.program.differs(id) { self.expression_of_both(step, id, inst, old) } else { self.loaded(inst, old) }
    }

    pub fn expression(&self, inst: &Inst) -> String {
        self.expression_with(inst, &format!("zero<{}>()", inst.ty))
    }

    /// The same. What lies outside a ring or a row is `zero`.
    pub fn expression_with(&self, inst: &Inst, zero: &str) -> String {
        let ty = inst.ty;
        match &inst.operation {
            Operation::Literal(bits) => literal(literal_value(ty, *bits)),
            Operation::Index(form) => format!("i64({})", self.names.form(form)),
            Operation::Holds(condition) => self.test(condition),
            Operation::Load { .. } => self.loaded(inst, None),
            Operation::Face { face, index } => self.read_face(face.0, index, &inst.needed, None),
            Operation::Lookup { array, index } => self.lookup(*array, index, &|id| self.names.value(id).to_string()),
            Operation::Staged { stage, cell } => self.staged(stage.0, cell),
            Operation::Unary(op, a) => format!("{}({})", word(op.name()), self.read(a)),
            Operation::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) => {
                format!("{}({}, {})", word(op.name()), self.extreme_operand(*a), self.extreme_operand(*b))
            }
            Operation::Binary(op, a, b) => match negated(self.program, *op, *a, *b) {
                Some(value) => format!("neg({})", self.read(&value)),
                None => format!("{}({}, {})", word(op.name()), self.read(a), self.read(b)),
            },
            Operation::Fma(a, b, c) => format!("fma({}, {}, {})", self.read(a), self.read(b), self.read(c)),
            Operation::Compare(op, a, b) => {
                let [a, b] = if inst.level == self.program.frame.loops.len() {
                    self.compared([*a, *b])
                } else {
                    [self.read(a).to_string(), self.read(b).to_string()]
                };
                format!("{}({a}, {b})", op.name())
            }
            Operation::Cast(a) => format!("cast<{ty}>({})", self.read(a)),
            Operation::Select(condition, a, b) => {
                format!("{} ? {} : {}", self.test(condition), self.read(a), self.read(b))
            }
            Operation::Choose(c, a, b) => format!("{} ? {} : {}", self.read(c), self.read(a), self.read(b)),
            Operation::Shuffle { value, lanes } => format!("shuffle({}, {})", self.read(value), other_lane(*lanes)),
            Operation::Rotate { value, lanes } => format!("shuffle({}, {})", self.read(value), self.around(*lanes)),
            Operation::Carried { register, delay } => super::body::register_name(register.0, *delay),
            Operation::Ring { ring, lanes, warps, delay } => self.ring(zero, ring.0, *lanes, *warps, *delay),
            Operation::Row { row, lanes, warps, laps, inner } => {
                let (there, cell) = self.row_cell(row.0, *laps, inner, *warps);
                // A row keeps only the lanes that some lane reads.
                let slot = if *lanes > 0 { other_lane(*lanes) } else { "lane".to_string() };
                let there = [there, lane_exists(*lanes)].concat();
                let kept = 32 - lanes.abs();
                choice(&there, &format!("row_{}[({cell}) * {kept} + {slot}]", row.0), zero)
            }
            Operation::Poison => zero.to_string(),
        }
    }

    /// Lane − `lanes`, modulo the number of lanes.
    fn around(&self, lanes: Int) -> String {
        match self.program.lane_count() {
            // The shuffle takes the lane modulo 32.
            32 => other_lane(lanes),
            count => format!("(i32({}) + {}) % {count}", self.names.lanes[0], (count - lanes).rem_euclid(count)),
        }
    }

    /// A condition where it is used; hoisted parts by their names.
    pub fn test(&self, condition: &Condition) -> String {
        self.usage(&self.program.hoisted.usage(condition))
    }

    fn usage(&self, usage: &Use) -> String {
        let parts = |list: &[Use]| list.iter().map(|u| self.usage(u)).collect::<Vec<_>>();
        match usage {
            Use::True => "true".to_string(),
            Use::False => "false".to_string(),
            Use::Named(k) => match &self.program.hoisted.named[*k].condition {
                condition if self.is_beside && self.is_of_pair(condition) => self.names.condition(condition),
                _ => format!("test_{k}"),
            },
            Use::Here(condition) => self.names.condition(condition),
            Use::All(list) => joined(&parts(list), " && "),
            Use::Any(list) => joined(&parts(list), " || "),
            Use::Not(inner) => format!("!({})", self.usage(inner)),
        }
    }

    /// Reads an element where it exists and is needed. Elsewhere the result is 0, or `old` if given and the element is loaded.
    fn guarded(&self, ty: Type, needed: &Condition, element: &Element, old: Option<&str>) -> String {
        let mut tests = element.there.clone();
        if *needed != Condition::True {
            tests.push(self.test(needed));
        }
        match &element.read {
            Read::Value(value) => choice(&tests, value, &format!("zero<{ty}>()")),
            Read::At(address) if tests.is_empty() => format!("load({address})"),
            Read::At(address) => {
                let old = old.map_or(String::new(), |old| format!(", {old}"));
                format!("load_if({}, {address}{old})", joined(&tests, " && "))
            }
        }
    }

    /// How an element is read. The border is applied along the axes for which `leads_back` holds.
    fn element(&self, array: Array, index: &[PlaceForm], leads_back: &dyn Fn(usize) -> bool) -> Element {
        let at = |value: String| Element { there: Vec::new(), read: Read::Value(value) };
        match array {
            Array::Constant(k) => {
                let constant = &self.kernel.constants[k];
                match fixed(index, &constant.dims).and_then(|at| constant.values.get(at)) {
                    Some(value) => at(literal(*value)),
                    None => at(format!("{}[{}]", self.names.constants[k], self.flat(index, &constant.dims))),
                }
            }
            Array::Parameter(k) => match &self.kernel.parameters[k].kind {
                ParameterKind::Const { dims, .. } => {
                    at(format!("p.{}[{}]", self.names.parameters[k], self.flat(index, dims)))
                }
                ParameterKind::Array { .. } => {
                    let (there, address) = self.input(k, index, 1, leads_back);
                    Element { there, read: Read::At(address) }
                }
                _ => at(format!("p.{}", self.names.parameters[k])),
            },
        }
    }

    /// The tests under which an element of an input exists, and its address. It is the first of `count` neighbours. The border
    /// is applied along the axes for which `leads_back` holds.
    pub fn input(
        &self,
        parameter: usize,
        index: &[PlaceForm],
        count: usize,
        leads_back: &dyn Fn(usize) -> bool,
    ) -> (Vec<String>, String) {
        // A border needs the whole index of the last axis, so its constant cannot be split off.
        let apart = !leads_back(index.len().saturating_sub(1));
        let (axes, beyond) = self.axes(index, apart);
        let (there, address) = self.address(parameter, &axes, count, leads_back);
        (there, shifted(&address, -beyond))
    }

    /// Applies `clamp` to a wide load whose elements may lie before or after their row: they become its first or last element.
    pub fn with_ends(&self, parameter: usize, index: &[PlaceForm], past: Past, load: String) -> String {
        let is_clamped = matches!(self.program.parameters[parameter].border, Some(Border::Clamp));
        let Some(last) = index.last().filter(|_| is_clamped && past != Past::default()) else { return load };
        let length = format!("{}_n{}", self.names.parameters[parameter], index.len() - 1);
        format!("with_ends<{}, {}, I>({load}, {}, {length})", past.before, past.after, self.names.form(last))
    }

    /// The axes of an element, and how many elements after them it lies: with `apart`, the constant of the last axis.
    /// Neighbours then share one address computation, and the constant becomes the offset of the access.
    fn axes(&self, index: &[PlaceForm], apart: bool) -> (Vec<String>, Int) {
        let last = index.last().filter(|f| apart && f.denominator() == 1);
        let beyond = last.map_or(0, PlaceForm::offset);
        let at = |(k, f): (usize, &PlaceForm)| if k + 1 == index.len() { f.plus(-beyond) } else { f.clone() };
        (index.iter().enumerate().map(|f| self.names.form(&at(f))).collect(), beyond)
    }

    /// The same for axes that are C++ already. Along the last axis `clamp` moves all neighbours together.
    pub fn address(
        &self,
        parameter: usize,
        axes: &[String],
        count: usize,
        leads_back: &dyn Fn(usize) -> bool,
    ) -> (Vec<String>, String) {
        let name = &self.names.parameters[parameter];
        let border = self.program.parameters[parameter].border.as_ref().and_then(leading_back);
        let mut there = Vec::new();
        let mut along = |(k, axis): (usize, &String)| match border.filter(|_| leads_back(k)) {
            Some(border) => {
                // An empty axis has no element that the border could map to.
                if self.program.may_be_empty(Array::Parameter(parameter), k) {
                    there.push(format!("{name}_n{k} > 0"));
                }
                let is_last = k + 1 == axes.len();
                let beyond = if border == "clamp" && is_last { count as Int - 1 } else { 0 };
                let length = shifted(&format!("{name}_n{k}"), beyond);
                match self.program.parameters[parameter].group {
                    // Around the whole row or around all groups: that is the same.
                    group if is_last && group > 1 && border != "wrap" => {
                        format!(
                            "in_groups<{group}, I>({axis}, [&](I i) {{ return {border}<I>(i, {length} / {group}); }})"
                        )
                    }
                    _ => format!("{border}<I>({axis}, {length})"),
                }
            }
            None => axis.clone(),
        };
        let axes: Vec<String> = axes.iter().enumerate().map(&mut along).collect();
        (there, format!("{name} + {}", strided(name, &axes)))
    }

    /// An element of an input at any index. Outside, the border applies.
    pub fn any_element(&self, array: Array, axes: &[String]) -> String {
        let Array::Parameter(k) = array else { return "0".to_string() };
        let ParameterKind::Array { ty, border, .. } = &self.kernel.parameters[k].kind else { return "0".to_string() };
        let name = &self.names.parameters[k];
        let (mut there, address) = self.address(k, axes, 1, &|_| true);
        let outside = match border {
            Some(Border::Constant(value)) => literal(*value),
            Some(Border::Scalar(k)) => format!("p.{}", self.names.parameters[*k]),
            _ => format!("zero<{ty}>()"),
        };
        if self.program.guards(array) {
            let inside = |(k, axis): (usize, &String)| format!("is_below<I>({axis}, {name}_n{k})");
            there = axes.iter().enumerate().map(inside).collect();
        }
        match there.is_empty() {
            true => format!("load({address})"),
            false => format!("{} ? load({address}) : {outside}", joined(&there, " && ")),
        }
    }

    /// The name of an array that has no memory of its own.
    pub fn by_value(&self, array: Array) -> String {
        match array {
            Array::Parameter(k) => format!("p.{}", self.names.parameters[k]),
            Array::Constant(k) => self.names.constants[k].clone(),
        }
    }

    /// An element at indices that are values. They may lie anywhere, so they are computed in 64 bits until the border has been
    /// applied, unless they came from fewer bits.
    /// `named` writes an index.
    pub fn lookup(&self, array: Array, index: &[ValueId], named: &dyn Fn(ValueId) -> String) -> String {
        let border = self.kernel.border(array);
        let in_memory = self.program.in_memory(array);
        let lengths: Vec<String> = match array {
            Array::Parameter(k) if in_memory => {
                (0..index.len()).map(|axis| format!("{}_n{axis}", self.names.parameters[k])).collect()
            }
            _ => self.program.operand(array).dims.iter().map(|form| self.names.form(form)).collect(),
        };
        let mut there = Vec::new();
        let tables = &self.idioms.tables;
        let table = tables.iter().position(|(table, _)| table.array == array).map(|k| (k, &tables[k].0));
        let along = |(k, id): (usize, &ValueId)| {
            let ty = if !in_memory && self.fits_32_bits(*id) { "i32" } else { "i64" };
            let (at, length) = (format!("{ty}({})", named(*id)), format!("{ty}({})", lengths[k]));
            let Some(border) = border.and_then(leading_back) else {
                if table.is_some() {
                    return format!("until_end({at}, {length})");
                }
                there.push(format!("is_below<{ty}>({at}, {length})"));
                return at;
            };
            if self.program.may_be_empty(array, k) {
                there.push(format!("{length} > 0"));
            }
            format!("{border}<{ty}>({at}, {length})")
        };
        let axes: Vec<String> = index.iter().enumerate().map(along).collect();
        let value = match array {
            Array::Parameter(k) if in_memory => {
                let (name, last) = (&self.names.parameters[k], axes.len() - 1);
                let term = |(k, axis): (usize, &String)| match k == last {
                    true => axis.clone(),
                    false => format!("{axis} * i64({name}_s{k})"),
                };
                format!("load({name} + ({}))", axes.iter().enumerate().map(term).collect::<Vec<_>>().join(" + "))
            }
            _ if let Some((k, table)) = table => {
                let at = axes.iter().enumerate().map(|(axis, index)| self.in_table(table, axis, index));
                format!("from_table<{}>(table_{k} + ({}))", table.ty, at.collect::<Vec<_>>().join(" + "))
            }
            _ => {
                let flat =
                    axes.iter().zip(&lengths).fold(String::new(), |flat, (axis, length)| match flat.is_empty() {
                        true => axis.clone(),
                        false => format!("({flat}) * {length} + {axis}"),
                    });
                format!("{}[{flat}]", self.by_value(array))
            }
        };
        if there.is_empty() { value } else { format!("{} ? {value} : {}", joined(&there, " && "), self.outside(array)) }
    }

    /// What an index outside an array reads, if its border gives a value instead of an element.
    pub fn outside(&self, array: Array) -> String {
        match self.kernel.border(array) {
            Some(Border::Constant(value)) => literal(*value),
            Some(Border::Scalar(k)) => format!("p.{}", self.names.parameters[*k]),
            _ => format!("zero<{}>()", self.kernel.element(array)),
        }
    }

    /// The bytes from the first element of a table to this index along an axis.
    pub fn in_table(&self, table: &Table, axis: usize, index: &str) -> String {
        match axis + 1 == table.lengths.len() {
            true => format!("in_table_row<{}, {}>({index})", table.ty, table.copies),
            false => format!("i32({index}) * {}", table.stride(axis)),
        }
    }

    /// Whether an `i32` holds every value that an index of type `i64` may have: it is a conversion of a narrower integer.
    fn fits_32_bits(&self, id: ValueId) -> bool {
        let Operation::Cast(from) = self.program.values[id.0].operation else { return false };
        matches!(self.program.values[from.0].ty, Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32)
    }

    /// The address of an element of an output.
    pub fn target(&self, into: Into, index: &[PlaceForm]) -> String {
        let (axes, beyond) = self.axes(index, true);
        let output = match into {
            Into::Output(output) => output,
            Into::Face(face) => return self.in_face(face.0, index),
        };
        let name = &self.names.outputs[output];
        shifted(&format!("{name} + {}", strided(name, &axes)), -beyond)
    }

    /// The address of a value in a face. A face may be longer than an index of 32 bits reaches.
    pub fn in_face(&self, face: usize, index: &[PlaceForm]) -> String {
        let mut at = String::new();
        for (k, form) in index.iter().enumerate() {
            let axis = self.names.form(form);
            at = if k == 0 { format!("i64({axis})") } else { format!("({at} * face_{face}_n{k} + ({axis}))") };
        }
        format!("face_{face} + {at}")
    }

    /// A value of another block or launch where it is needed; elsewhere `old` if given, and 0 otherwise.
    fn read_face(&self, face: usize, index: &[PlaceForm], needed: &Condition, old: Option<&str>) -> String {
        let load = self.face_load(face);
        let old = old.map_or(String::new(), |old| format!(", {old}"));
        format!("{load}({}, {}{old})", self.test(needed), self.in_face(face, index))
    }

    /// The function that loads from a face: what blocks of the same launch have left is not in the cache of the multiprocessor.
    pub fn face_load(&self, face: usize) -> &'static str {
        if self.program.faces[face].launched { "load_if" } else { "load_far" }
    }

    /// The row-major position of an index.
    fn flat(&self, index: &[PlaceForm], dims: &[Int]) -> String {
        if let Some(at) = fixed(index, dims) {
            return at.to_string();
        }
        let axes: Vec<String> = index.iter().map(|f| self.names.form(f)).collect();
        let strides: Vec<Int> = (0..dims.len()).map(|k| dims[k + 1..].iter().product()).collect();
        let terms = axes.iter().zip(&strides).map(|(axis, stride)| format!("({axis}) * {}", number(*stride)));
        terms.collect::<Vec<_>>().join(" + ")
    }

    fn staged(&self, stage: usize, cell: &[PlaceForm]) -> String {
        let kept = &self.program.stages[stage];
        let mut position = String::new();
        for (k, axis) in cell.iter().map(|f| self.names.form(f)).enumerate() {
            let length = if k + 1 == cell.len() { kept.pitch } else { kept.extents[k] };
            position = if k == 0 { format!("({axis})") } else { format!("({position} * {length} + ({axis}))") };
        }
        let half = if kept.is_double { format!("half_{} * {} + ", kept.level, kept.cells()) } else { String::new() };
        // The box has the cells of all places, also of those without an iteration point.
        format!("box_{stage}[{half}{position}]")
    }

    fn ring(&self, zero: &str, ring: usize, lanes: Int, warps: Int, delay: Int) -> String {
        let (slots, count) = (self.program.rings[ring].slots(), self.program.warp_count());
        let from = shifted("warp", warps);
        let mut there = warp_exists(warps, count);
        there.extend(lane_exists(lanes));
        let slot = if slots == 1 { "0".to_string() } else { format!("remainder<{slots}>(step - {delay})") };
        choice(&there, &format!("ring_{ring}[({slot} * {count} + {from}) * 32 + {}]", other_lane(lanes)), zero)
    }

    /// The tests under which a cell of a row exists, and its number: a function of the times and the warp of the step, not of
    /// the iteration point.
    pub fn row_cell(&self, row: usize, laps: Int, inner: &[Int], warps: Int) -> (Vec<String>, String) {
        let kept = &self.program.rows[row];
        let (slots, count) = (kept.slots(), self.program.warp_count());
        let mut there = warp_exists(warps, count);
        let time = &self.names.loops[kept.level];
        let mut cell = format!("remainder<{slots}>(I({}))", shifted(time, laps));
        for (k, back) in (kept.level + 1..self.program.frame.loops.len()).zip(inner) {
            let time = shifted(&self.names.loops[k], *back);
            if *back > 0 {
                there.push(format!("{time} >= low_{k}"));
            }
            if *back < 0 {
                there.push(format!("{time} <= high_{k}"));
            }
            cell = format!("({cell}) * extent_{k} + ({time} - low_{k})");
        }
        (there, format!("({cell}) * {count} + {}", shifted("warp", warps)))
    }
}

/// The function that maps an index outside an array back to an element.
fn leading_back(border: &Border) -> Option<&'static str> {
    match border {
        Border::Clamp => Some("clamp"),
        Border::Reflect => Some("reflect"),
        Border::Symmetric => Some("symmetric"),
        Border::Wrap => Some("wrap"),
        Border::Zero | Border::Constant(_) | Border::Scalar(_) => None,
    }
}

/// How an element is read, and the tests under which it exists.
struct Element {
    there: Vec<String>,
    read: Read,
}

enum Read {
    /// A value that needs no load: a constant or a parameter that is passed by value.
    Value(String),
    /// A load from this address in device memory.
    At(String),
}

/// The value where all tests hold. Elsewhere it is `zero`, which no iteration point uses.
fn choice(tests: &[String], value: &str, zero: &str) -> String {
    if tests.is_empty() { value.to_string() } else { format!("{} ? {value} : {zero}", joined(tests, " && ")) }
}

/// The row-major position of an element whose index is constant; `None` if it is not constant or lies outside.
fn fixed(index: &[PlaceForm], dims: &[Int]) -> Option<usize> {
    let mut at = 0;
    for (form, length) in index.iter().zip(dims) {
        at = at * length + form.number().filter(|i| (0..*length).contains(i))?;
    }
    usize::try_from(at).ok()
}

fn strided(name: &str, axes: &[String]) -> String {
    let last = axes.len().saturating_sub(1);
    let along =
        |(k, axis): (usize, &String)| if k == last { format!("({axis})") } else { format!("({axis}) * {name}_s{k}") };
    format!("({})", axes.iter().enumerate().map(along).collect::<Vec<_>>().join(" + "))
}

/// `t - 2`, `t + 1`, `t`.
fn shifted(name: &str, back: Int) -> String {
    match back {
        0 => name.to_string(),
        back if back < 0 => format!("{name} + {}", number(-back)),
        back => format!("{name} - {}", number(back)),
    }
}

/// Lane − `lanes`.
fn other_lane(lanes: Int) -> String {
    shifted("lane", lanes)
}

fn lane_exists(lanes: Int) -> Vec<String> {
    match lanes {
        0 => Vec::new(),
        lanes if lanes > 0 => vec![format!("lane >= {lanes}")],
        lanes => vec![format!("lane < {}", 32 + lanes)],
    }
}

fn warp_exists(warps: Int, count: Int) -> Vec<String> {
    match warps {
        0 => Vec::new(),
        warps if warps > 0 => vec![format!("warp >= {warps}")],
        warps => vec![format!("warp < {}", count + warps)],
    }
}

/// The name of the C++ function; some names of operations are keywords of C++.
pub fn word(name: &str) -> String {
    match name {
        "and" | "or" | "xor" | "not" => format!("{name}_"),
        other => other.to_string(),
    }
}
