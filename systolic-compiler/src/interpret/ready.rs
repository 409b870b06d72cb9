//! Forms and conditions made ready: atoms looked up once a program, what all lanes share computed once a warp.
use super::Trap;
use crate::mapping::{Atom, Index};
use crate::model::Int;
use crate::program::{Condition, Program};
use crate::target::gpu;

/// Where a warp stands: what its lanes share, and what each has of its own.
pub struct Standing {
    /// Sizes, blocks, warp rows, loops, in this order.
    pub shared: Vec<i64>,
    /// A lane row each, a number each lane.
    pub lanes: Vec<[i64; gpu::WARP]>,
}

/// Where the atoms lie in a `Standing`.
pub struct Slots {
    sizes: usize,
    blocks: usize,
    warps: usize,
    loops: usize,
    lanes: usize,
}

impl Slots {
    pub fn of(program: &Program) -> Slots {
        Slots {
            sizes: program.sizes.len(),
            blocks: program.frame.blocks.len(),
            warps: program.frame.warps.len(),
            loops: program.frame.loops.len(),
            lanes: program.frame.lanes.len(),
        }
    }

    pub fn block(&self, k: usize) -> usize {
        self.sizes + k
    }

    pub fn warp(&self, k: usize) -> usize {
        self.sizes + self.blocks + k
    }

    pub fn time(&self, k: usize) -> usize {
        self.sizes + self.blocks + self.warps + k
    }

    pub fn shared(&self) -> usize {
        self.time(self.loops)
    }
}

/// (Σ c · shared + Σ c · lane + Σ c · remainder + constant) / denominator.
pub struct Form {
    shared: Vec<(usize, i64)>,
    lanes: Vec<(usize, i64)>,
    remainders: Vec<(Form, i64, i64)>,
    constant: i64,
    denominator: i64,
}

/// A form at every lane; `None` where it is not whole.
pub type Numbers = [Option<i64>; gpu::WARP];

impl Form {
    pub fn new(form: &Index, slots: &Slots) -> Result<Form, Trap> {
        let mut ready = Form {
            shared: Vec::new(),
            lanes: Vec::new(),
            remainders: Vec::new(),
            constant: small(form.offset())?,
            denominator: small(form.denominator())?,
        };
        if ready.denominator < 1 {
            return Err(Trap::Malformed("a form that overflowed"));
        }
        for (atom, c) in form.terms() {
            let c = small(c)?;
            let (slot, count) = match atom {
                Atom::Size(k) => (*k, slots.sizes),
                Atom::Block(k) => (slots.block(*k), slots.blocks),
                Atom::Warp(k) => (slots.warp(*k), slots.warps),
                Atom::Time(k) => (slots.time(*k), slots.loops),
                Atom::Lane(k) if *k < slots.lanes => {
                    ready.lanes.push((*k, c));
                    continue;
                }
                Atom::Remainder(of, by) if *by > 0 => {
                    ready.remainders.push((Form::new(of, slots)?, small(*by)?, c));
                    continue;
                }
                Atom::Lane(_) | Atom::Register | Atom::Remainder(..) => {
                    return Err(Trap::Malformed("a form of what is no place"));
                }
            };
            let (Atom::Size(k) | Atom::Block(k) | Atom::Warp(k) | Atom::Time(k)) = atom else { continue };
            if *k >= count {
                return Err(Trap::Malformed("a form of a row that is none of the program"));
            }
            ready.shared.push((slot, c));
        }
        Ok(ready)
    }

    pub fn at(&self, standing: &Standing) -> Numbers {
        let mut total = Some(self.constant);
        for (slot, c) in &self.shared {
            total = add(total, *c, standing.shared[*slot]);
        }
        if self.lanes.is_empty() && self.remainders.is_empty() {
            return [whole(total, self.denominator); gpu::WARP];
        }
        let mut numbers = [total; gpu::WARP];
        for (row, c) in &self.lanes {
            for (number, lane) in numbers.iter_mut().zip(&standing.lanes[*row]) {
                *number = add(*number, *c, *lane);
            }
        }
        for (of, by, c) in &self.remainders {
            for (number, value) in numbers.iter_mut().zip(of.at(standing)) {
                *number = value.and_then(|v| add(*number, *c, v.rem_euclid(*by)));
            }
        }
        numbers.map(|n| whole(n, self.denominator))
    }
}

fn add(total: Option<i64>, c: i64, value: i64) -> Option<i64> {
    total?.checked_add(c.checked_mul(value)?)
}

fn whole(total: Option<i64>, denominator: i64) -> Option<i64> {
    match denominator {
        1 => total,
        d => total.filter(|t| t % d == 0).map(|t| t / d),
    }
}

pub fn small(value: Int) -> Result<i64, Trap> {
    i64::try_from(value).map_err(|_| Trap::TooLarge)
}

/// A condition, one bit a lane.
pub enum Test {
    Is(bool),
    AtLeast(Form),
    Zero(Form),
    Remainder(Form, i64, i64),
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
}

impl Test {
    pub fn new(condition: &Condition, slots: &Slots) -> Result<Test, Trap> {
        let form = |f: &Index| Form::new(f, slots);
        let each = |parts: &[Condition]| parts.iter().map(|p| Test::new(p, slots)).collect::<Result<Vec<_>, _>>();
        Ok(match condition {
            Condition::True => Test::Is(true),
            Condition::False => Test::Is(false),
            Condition::AtLeast(f) => Test::AtLeast(form(f)?),
            Condition::Zero(f) => Test::Zero(form(f)?),
            Condition::Remainder { modulus, .. } if *modulus < 1 => return Err(Trap::Malformed("a modulus below 1")),
            Condition::Remainder { form: f, modulus, is } => Test::Remainder(form(f)?, small(*modulus)?, small(*is)?),
            Condition::All(parts) => Test::All(each(parts)?),
            Condition::Any(parts) => Test::Any(each(parts)?),
            Condition::Not(inner) => Test::Not(Box::new(Test::new(inner, slots)?)),
        })
    }

    /// The lanes where it holds. A comparison of what is not whole does not hold.
    pub fn at(&self, standing: &Standing) -> u32 {
        match self {
            Test::Is(true) => u32::MAX,
            Test::Is(false) => 0,
            Test::AtLeast(form) => bits(form.at(standing), |v| v >= 0),
            Test::Zero(form) => bits(form.at(standing), |v| v == 0),
            Test::Remainder(form, modulus, is) => bits(form.at(standing), |v| v.rem_euclid(*modulus) == *is),
            Test::All(parts) => {
                let mut all = u32::MAX;
                for part in parts {
                    all &= part.at(standing);
                    if all == 0 {
                        break;
                    }
                }
                all
            }
            Test::Any(parts) => parts.iter().fold(0, |any, part| any | part.at(standing)),
            Test::Not(inner) => !inner.at(standing),
        }
    }
}

fn bits(numbers: Numbers, test: impl Fn(i64) -> bool) -> u32 {
    numbers.iter().rev().fold(0, |bits, n| bits << 1 | u32::from(n.is_some_and(&test)))
}
