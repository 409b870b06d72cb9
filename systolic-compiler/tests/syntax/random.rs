//! Random trees stay the same when they are printed and parsed again.
use super::*;
use systolic_compiler::region::Name;
use tree::*;

/// splitmix64
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn one<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// From `least` to `most` random items.
    fn some<T>(&mut self, least: usize, most: usize, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
        self.coin().then(|| make(self))
    }
}

fn here() -> Region {
    Region::of(proc_macro2::Span::call_site())
}

fn name(random: &mut Random) -> Name {
    let words = [
        "a", "b", "x", "Z", "ci", "size", "map", "on", "tile", "by", "kernel", "fold", "border", "zero", "reverse",
        "cpu", "in_", "f32", "e5", "x_1", "größe", "lanes", "shared", "union",
    ];
    Name { text: random.one(&words).to_owned(), at: here() }
}

fn literal(random: &mut Random) -> ExprKind {
    let suffix = |random: &mut Random, all: &[&str]| random.maybe(|random| random.one(all).to_owned());
    let sign = random.coin();
    match random.below(3) {
        0 => {
            let value = i128::from(random.next() >> random.below(64));
            let value = if random.below(20) == 0 { i128::MAX } else { value };
            ExprKind::Int {
                value: if sign { -value } else { value },
                suffix: suffix(random, &["i8", "u64", "f32", "bf16"]),
            }
        }
        1 => {
            let text = random.one(&["0.0", "0.25", "1e5", "1.5e-3", "12.0", "3e10"]);
            let text = if sign { format!("-{text}") } else { text.to_owned() };
            ExprKind::Float { text, suffix: suffix(random, &["f32", "f64", "f16", "bf16"]) }
        }
        _ => ExprKind::Bool(sign),
    }
}

fn expr(random: &mut Random, depth: usize) -> Expr {
    use BinaryOp::*;
    let kind = if depth == 0 {
        if random.coin() { literal(random) } else { ExprKind::Name(name(random).text) }
    } else {
        let deeper = |random: &mut Random| {
            let depth = random.below(depth);
            Box::new(expr(random, depth))
        };
        match random.below(12) {
            0 => ExprKind::Index { name: name(random), indices: random.some(1, 3, |random| *deeper(random)) },
            1 => ExprKind::Call { function: name(random), arguments: random.some(0, 3, |random| *deeper(random)) },
            2 | 3 => ExprKind::Unary { op: random.one(&[UnaryOp::Neg, UnaryOp::Not]), operand: deeper(random) },
            4 => ExprKind::Cast { operand: deeper(random), ty: name(random) },
            5 | 6 => ExprKind::If { condition: deeper(random), then: deeper(random), otherwise: deeper(random) },
            _ => {
                let all = [Mul, Div, Rem, Add, Sub, Shl, Shr, BitAnd, BitXor, BitOr, Eq, Ne, Lt, Le, Gt, Ge, And, Or];
                ExprKind::Binary { op: random.one(&all), left: deeper(random), right: deeper(random) }
            }
        }
    };
    Expr { kind, at: here() }
}

fn small(random: &mut Random) -> Expr {
    expr(random, 2)
}

fn condition(random: &mut Random) -> Expr {
    use BinaryOp::*;
    let (left, right) = (Box::new(small(random)), Box::new(small(random)));
    Expr { kind: ExprKind::Binary { op: random.one(&[Eq, Ne, Lt, Le, Gt, Ge]), left, right }, at: here() }
}

fn array(random: &mut Random) -> ArrayType {
    ArrayType { element: name(random), dims: random.some(1, 4, small), at: here() }
}

fn parameter(random: &mut Random) -> Parameter {
    let kind = match random.below(5) {
        0 => ParameterKind::Size,
        1 => ParameterKind::Const { array: array(random), border: random.maybe(border) },
        2 => loop {
            let ty = name(random);
            if ty.text != "size" {
                break ParameterKind::Scalar { ty };
            }
        },
        3 => {
            let least = (random.next() >> random.below(64), Region0(here()));
            let lengths = Lengths { least, most: small(random), at: here() };
            ParameterKind::Array { array: array(random), border: None, lengths: Some(lengths) }
        }
        _ => ParameterKind::Array { array: array(random), border: random.maybe(border), lengths: None },
    };
    Parameter { name: name(random), kind }
}

fn border(random: &mut Random) -> Border {
    let mode = match random.below(7) {
        0 => BorderMode::Zero,
        1 => BorderMode::Clamp,
        2 => BorderMode::Reflect,
        3 => BorderMode::Symmetric,
        4 => BorderMode::Wrap,
        _ => BorderMode::Constant(expr(random, 0)),
    };
    Border { mode, at: here() }
}

fn generic(random: &mut Random) -> Generic {
    let number = |random: &mut Random| {
        let shift = random.below(64);
        (random.next() >> shift, Region0(here()))
    };
    let list = match random.below(3) {
        0 => GenericList::Numbers { values: vec![number(random)], single: true },
        1 => GenericList::Numbers { values: random.some(1, 3, number), single: false },
        _ => GenericList::Types { values: random.some(1, 3, name) },
    };
    Generic { name: name(random), list }
}

fn constant(random: &mut Random) -> Constant {
    fn value(random: &mut Random, depth: usize) -> Value {
        if depth == 0 {
            return Value::Literal(Expr { kind: literal(random), at: here() });
        }
        Value::List { items: random.some(1, 3, |random| value(random, depth - 1)), at: here() }
    }
    let depth = random.below(3);
    let (ty, border) = match random.coin() {
        true => (ConstantType::Array(array(random)), random.maybe(border)),
        false => (ConstantType::Scalar(name(random)), None),
    };
    Constant { name: name(random), ty, border, value: value(random, depth) }
}

fn assign(random: &mut Random) -> Assign {
    let depth = random.below(7);
    Assign { target: name(random), indices: random.some(1, 3, small), value: expr(random, depth), at: here() }
}

fn statement(random: &mut Random) -> Statement {
    if random.coin() {
        return Statement::Assign(assign(random));
    }
    Statement::If { condition: expr(random, 3), stores: random.some(1, 3, assign) }
}

fn matrix(random: &mut Random) -> Matrix {
    let row = |random: &mut Random| MatrixRow { entries: random.some(1, 3, small), at: here() };
    Matrix { rows: random.some(1, 3, row), at: here() }
}

fn names(random: &mut Random) -> Vec<Name> {
    random.some(1, 4, name)
}

fn clauses(random: &mut Random) -> Vec<Clause> {
    let mut all = vec![
        if random.below(3) == 0 { ClauseKind::Ordered(names(random)) } else { ClauseKind::Blocks(names(random)) },
        ClauseKind::Launches(names(random)),
        ClauseKind::Warps(names(random)),
        ClauseKind::SpaceTime {
            old: names(random),
            new: names(random),
            matrix: matrix(random),
            reverse: random.maybe(matrix),
        },
        ClauseKind::Lanes { loops: random.some(1, 2, name), fold: random.maybe(small) },
        ClauseKind::Reorder(names(random)),
        ClauseKind::Unroll(names(random)),
    ];
    for _ in 0..random.below(4) {
        all.push(ClauseKind::Tile { of: name(random), by: small(random), outer: name(random), inner: name(random) });
        let medium = random.one(&[StageMedium::Shared, StageMedium::Registers]);
        all.push(ClauseKind::Stage { array: name(random), medium, at: name(random) });
        all.push(ClauseKind::Overlap { of: name(random), before: small(random), after: random.maybe(small) });
        all.push(ClauseKind::Shift { of: name(random), by: random.some(1, 3, small) });
    }
    for number in all.iter_mut().filter_map(ClauseKind::number_mut) {
        if random.below(4) == 0 {
            number.kind = ExprKind::Hole;
        }
    }
    let mut clauses = Vec::new();
    while !all.is_empty() {
        let kind = all.swap_remove(random.below(all.len()));
        if random.below(3) > 0 {
            clauses.push(Clause { kind, at: here() });
        }
    }
    clauses
}

fn map(random: &mut Random) -> Map {
    let auto = random.below(3) == 0;
    let own = Name { text: "auto".to_string(), at: here() };
    Map {
        auto,
        name: random.maybe(name).or(auto.then_some(own)),
        on: random.maybe(|random| random.one(&[Device::Cpu, Device::Gpu])),
        conditions: random.some(0, 2, condition),
        clauses: clauses(random),
        at: here(),
    }
}

fn kernel(random: &mut Random) -> Kernel {
    let attributes =
        ["#[cfg(feature = \"a\")]", "#[doc = \" a b\"]", "#[doc = \"/ a \\\" b\\n\"]", "/// c", "/** d\n e */"];
    let visibilities = ["", "pub", "pub(crate)", "pub(super)", "pub(self)", "pub(in crate::a::b)"];
    Kernel {
        attributes: random.some(0, 3, |random| tokens(random.one(&attributes))),
        visibility: tokens(random.one(&visibilities)),
        name: name(random),
        generics: random.some(0, 3, generic),
        parameters: random.some(0, 4, parameter),
        outputs: random.some(1, 2, |random| {
            let rest = random.maybe(|random| Expr { kind: literal(random), at: here() });
            let is_scalar = random.below(4) == 0;
            let mut array = array(random);
            if is_scalar {
                array.dims.clear();
            }
            Output { name: name(random), array, is_scalar, rest }
        }),
        conditions: random.some(0, 2, condition),
        constants: random.some(0, 2, constant),
        loops: random.some(1, 3, |random| Loop { name: name(random), low: small(random), high: small(random) }),
        statements: random.some(0, 4, statement),
        maps: random.some(0, 3, map),
        at: here(),
    }
}

#[test]
fn printed_trees_parse_to_themselves() {
    let mut random = Random(1);
    for round in 0..2_000 {
        let tree = Block { kernels: random.some(0, 2, kernel) };
        let text = print(&tree);
        let Parsed { block, faults, .. } = parse(tokens(&text));
        assert!(faults.is_empty(), "round {round}: {}\n{text}", told(&text, &faults));
        assert!(block == tree, "round {round}:\n{text}\nbecame\n{}", print(&block));
    }
}

#[test]
fn printed_expressions_parse_to_themselves() {
    let mut random = Random(2);
    for round in 0..10_000 {
        let tree = expr(&mut random, 6);
        let text = systolic_compiler::syntax::print_expr(&tree);
        let read = block(&equation(&text));
        assert!(
            *value(&read) == tree,
            "round {round}: {text}\nbecame {}",
            systolic_compiler::syntax::print_expr(value(&read))
        );
    }
}
