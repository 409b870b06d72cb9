//! Affine forms and conditions of the place as Rust: an `i64` that all lanes share, and a table with the offset of each lane.
use super::super::literal::number;
use super::super::names::ours;
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::program::{Condition, level_of_form};
use crate::schedule::Schedule;
use crate::target::gpu;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Tables of per-lane offsets, each once. They become constants of the block.
pub struct Tables<'p> {
    pub krate: &'p TokenStream,
    program: &'p Schedule,
    tables: Vec<[Int; gpu::WARP]>,
    /// How many numbers per lane are computed at run time.
    pub computed: usize,
    /// Forms that are computed per lane, each once, outside the loops that do not change it.
    named: Vec<Named>,
}

/// A form that is computed per lane and bound to a variable.
struct Named {
    form: PlaceForm,
    code: TokenStream,
    /// The number of loops around its declaration.
    level: usize,
    /// The named forms that its code mentions.
    needs: Vec<usize>,
    /// Whether code emitted since its last declaration uses it.
    is_used: bool,
}

/// A form split into the part that all lanes share and the part of each lane.
pub enum Split {
    /// An `i64` and a table.
    Plain { shared: TokenStream, table: usize },
    /// May be fractional, or contains a remainder that depends on the lane: an expression of type `Each`.
    Computed(TokenStream),
}

impl<'p> Tables<'p> {
    pub fn new(krate: &'p TokenStream, program: &'p Schedule) -> Tables<'p> {
        Tables { krate, program, tables: vec![[0; gpu::WARP]], computed: 0, named: Vec::new() }
    }

    /// The name of a table.
    pub fn name(table: usize) -> Ident {
        ours("LANES", table)
    }

    /// The declarations of all tables.
    pub fn constants(&self) -> TokenStream {
        let krate = self.krate;
        let each = self.tables.iter().enumerate().map(|(k, table)| {
            let (name, numbers) = (Tables::name(k), table.iter().map(|n| number(*n)));
            // A promoted constant, not a static, so that the compiler can evaluate branches on its step.
            quote!(const #name: &#krate::__private::cpu::Offsets =
                &#krate::__private::cpu::Offsets::new([#(#numbers),*]);)
        });
        each.collect()
    }

    fn table(&mut self, table: [Int; gpu::WARP]) -> usize {
        match self.tables.iter().position(|t| *t == table) {
            Some(k) => k,
            None => {
                self.tables.push(table);
                self.tables.len() - 1
            }
        }
    }

    /// The step from lane to lane and the offset of lane 0, if the step is the same for all lanes.
    pub fn line(&self, table: usize) -> Option<(Int, Int)> {
        let table = &self.tables[table];
        let step = table[1] - table[0];
        table.windows(2).all(|two| two[1] - two[0] == step).then_some((step, table[0]))
    }

    /// The coordinate of a lane in a lane row. Lanes beyond the last one run too, and their coordinates continue.
    fn coordinate(&self, row: usize, lane: usize) -> Int {
        let inner: Int = self.program.frame.lanes[row + 1..].iter().product();
        let value = lane as Int / inner;
        if row == 0 { value } else { value % self.program.frame.lanes[row] }
    }

    pub fn split(&mut self, form: &PlaceForm) -> Split {
        if form.denominator() != 1 || form.terms().any(|(a, _)| varies_inside(a)) {
            return Split::Computed(self.computed(form));
        }
        let table = self.offsets(form);
        Split::Plain { shared: shared(form), table }
    }

    /// The table of per-lane offsets of a form, without remainders that depend on the lane.
    fn offsets(&mut self, form: &PlaceForm) -> usize {
        let mut table = [0; gpu::WARP];
        for (atom, c) in form.terms() {
            if let Atom::Lane(row) = atom {
                for (lane, value) in table.iter_mut().enumerate() {
                    *value += c * self.coordinate(*row, lane);
                }
            }
        }
        self.table(table)
    }

    /// Declares the forms of this level that were used since their last declaration, each after those that it needs.
    pub fn declare(&mut self, level: usize) -> TokenStream {
        let mut code = TokenStream::new();
        for (k, named) in self.named.iter_mut().enumerate().filter(|(_, n)| n.level == level && n.is_used) {
            let (name, value) = (ours("y", k), &named.code);
            code.extend(quote!(let #name = #value;));
            named.is_used = false;
        }
        code
    }

    /// The variable of a form that is computed per lane. A form that differs between warps has none and is computed in place.
    fn computed(&mut self, form: &PlaceForm) -> TokenStream {
        if self.program.warp_count() > 1 && of_a_warp(form) {
            return self.compute(form);
        }
        let known = self.named.iter().position(|n| n.form == *form);
        let number = known.unwrap_or_else(|| {
            let code = self.compute(form);
            let inner = form.terms().filter_map(|(atom, _)| match atom {
                Atom::Remainder(of, _) => self.named.iter().position(|n| n.form == **of),
                _ => None,
            });
            let needs = inner.collect();
            self.named.push(Named { form: form.clone(), code, level: level_of_form(form), needs, is_used: false });
            self.named.len() - 1
        });
        self.want(number);
        let name = ours("y", number);
        quote!(#name)
    }

    fn want(&mut self, number: usize) {
        self.named[number].is_used = true;
        for need in self.named[number].needs.clone() {
            self.want(need);
        }
    }

    /// Computes a form per lane: the numbers, and where they are whole. Everything except the remainders that depend on the
    /// lane is one sum: a sum per term would be long, and thousands of them would compile slowly.
    fn compute(&mut self, form: &PlaceForm) -> TokenStream {
        self.computed += 2;
        let (krate, table, shared) = (self.krate, Tables::name(self.offsets(form)), wrapped(form));
        let mut parts = TokenStream::new();
        for (atom, c) in form.terms().filter(|(a, _)| varies_inside(a)) {
            if let Atom::Remainder(of, by) = atom {
                self.computed += 2;
                let (inner, by, c) = (self.computed(of), number(*by), number(c));
                parts.extend(quote!(.plus(#inner.remainder(#by), #c)));
            }
        }
        let over = number(form.denominator());
        let over = (form.denominator() != 1).then(|| quote!(.over(#over)));
        quote!(#krate::__private::cpu::Each::of(#shared, #table) #parts #over)
    }

    /// A condition as a mask.
    pub fn mask(&mut self, condition: &Condition) -> TokenStream {
        let krate = self.krate;
        let private = quote!(#krate::__private::cpu);
        if !varies(condition) {
            let condition = uniform(condition);
            return quote!(#private::all_if(#condition));
        }
        match condition {
            Condition::AtLeast(form) => match self.split(form) {
                Split::Plain { shared, table } => match self.line(table) {
                    // The offset of lane 0 is 0, where coordinates begin.
                    Some((1, 0)) => quote!(#private::mask_up(#shared)),
                    Some((-1, 0)) => quote!(#private::mask_down(#shared)),
                    _ => {
                        let table = Tables::name(table);
                        quote!(#private::mask_at_least(#shared, #table))
                    }
                },
                Split::Computed(each) => quote!(#each.at_least()),
            },
            Condition::Zero(form) => match self.split(form) {
                Split::Plain { shared, table } => {
                    let table = Tables::name(table);
                    quote!(#private::mask_zero(#shared, #table))
                }
                Split::Computed(each) => quote!(#each.zero()),
            },
            Condition::Remainder { form, modulus, is } => {
                let (modulus, is) = (number(*modulus), number(*is));
                match self.split(form) {
                    Split::Plain { shared, table } => {
                        let table = Tables::name(table);
                        quote!(#private::mask_remainder(#shared, #table, #modulus, #is))
                    }
                    Split::Computed(each) => quote!(#each.remainder(#modulus).less(#is).zero()),
                }
            }
            Condition::All(parts) => {
                let parts = parts.iter().map(|p| self.mask(p)).collect::<Vec<_>>();
                quote!((#(#parts)&*))
            }
            Condition::Any(parts) => {
                let parts = parts.iter().map(|p| self.mask(p)).collect::<Vec<_>>();
                quote!((#(#parts)|*))
            }
            Condition::Not(inner) => {
                let inner = self.mask(inner);
                quote!((!#inner))
            }
            Condition::True => quote!(#private::all_if(true)),
            Condition::False => quote!(#private::all_if(false)),
        }
    }
}

/// Whether a form differs between warps.
fn of_a_warp(form: &PlaceForm) -> bool {
    form.mentions(&|a| matches!(a, Atom::Warp(_)))
}

/// Whether it is a remainder that depends on the lane or may be fractional.
fn varies_inside(atom: &Atom) -> bool {
    match atom {
        Atom::Remainder(of, _) => {
            of.denominator() != 1 || of.mentions(&is_lane) || of.terms().any(|(a, _)| varies_inside(a))
        }
        _ => false,
    }
}

fn is_lane(atom: &Atom) -> bool {
    matches!(atom, Atom::Lane(_))
}

/// Whether a condition may differ between lanes, or contains a form that may be fractional.
pub fn varies(condition: &Condition) -> bool {
    let mut varies = false;
    condition.each_form(&mut |form| {
        varies |= form.mentions(&is_lane) || form.denominator() != 1 || form.terms().any(|(a, _)| varies_inside(a));
    });
    varies
}

/// The part of an integral form that all lanes share.
pub fn shared(form: &PlaceForm) -> TokenStream {
    let offset = number(form.offset());
    let mut sum = quote!(#offset);
    for (atom, c) in form.terms().filter(|(a, _)| !is_lane(a)) {
        sum.extend(term(c, &plain(atom)));
    }
    quote!((#sum))
}

/// A term of a sum: `+ 3 * t0`, `- t0`. A factor of 1 or −1 is omitted.
fn term(c: Int, value: &TokenStream) -> TokenStream {
    let factor = number(c.saturating_abs());
    match c {
        1 => quote!(+ #value),
        -1 => quote!(- #value),
        c if c < 0 => quote!(- #factor * #value),
        _ => quote!(+ #factor * #value),
    }
}

/// The part of any form that all lanes share, without remainders that depend on the lane. It wraps, as `Each` does: the
/// numerator of a fraction can be larger than the coordinates of points.
fn wrapped(form: &PlaceForm) -> TokenStream {
    let offset = number(form.offset());
    let terms = form.terms().filter(|(a, _)| !is_lane(a) && !varies_inside(a));
    terms.fold(quote!(#offset), |sum, (atom, c)| {
        let (c, value) = (number(c), plain(atom));
        quote!(i64::wrapping_add(#sum, i64::wrapping_mul(#c, #value)))
    })
}

/// An atom that is the same for all lanes.
fn plain(atom: &Atom) -> TokenStream {
    match atom {
        Atom::Size(k) => name("s", *k),
        Atom::Block(k) => name("b", *k),
        Atom::Warp(k) => name("w", *k),
        Atom::Time(k) => name("t", *k),
        Atom::Remainder(of, by) => {
            let (of, by) = (shared(of), number(*by));
            quote!(#of.rem_euclid(#by))
        }
        Atom::Lane(_) | Atom::Register => quote!(0),
    }
}

fn name(letter: &str, k: usize) -> TokenStream {
    let name = ours(letter, k);
    quote!(#name)
}

/// A condition that is the same for all lanes.
pub fn uniform(condition: &Condition) -> TokenStream {
    match condition {
        Condition::True => quote!(true),
        Condition::False => quote!(false),
        Condition::AtLeast(form) => {
            let form = shared(form);
            // As in `reference`: clippy asks to write `t - 1 >= 0` differently.
            quote!((#form > -1))
        }
        Condition::Zero(form) => {
            let form = shared(form);
            quote!((#form == 0))
        }
        Condition::Remainder { form, modulus, is } => {
            let (form, modulus, is) = (shared(form), number(*modulus), number(*is));
            quote!((#form.rem_euclid(#modulus) == #is))
        }
        Condition::All(parts) => {
            let parts = parts.iter().map(uniform);
            quote!((#(#parts)&&*))
        }
        Condition::Any(parts) => {
            let parts = parts.iter().map(uniform);
            quote!((#(#parts)||*))
        }
        Condition::Not(inner) => {
            let inner = uniform(inner);
            quote!((!#inner))
        }
    }
}

/// A bound of a loop.
pub fn bound(bound: &Bound) -> TokenStream {
    match bound {
        Bound::Form(form) => shared(form),
        Bound::Sum(terms) => {
            let terms = terms.iter().map(|(c, b)| term(*c, &self::bound(b)));
            quote!((0 #(#terms)*))
        }
        Bound::Quotient(of, by) => {
            let (of, by) = (self::bound(of), number(*by));
            quote!(#of.div_euclid(#by))
        }
        Bound::Least(a, b) => {
            let (a, b) = (self::bound(a), self::bound(b));
            quote!(i64::min(#a, #b))
        }
        Bound::Greatest(a, b) => {
            let (a, b) = (self::bound(a), self::bound(b));
            quote!(i64::max(#a, #b))
        }
    }
}
