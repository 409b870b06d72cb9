//! The innermost loop, where most of it runs along spans: accesses that are located and checked before the loop.
use super::super::literal;
use super::super::names::ours;
use super::block::{at_level, destination, running, step};
use super::place::{Split, bound, shared};
use super::value::{Values, access};
use crate::program::Store;
use crate::schedule::Spans;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The code of the parts of a loop along spans.
struct Parts {
    /// The spans.
    names: Vec<Ident>,
    /// What a step takes of each.
    parts: TokenStream,
    steady: TokenStream,
    others: TokenStream,
}

/// The innermost loop, and what stands before it or before the loop around it. `along` opens the windows of the whole loop.
pub fn along_spans(values: &mut Values<'_>, spans: &Spans, along: &TokenStream) -> (TokenStream, TokenStream) {
    let innermost = values.program.frame.loops.len() - 1;
    let t = ours("t", innermost);
    let cpu = values.cpu();
    let (mut made, parts, opened) = values.along_spans(spans);
    for position in &spans.stores {
        let all = spans.together.iter().find(|all| all.contains(position));
        match all {
            Some(all) if all[0] != *position => continue,
            Some(all) => values.spanned.extend(all.iter().map(|k| (*k, made.len()))),
            None => values.spanned.push((*position, made.len())),
        }
        let (store, each) = (&spans.steady.stores[*position], all.map_or(1, Vec::len));
        made.push((ours("reach", position), values.reach(store, each, spans.rows.is_some())));
    }
    let steady = step(values, &spans.steady);
    values.spanned.clear();
    values.windows.close(opened);
    let others = step(values, &spans.others);
    let (names, constructors): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let (from, to) = (bound(&spans.low), bound(&spans.high));
    let (outer, first, last) = match (&spans.rows, innermost.checked_sub(1)) {
        (Some((first, last)), Some(outer)) => {
            let t = ours("t", outer);
            (quote!(let #t = row;), bound(first), bound(last))
        }
        _ => (TokenStream::new(), quote!(0), quote!(0)),
    };
    let high = ours("high", innermost);
    let more = match &spans.last {
        Some(last) => {
            let last = shared(last);
            quote!(let more = { #outer let #t = from; #cpu::more(#last + 1, #high - from + 1, #to - from + 1) };)
        }
        None => TokenStream::new(),
    };
    let before = quote! {
        let from: i64 = #from;
        let row: i64 = #first;
        #more
        let (#(#names,)*) = {
            #outer
            let #t = from;
            let count = #cpu::Steps { rows: #last - row + 1, steps: #to - from + 1 };
            (#(#constructors,)*)
        };
    };
    let parts = Parts { names, parts, steady, others };
    let code = match (innermost.checked_sub(1), spans.by_column) {
        (Some(outer), true) => {
            let of_row = at_level(values, innermost);
            by_column(values, &parts, outer, &quote!(#of_row #along), spans.last.is_some())
        }
        (outer, _) => {
            let ends = running(values.program, innermost);
            let code = by_row(&parts, innermost, outer.filter(|_| spans.rows.is_some()), ends);
            quote!(#along #code)
        }
    };
    (before, code)
}

/// The innermost loop between its ends: edges and the steady state in the order of time.
fn by_row(
    parts: &Parts,
    innermost: usize,
    outer: Option<usize>,
    (first, last): (TokenStream, TokenStream),
) -> TokenStream {
    let Parts { names, parts, steady, others } = parts;
    let t = ours("t", innermost);
    let lines: Vec<_> = (0..names.len()).map(|k| ours("line", k)).collect();
    let row = match outer.map(|outer| ours("t", outer)) {
        Some(t) => quote!(#t - row),
        None => quote!(0i64),
    };
    let least = least(&lines);
    quote! {
        let j = #row;
        #(let #lines = #names.line(j);)*
        let steps = #least;
        let mut #t = #first;
        let end = #last + 1;
        while #t < end {
            if #t == from && steps > 0 {
                for i in 0..steps {
                    let #t = from + i;
                    #parts
                    #steady
                }
                #t = from + steps;
                continue;
            }
            #others
            #t += 1;
        }
    }
}

/// The two innermost loops: all edges, column by column, then the steady state, row by row. `of_row` is what a row computes
/// before its steps. If the last step of a row `overlaps` the one before it, it follows after the others.
fn by_column(values: &Values<'_>, parts: &Parts, outer: usize, of_row: &TokenStream, overlaps: bool) -> TokenStream {
    let Parts { names, parts, steady, others } = parts;
    let bounds = |k: usize| (ours("t", k), ours("low", k), ours("high", k));
    let ((t, low, high), (row_t, row_low, row_high)) = (bounds(outer + 1), bounds(outer));
    let lines: Vec<_> = (0..names.len()).map(|k| ours("line", k)).collect();
    let (cpu, least) = (values.cpu(), least(&lines));
    let more = values.more();
    let mut steps = quote! {
        #(let #lines = #names.line(j);)*
        for i in 0..#least {
            let #t = from + i;
            #parts
            #steady
        }
    };
    if overlaps {
        steps = quote! {
            for is_last in [false, true] {
                #(let #names = #names.either(is_last);)*
                #steps
            }
        };
    }
    quote! {
        let whole = #cpu::Steps::all([#(#names.count()),*]);
        for edge in whole.around(#more, [row, from], [#row_low, #low], [#row_high, #high]) {
            for #t in edge.steps() {
                for #row_t in edge.rows() {
                    #of_row
                    #others
                }
            }
        }
        for j in 0..whole.rows {
            let #row_t = row + j;
            #of_row
            #steps
        }
    }
}

/// The least number of steps of some lines. A loop over that many steps needs no bounds checks.
fn least(lines: &[Ident]) -> Option<TokenStream> {
    lines.iter().map(|line| quote!(#line.steps())).reduce(|a, b| quote!(i64::min(#a, #b)))
}

impl Values<'_> {
    /// How many lanes one more step goes beyond the last one.
    pub fn more(&self) -> TokenStream {
        let overlaps = self.plan.spans.as_ref().is_some_and(|spans| spans.last.is_some());
        if overlaps { quote!(more) } else { quote!(0) }
    }

    /// The span of a store of `each` consecutive elements per lane.
    fn reach(&mut self, store: &Store, each: usize, rows: bool) -> TokenStream {
        let (by, output) = (self.per_step(&store.index, rows), destination(store));
        let splits: Vec<_> = store.index.iter().map(|f| self.tables.split(f)).collect();
        let step = literal::number(self.stride(&splits).unwrap_or(1));
        let (lanes, (at, _)) = (literal::number(self.program.lane_count()), access(splits));
        let (each, more) = (literal::number(each as i128), self.more());
        quote!(self.#output.reach::<S, #step, #each>(simd, #at, #lanes, #by, count, #more))
    }

    /// The store at a position of the steady step, along its span. Stores to consecutive elements are one, where the last stands.
    pub fn store_along(&mut self, position: usize, store: &Store, line: usize) -> TokenStream {
        let mask = self.mask(store);
        let splits: Vec<_> = store.index.iter().map(|f| self.tables.split(f)).collect();
        let step = literal::number(self.stride(&splits).unwrap_or(1));
        let (line, value) = (ours("line", line), self.read(store.value));
        let spans = self.plan.spans.as_ref();
        let all = spans.and_then(|spans| spans.together.iter().find(|all| all.contains(&position)).zip(Some(spans)));
        match all {
            Some((all, _)) if all.iter().any(|k| *k > position) => TokenStream::new(),
            Some((all, spans)) => {
                let values = all.iter().map(|k| self.read(spans.steady.stores[*k].value));
                quote!(#line.put_together::<S, #step>(simd, i, simd.lanes(#mask), [#(#values),*]);)
            }
            None => quote!(#line.put::<S, #step>(simd, i, simd.lanes(#mask), #value);),
        }
    }

    /// The lanes that store.
    pub fn mask(&mut self, store: &Store) -> TokenStream {
        let (lanes, mut mask) = (self.program.lane_count(), self.predicates.mask(&store.condition, &mut self.tables));
        if lanes < 32 {
            let bits = literal::number((1i128 << lanes) - 1);
            mask = quote!(#mask & #bits);
        }
        for form in &store.whole {
            if let Split::Computed(whole) = self.tables.split(form) {
                mask = quote!(#mask & #whole.whole());
            }
        }
        mask
    }
}
