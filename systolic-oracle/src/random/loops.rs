//! Random loops: of constant or run-time length, or with bounds that depend on an outer loop.
use super::Random;
use super::aim::Aim;
use super::sum::Sum;

pub struct Loop {
    pub name: String,
    pub low: Sum,
    /// Exclusive.
    pub high: Sum,
    pub low_text: String,
    pub high_text: String,
    /// The number of iterations, if it is constant.
    pub length: Option<i64>,
    /// Its least and greatest value over all outer loops, as forms of the sizes.
    pub least: Sum,
    pub most: Sum,
    /// Whether its bounds depend on an outer loop.
    pub leans: bool,
}

pub struct Loops {
    pub list: Vec<Loop>,
    pub sizes: Vec<String>,
    pub conditions: Vec<String>,
    /// The value of the generic `Q`, if a bound mentions it.
    pub generic: Option<i64>,
}

impl Loops {
    pub fn draw(random: &mut Random, aim: Aim) -> Loops {
        let count = aim.loop_count(random);
        // Four loops have many points even if each is short.
        let longest = match aim {
            Aim::FewerRows => 3,
            _ if count > 3 => 3,
            _ => 7,
        };
        let mut loops = Loops { list: Vec::new(), sizes: Vec::new(), conditions: Vec::new(), generic: None };
        // With a loop of one iteration no value could move.
        let shortest = if aim.is_between_warps() { 2 } else { 1 };
        for name in &["i", "j", "k", "l"][..count] {
            // The inner loop that a value has to cross has a run-time length.
            let is_inner = aim == Aim::RowBetweenWarps && loops.list.len() + 1 == count;
            let kind = if is_inner { 85 } else { random.below(100) };
            let outer = (!loops.list.is_empty()).then(|| random.below(loops.list.len()));
            let (low, high) = match outer {
                _ if kind < aim.constant_loops() => {
                    let low = random.pick(&[0, 0, 0, 0, -1, 2]);
                    (Sum::number(low), Sum::number(low + random.within(shortest, longest)))
                }
                Some(outer) if kind >= 93 => {
                    let size = loops.size(name);
                    (Sum::name(&loops.list[outer].name), Sum::name(&size))
                }
                Some(outer) if kind >= 86 => {
                    let outer = Sum::name(&loops.list[outer].name);
                    (outer.clone(), outer.add(random.within(1, 5)))
                }
                _ => {
                    let size = loops.size(name);
                    (Sum::number(random.pick(&[0, 0, 0, 0, 0, 1])), Sum::name(&size))
                }
            };
            loops.push(random, name, low, high);
        }
        if let Some(size) = loops.sizes.first().cloned()
            && random.chance(10)
        {
            loops.conditions.push(random.pick(&[
                format!("{size} >= 2"),
                format!("{size} % 2 == 0"),
                format!("{size} > 1"),
                format!("{size} <= 20"),
            ]));
        }
        loops
    }

    fn size(&mut self, name: &str) -> String {
        let size = format!("N{name}");
        self.sizes.push(size.clone());
        size
    }

    fn push(&mut self, random: &mut Random, name: &str, low: Sum, high: Sum) {
        let length = high.plus(-1, &low);
        let length = length.terms.is_empty().then_some(length.constant);
        let leans = self.list.iter().any(|l| low.coef(&l.name) != 0 || high.coef(&l.name) != 0);
        let (least, most) = (self.bound(&low, false), self.bound(&high.add(-1), true));
        let (low_text, mut high_text) = (low.to_string(), high.to_string());
        if let Some(length) = length
            && low == Sum::number(0)
            && self.generic.is_none()
            && random.chance(25)
        {
            self.generic = Some(length);
            high_text = "Q".to_string();
        }
        self.list.push(Loop { name: name.to_string(), low, high, low_text, high_text, length, least, most, leans });
    }

    /// The greatest or least value of a form, computed loop by loop.
    pub fn bound(&self, form: &Sum, most: bool) -> Sum {
        let mut bound = Sum::number(form.constant);
        for (name, c) in &form.terms {
            let end = match self.list.iter().find(|l| l.name == *name) {
                Some(l) if (*c > 0) == most => l.most.clone(),
                Some(l) => l.least.clone(),
                None => Sum::name(name),
            };
            bound = bound.plus(*c, &end);
        }
        bound
    }

    pub fn names(&self) -> Vec<String> {
        self.list.iter().map(|l| l.name.clone()).collect()
    }

    /// The indices of the point at `z − distance`, such as `i - 1, j + 2`.
    pub fn at(&self, distance: &[i64]) -> String {
        let index = self.list.iter().zip(distance).map(|(l, d)| Sum::name(&l.name).add(-d).to_string());
        index.collect::<Vec<_>>().join(", ")
    }

    /// The conditions under which `z − distance` is a point.
    pub fn inside(&self, distance: &[i64]) -> Vec<String> {
        let moved = |form: &Sum| {
            let mut moved = form.clone();
            for (l, d) in self.list.iter().zip(distance) {
                moved.constant -= form.coef(&l.name) * d;
            }
            moved
        };
        let mut conditions = Vec::new();
        for (l, d) in self.list.iter().zip(distance) {
            let at = Sum::name(&l.name).add(-d);
            let (low, high) = (moved(&l.low), moved(&l.high));
            // Conditions that hold at every point z are left out.
            if low.constant - l.low.constant + d > 0 {
                conditions.push(format!("{at} >= {low}"));
            }
            if high.constant - l.high.constant + d < 0 {
                conditions.push(format!("{at} < {high}"));
            }
        }
        conditions
    }
}
