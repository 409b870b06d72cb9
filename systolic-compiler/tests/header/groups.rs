//! Every operation and every cast on every type that has it: the call in C++, and the result of `systolic_arith`.
use systolic_arith::{BinaryOp, CompareOp, Type, UnaryOp, Value};

use crate::pools::{self, Pool, Scale};

/// Computes a result from operands; `None` if the types do not have the operation.
type Expected = dyn Fn(&[Value]) -> Option<Value>;

/// One operation on one combination of types, with many operands.
pub struct Group {
    /// The call, with `a`, `b`, `c` for the operands.
    pub call: String,
    pub result: Type,
    /// The pools of the operands, by index.
    pub pools: Vec<usize>,
    /// The result of `systolic_arith`.
    pub expected: Box<Expected>,
}

/// The groups, and the pools of their operands.
pub struct Groups {
    pub pools: Vec<Pool>,
    pub groups: Vec<Group>,
}

/// All groups.
pub fn all(scale: Scale) -> Groups {
    let mut groups = Groups { pools: Vec::new(), groups: Vec::new() };
    for ty in Type::ALL {
        groups.pools.extend([pools::few(ty, scale), pools::many(ty, scale)]);
    }
    for ty in Type::ALL {
        groups.of_one(ty);
        groups.of_two(ty);
        groups.comparisons(ty);
        groups.casts(ty);
    }
    for ty in HALVES {
        groups.halves(ty);
    }
    groups.indices(Type::I32, &[1, 2, 3, 7, 8, 24, 28, 128, 1000, 1 << 30]);
    groups.indices(Type::I64, &[1, 2, 3, 7, 8, 24, 28, 128, 1000, 1 << 40, (1 << 40) + 1]);
    groups
}

/// The types that fit half a register.
const HALVES: [Type; 5] = [Type::I8, Type::U8, Type::I16, Type::U16, Type::Bool];

/// The name of an operation in the header; some names are keywords of C++.
fn name(op: &'static str) -> String {
    match op {
        "and" | "or" | "xor" | "not" => format!("{op}_"),
        _ => op.to_string(),
    }
}

impl Groups {
    /// The number of cases of a group: all combinations of the first two operands. The third one follows from them.
    pub fn count(&self, group: &Group) -> usize {
        group.pools.iter().take(2).map(|p| self.pools[*p].values.len()).product()
    }

    /// The operands of a case. The C++ programs choose them in the same way.
    pub fn operands(&self, group: &Group, case: usize) -> Vec<Value> {
        let pools: Vec<&Pool> = group.pools.iter().map(|p| &self.pools[*p]).collect();
        let first = pools[0].values.len();
        let (i, j) = (case % first, case / first);
        let take = |(pool, k): (&&Pool, usize)| Value::from_bits(pool.ty, pool.values[k % pool.values.len()]);
        pools.iter().zip([i, j, 5 * i + 7 * j]).map(take).collect()
    }

    fn pool(&self, kind: &str, ty: Type) -> usize {
        let name = format!("{kind}_{ty}");
        self.pools.iter().position(|p| p.name == name).expect("a pool of this name")
    }

    /// Adds a group, if the types have the operation.
    fn add(&mut self, call: String, pools: Vec<usize>, expected: impl Fn(&[Value]) -> Option<Value> + 'static) {
        let zeros: Vec<Value> = pools.iter().map(|p| Value::zero(self.pools[*p].ty)).collect();
        if let Some(value) = expected(&zeros) {
            self.groups.push(Group { call, result: value.ty(), pools, expected: Box::new(expected) });
        }
    }

    fn of_one(&mut self, ty: Type) {
        for op in UnaryOp::ALL {
            self.add(format!("{}(a)", name(op.name())), vec![self.pool("many", ty)], move |x| Value::unary(op, x[0]));
        }
    }

    fn of_two(&mut self, ty: Type) {
        let own = self.pool("few", ty);
        for op in BinaryOp::ALL {
            let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            for second in Type::ALL.into_iter().filter(|other| is_shift || *other == ty) {
                let pools = vec![own, self.pool("few", second)];
                self.add(format!("{}(a, b)", name(op.name())), pools, move |x| Value::binary(op, x[0], x[1]));
            }
        }
        self.add("fma(a, b, c)".to_string(), vec![own; 3], |x| x[0].fma(x[1], x[2]));
    }

    fn comparisons(&mut self, ty: Type) {
        let own = self.pool("few", ty);
        for op in CompareOp::ALL {
            let call = format!("{}(a, b)", op.name());
            self.add(call, vec![own; 2], move |x| Value::compare(op, x[0], x[1]).map(Value::Bool));
        }
    }

    fn casts(&mut self, ty: Type) {
        for to in Type::ALL {
            self.add(format!("cast<{to}>(a)"), vec![self.pool("many", ty)], move |x| x[0].cast(to));
        }
    }

    /// Every operation on two values in one: on the lower half and on the upper half, beside other values.
    fn halves(&mut self, ty: Type) {
        use BinaryOp::{Add, And, Max, Min, Or, Sub, Xor};
        let own = vec![self.pool("few", ty); 3];
        let both =
            |op: &str| [format!("lower({op}(both(a, c), both(b, c)))"), format!("upper({op}(both(c, a), both(c, b)))")];
        for op in [Add, Sub, Min, Max, And, Or, Xor] {
            for call in both(&name(op.name())) {
                self.add(call, own.clone(), move |x| Value::binary(op, x[0], x[1]));
            }
        }
        for call in ["lower(sub(both(a, c), b))", "upper(sub(both(c, a), b))"] {
            self.add(call.to_string(), own.clone(), |x| Value::binary(Sub, x[0], x[1]));
        }
        for op in [UnaryOp::Neg, UnaryOp::Not, UnaryOp::Abs] {
            let name = name(op.name());
            for call in [format!("lower({name}(both(a, b)))"), format!("upper({name}(both(b, a)))")] {
                self.add(call, own.clone(), move |x| Value::unary(op, x[0]));
            }
        }
        for op in CompareOp::ALL {
            for call in both(op.name()) {
                self.add(call, own.clone(), move |x| Value::compare(op, x[0], x[1]).map(Value::Bool));
            }
            let holds = move |x: &[Value]| Value::compare(op, x[0], x[1]);
            let (word, first) = (op.name(), move |x: &[Value]| Some(if holds(x)? { x[1] } else { x[2] }));
            let differ = format!("lower(choose({word}(both(a, c), both(b, a)), both(b, a), both(c, a)))");
            self.add(differ, own.clone(), first);
            self.add(format!("upper(choose({word}(both(c, a), both(a, b)), b, c))"), own.clone(), first);
        }
        for to in HALVES.into_iter().filter(|to| *to != Type::Bool) {
            for call in [format!("lower(cast<{to}>(both(a, b)))"), format!("upper(cast<{to}>(both(b, a)))")] {
                self.add(call, own.clone(), move |x| x[0].cast(to));
            }
        }
    }

    /// Borders, and quotients by constants.
    fn indices(&mut self, ty: Type, divisors: &[i64]) {
        self.pools.extend([pools::indices(ty), pools::lengths(ty)]);
        let pools = vec![self.pool("indices", ty), self.pool("lengths", ty)];
        for (border, inner) in BORDERS {
            let call = format!("{border}(a, b)");
            // A group is tried with zeros, but zero is not a valid length.
            self.add(call, pools.clone(), move |x| index(ty, inner(int(x[0]), int(x[1]).max(1))));
        }
        self.neighbours(ty, &pools);
        for &by in divisors {
            let many = vec![self.pool("many", ty)];
            let by_wide = i128::from(by);
            self.add(format!("quotient<{by}>(a)"), many.clone(), move |x| index(ty, int(x[0]).div_euclid(by_wide)));
            self.add(format!("remainder<{by}>(a)"), many, move |x| index(ty, int(x[0]).rem_euclid(by_wide)));
        }
    }

    /// A wide access to neighbours in a row, where index and length are multiples of their number, and the effect of a
    /// border on the neighbours.
    fn neighbours(&mut self, ty: Type, pools: &[usize]) {
        let count = 16 / ty.bytes() as i128;
        let found: Vec<String> = (0..count).map(|k| format!("{ty}(at + {k})")).collect();
        let found = found.join(", ");
        for k in 0..count {
            let call = format!(
                "[]({ty} i, {ty} n) {{ const {ty} at = clamp<{ty}>(i, n - {last}); \
                 return with_ends<true, true, {ty}>(Wide<{ty}, {count}>{{{{{found}}}}}, i, n).at[{k}]; }}\
                 ({ty}(quotient<{count}>(a) * {count}), b < {count} ? {ty}({count}) : {ty}(quotient<{count}>(b) * {count}))",
                last = count - 1,
            );
            let expected = move |x: &[Value]| {
                let (from, length) = (int(x[0]).div_euclid(count), int(x[1]).div_euclid(count).max(1));
                index(ty, (from * count + k).clamp(0, length * count - 1))
            };
            self.add(call, pools.to_vec(), expected);
        }
    }
}

/// Maps an index and a length to the index inside the axis.
type Inner = fn(i128, i128) -> i128;

const BORDERS: [(&str, Inner); 4] = [
    ("clamp", |i, n| i.clamp(0, n - 1)),
    ("wrap", |i, n| i.rem_euclid(n)),
    ("reflect", |i, n| {
        let i = i.rem_euclid((2 * n - 2).max(1));
        i.min(2 * n - 2 - i)
    }),
    ("symmetric", |i, n| {
        let i = i.rem_euclid(2 * n);
        i.min(2 * n - 1 - i)
    }),
];

/// A signed integer as a number.
fn int(value: Value) -> i128 {
    match value {
        Value::I32(x) => x.into(),
        Value::I64(x) => x.into(),
        _ => 0,
    }
}

/// A number as a value, if it fits.
fn index(ty: Type, x: i128) -> Option<Value> {
    systolic_arith::int_fits(x, ty)
}
