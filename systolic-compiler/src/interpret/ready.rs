//! Forms and conditions prepared for evaluation: atoms are looked up once per program, and what all lanes share is computed
//! once per warp.
use super::Trap;
use crate::mapping::{Atom, PlaceForm};
use crate::model::Int;
use crate::program::{Condition, Program};
use crate::target::gpu;

/// The place of a warp: the coordinates that its lanes share, and those that each lane has of its own.
pub struct Standing {
    /// Sizes, blocks, warp rows and loops, in this order.
    pub shared: Vec<i64>,
    /// Per lane row, the coordinate of each lane.
    pub lanes: Vec<[i64; gpu::WARP]>,
}

/// The positions of the atoms in a `Standing`.
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
    /// Form, modulus and coefficient.
    remainders: Vec<(Form, i64, i64)>,
    constant: i64,
    denominator: i64,
}

/// The value of a form in every lane; `None` where it is not a whole number or does not fit 64 bits.
pub type Numbers = [Option<i64>; gpu::WARP];

impl Form {
    pub fn new(form: &PlaceForm, slots: &Slots) -> Result<Form, Trap> {
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

    /// Its value in every lane.
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

/// The number in 64 bits. Fails if it does not fit.
pub fn small(value: Int) -> Result<i64, Trap> {
    i64::try_from(value).map_err(|_| Trap::TooLarge)
}

/// A condition that is evaluated to one bit per lane.
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
        let form = |f: &PlaceForm| Form::new(f, slots);
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

    /// The lanes in which it holds, one bit each. A comparison of a form that is not a whole number does not hold.
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
