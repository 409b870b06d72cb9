//! The code of a block: loops around phases. Each phase runs all warps; the last one ends with stores and register rotation.
use super::super::literal;
use super::super::names::ours;
use super::place::{bound, shared};
use super::spans::along_spans;
use super::value::{Values, access, is_computed, register_name};
use super::walk;
use crate::program::{Inst, Into, Store, ValueId};
use crate::schedule::{Schedule, Side, Step, is_rare, near_rows, rarely_needed};
use crate::target::cpu;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The body of a block's `run`.
pub fn block(values: &mut Values<'_>) -> TokenStream {
    let program = values.program;
    let along = values.along();
    let before = program.values.iter().enumerate().filter(|(_, m)| m.level < program.frame.loops.len());
    values.note(&before.collect::<Vec<_>>());
    let plan = values.plan;
    let (mut spans, mut code) = match &plan.spans {
        Some(spans) => along_spans(values, spans, &along),
        None => {
            let code = sections(values);
            (TokenStream::new(), quote!(#along #code))
        }
    };
    let mut depth = program.frame.loops.len();
    // Before the loop around the innermost one, or before the innermost.
    let stands = depth - if plan.spans.as_ref().is_some_and(|spans| spans.rows.is_some()) { 2 } else { depth.min(1) };
    if plan.spans.as_ref().is_some_and(|spans| spans.by_column) {
        // The spans have both loops.
        depth -= 1;
    }
    for k in (0..depth).rev() {
        if k + 1 < depth {
            let (t, (first, last)) = (ours("t", k), running(program, k));
            code = quote!(for #t in #first..#last + 1 { #code });
        }
        if k == stands {
            let spans = std::mem::take(&mut spans);
            code = quote!(#spans #code);
        }
        let before = at_level(values, k);
        code = quote!(#before #code);
    }
    let (walks, finish) = (walk::declared(&values.plan.walks, &values.cpu()), values.finish());
    let (bounds, state, rooms) = (bounds(program), state(values), values.windows.rooms());
    let sizes = (0..program.sizes.len()).filter(|k| !program.frame.is_length(*k)).map(|k| {
        let s = ours("s", k);
        quote!(let #s = self.#s;)
    });
    let lengths = program.frame.lengths.iter().map(|length| {
        let (s, array) = (ours("s", length.size), ours("p", length.parameter));
        let (index, least) = (length.index.iter().map(shared), literal::number(length.least));
        quote!(let #s = self.#array.length([#(#index),*], #least);)
    });
    let blocks = (0..program.frame.blocks.len()).map(|k| {
        let b = ours("b", k);
        match k.checked_sub(program.frame.launches) {
            Some(axis) => {
                let axis = literal::number(axis as i128);
                quote!(let #b = block[#axis];)
            }
            None => quote!(let #b = self.#b;),
        }
    });
    let step = (!program.rings.is_empty()).then(|| quote!(let mut step = 0i64;));
    quote! {
        #(#sizes)*
        #(#blocks)*
        #(#lengths)*
        #bounds
        #rooms
        #walks
        #state
        #step
        #code
        #finish
    }
}

/// The innermost loop, section by section.
fn sections(values: &mut Values<'_>) -> TokenStream {
    let program = values.program;
    let innermost = program.frame.loops.len().checked_sub(1).map(|k| ours("t", k));
    let mut code = TokenStream::new();
    for section in program.sections() {
        let step = step(values, &section.step);
        let (low, high) = (bound(&section.low), bound(&section.high));
        code.extend(match (&innermost, section.low.constant()) {
            (None, _) => step,
            // One iteration needs no loop.
            (Some(t), Some(_)) if section.low == section.high => quote!({ let #t = #low; #step }),
            (Some(t), _) if section.stays_rolled() => {
                let cpu = values.cpu();
                quote!(for #t in #low..#cpu::opaque(#high + 1) { #step })
            }
            (Some(t), _) => quote!(for #t in #low..#high + 1 { #step }),
        });
    }
    code
}

/// The first and the last iteration of a loop that run.
pub fn running(program: &Schedule, k: usize) -> (TokenStream, TokenStream) {
    match &program.frame.loops[k].busy {
        Some((first, last)) => (bound(first), bound(last)),
        None => {
            let (low, high) = (ours("low", k), ours("high", k));
            (quote!(#low), quote!(#high))
        }
    }
}

fn bounds(program: &Schedule) -> TokenStream {
    let each = program.frame.loops.iter().enumerate().map(|(k, l)| {
        let (low_name, high_name, low, high) = (ours("low", k), ours("high", k), bound(&l.low), bound(&l.high));
        quote!(let #low_name: i64 = #low; let #high_name: i64 = #high;)
    });
    each.collect()
}

/// Declares registers, rings and rows. Their initial values are never used.
fn state(values: &Values<'_>) -> TokenStream {
    let program = values.program;
    let krate = values.krate;
    let mut code = TokenStream::new();
    let held: Vec<_> =
        program.registers.iter().enumerate().flat_map(|(k, r)| (1..=r.delay).map(move |d| (k, d))).collect();
    for some in held.chunks(cpu::VALUES_PER_LET) {
        let names = some.iter().map(|(k, delay)| register_name(*k, *delay));
        let starts = some.iter().map(|(k, _)| {
            let (zero, count) = (values.zero(program.values[program.registers[*k].value.0].ty), values.warps());
            if values.many { quote!([#zero; #count]) } else { quote!(#zero) }
        });
        code.extend(quote!(let (#(mut #names,)*) = (#(#starts,)*);));
    }
    let rows = |ty, cells: TokenStream| {
        let ty = literal::ty(krate, ty);
        quote!(scratch.rows::<#ty>((#cells) as usize)?)
    };
    for (k, r) in program.rings.iter().enumerate() {
        let (name, slots, count) = (ours("q", k), literal::number(r.slots()), values.warps());
        let rows = rows(program.values[r.value.0].ty, quote!(#slots * #count));
        code.extend(quote!(let #name = #rows;));
    }
    for (k, r) in program.rows.iter().enumerate().filter(|(k, _)| values.plan.rows[*k] == *k) {
        let name = ours("m", k);
        let rows = rows(program.values[r.value.0].ty, values.row_cells(k));
        code.extend(quote!(let #name = #rows;));
    }
    code
}

/// The conditions and values that are computed before loop `level` opens.
pub fn at_level(values: &mut Values<'_>, level: usize) -> TokenStream {
    let program = values.program;
    let tests = values.predicates.at_level(level, &mut values.tables);
    let here = program.values.iter().enumerate().filter(|(_, m)| m.level == level);
    let insts: Vec<(usize, &Inst)> = here.collect();
    let code = define(values, &insts, TokenStream::new());
    let ahead = ahead(values, level);
    let forms = values.tables.declare(level);
    let parts = (level + 1 == program.frame.loops.len()).then(|| values.parts_of_rows());
    quote!(#forms #tests #ahead #code #parts)
}

/// Prefetches elements that later steps or blocks access.
fn ahead(values: &mut Values<'_>, level: usize) -> TokenStream {
    let Values { plan, tables, .. } = values;
    let mut code = TokenStream::new();
    for hint in plan.hints.iter().filter(|h| h.level == level) {
        let (at, lanes) = access(hint.index.iter().map(|f| tables.split(f)).collect());
        let name = match hint.side {
            Side::Input(k) => ours("p", k),
            Side::Output(k) => ours("o", k),
        };
        code.extend(quote!(self.#name.prefetch(simd, #at, #lanes);));
    }
    code
}

/// Computes values for every warp; `after` follows in the same loop over the warps.
fn define(values: &mut Values<'_>, insts: &[(usize, &Inst)], after: TokenStream) -> TokenStream {
    let mut declared = TokenStream::new();
    let (mut code, shared) = values.share(insts);
    for some in insts.chunks(cpu::VALUES_PER_LET) {
        let names: Vec<_> = some.iter().map(|(k, _)| ours("v", k)).collect();
        if values.many {
            let count = values.warps();
            let zeros = some.iter().map(|(_, inst)| values.zero(inst.ty));
            declared.extend(quote!(let (#(mut #names,)*) = (#([#zeros; #count],)*);));
        } else {
            let types = some.iter().map(|(_, inst)| values.vector(inst.ty));
            code.extend(quote!(let (#(#names,)*): (#(#types,)*);));
        }
        for ((id, inst), name) in some.iter().zip(&names) {
            let expression = values.line(*id, inst);
            let index = values.many.then(|| quote!([w]));
            code.extend(quote!(#name #index = #expression;));
        }
    }
    values.windows.close(shared);
    code.extend(after);
    if !values.many {
        return code;
    }
    let each = each_warp(values, code);
    quote!(#declared #each)
}

/// A loop over the warps, each with its coordinates.
fn each_warp(values: &Values<'_>, code: TokenStream) -> TokenStream {
    let (count, program) = (values.warps(), values.program);
    let mut coordinates = TokenStream::new();
    for k in 0..program.frame.warps.len() {
        let inner: i128 = program.frame.warps[k + 1..].iter().product();
        let (name, inner, extent) = (ours("w", k), literal::number(inner), literal::number(program.frame.warps[k]));
        coordinates.extend(quote!(let #name = warp.div_euclid(#inner).rem_euclid(#extent);));
    }
    quote! {
        for w in 0..#count {
            let warp = w as i64;
            #coordinates
            #code
        }
    }
}

/// One step: all phases, then stores, then register rotation.
pub fn step(values: &mut Values<'_>, step: &Step) -> TokenStream {
    let program = values.program;
    let phases = program.phases();
    let mut code = ahead(values, program.frame.loops.len());
    if !values.many && (!program.rings.is_empty() || !program.rows.is_empty()) {
        code.extend(quote!(let warp = 0i64;));
    }
    let all: Vec<(usize, &Inst)> = step.lines.iter().map(|l| (l.id.0, &l.inst)).collect();
    values.note(&all);
    let mut spared = values.spared(step);
    values.near = near_rows(program, values.plan, step);
    values.lazy = rarely_needed(step);
    spared.extend(values.near.values().flat_map(|near| near.spares.clone()));
    for phase in 0..phases {
        let here = step.lines.iter().filter(|l| l.inst.phase == phase && !spared.contains(&l.id));
        let insts: Vec<(usize, &Inst)> = here.map(|l| (l.id.0, &l.inst)).collect();
        let mut after = puts(values, step, phase);
        if phase + 1 == phases {
            after.extend(stores(values, step));
            after.extend(rotate(values, step));
        }
        code.extend(define(values, &insts, after));
    }
    if !program.rings.is_empty() {
        code.extend(quote!(step += 1;));
    }
    let forms = values.tables.declare(program.frame.loops.len());
    quote!(#forms #code)
}

/// Writes the values of a phase to rings and rows.
fn puts(values: &mut Values<'_>, step: &Step, phase: usize) -> TokenStream {
    let program = values.program;
    let of_phase = |id: ValueId| program.values[id.0].phase == phase;
    let mut code = TokenStream::new();
    for (k, r) in program.rings.iter().enumerate().filter(|(_, r)| of_phase(r.value)) {
        let (name, slots, count, value) =
            (ours("q", k), literal::number(r.slots()), values.warps(), values.read(step.rings[k]));
        code.extend(quote!(#name.put(simd, step.rem_euclid(#slots) * #count + warp, #value);));
    }
    let plan = values.plan;
    for (k, r) in program.rows.iter().enumerate().filter(|(k, r)| of_phase(r.value) && plan.rows[*k] == *k) {
        let nothing = vec![0; program.frame.loops.len() - r.level - 1];
        let ((row, cell), value) = (values.row_cell(k, 0, &nothing, 0), values.read(step.rows[k]));
        code.extend(quote!(#row.put(simd, #cell, #value);));
    }
    code
}

/// The field that a store goes to.
pub fn destination(store: &Store) -> Ident {
    match store.into {
        Into::Output(k) => ours("o", k),
        Into::Face(face) => ours("f", face.0),
    }
}

fn stores(values: &mut Values<'_>, step: &Step) -> TokenStream {
    let program = values.program;
    let lanes = program.lane_count();
    let mut code = TokenStream::new();
    for (position, store) in step.stores.iter().enumerate() {
        if let Some((_, line)) = values.spanned.iter().copied().find(|(spanned, _)| *spanned == position) {
            code.extend(values.store_along(position, store, line));
            continue;
        }
        let mask = values.mask(store);
        let splits: Vec<_> = store.index.iter().map(|f| values.tables.split(f)).collect();
        let (output, value) = (destination(store), values.read(store.value));
        if let Into::Face(_) = store.into {
            let (at, tables) = access(splits);
            code.extend(quote!(if simd.lanes(#mask) != 0 {
                self.#output.store(simd, #at, #tables, simd.lanes(#mask), #value);
            }));
            continue;
        }
        let along = values.along_row(&splits);
        // A single lane stores along any row: the mask has only that lane.
        let alone = lanes == 1 && along.is_some();
        let each = is_computed(&splits) || values.stride(&splits) != Some(1);
        let apart = along.filter(|step| (2..=cpu::WINDOW_STRIDE).contains(step));
        let (at, tables) = access(splits);
        // Most steps store nothing.
        let rare = is_rare(&store.condition) && values.plan.walks.store(store).is_none();
        let stored = match values.plan.walks.store(store) {
            Some(walk) => {
                let (walks, waits) = (walk::name(&values.plan.walks.stores[walk]), walk::pending(walk));
                quote!(self.#output.#walks(simd, #at, #tables, simd.lanes(#mask), #value, &mut #waits);)
            }
            None if alone => quote!(self.#output.store_row(simd, #at, simd.lanes(#mask), #value);),
            None if apart.is_some() => {
                let step = literal::number(apart.unwrap_or(1));
                quote!(self.#output.store_apart::<S, #step>(simd, #at, simd.lanes(#mask), #value);)
            }
            None if each => quote!(self.#output.store_each(simd, #at, #tables, simd.lanes(#mask), #value);),
            None if along == Some(1) => quote!(self.#output.store_row(simd, #at, simd.lanes(#mask), #value);),
            None => quote!(self.#output.store(simd, #at, #tables, simd.lanes(#mask), #value);),
        };
        code.extend(if rare { quote!(if simd.lanes(#mask) != 0 { #stored }) } else { stored });
    }
    code
}

/// Rotates the registers, the oldest first.
fn rotate(values: &Values<'_>, step: &Step) -> TokenStream {
    let index = values.many.then(|| quote!([w]));
    let mut code = TokenStream::new();
    // A value may come from another register, so all values are read before any register changes.
    let given: Vec<(usize, ValueId)> = step.registers.iter().copied().enumerate().collect();
    for some in given.chunks(cpu::VALUES_PER_LET) {
        let (fresh, taken) =
            (some.iter().map(|(k, _)| ours("n", k)), some.iter().map(|(_, value)| values.read(*value)));
        code.extend(quote!(let (#(#fresh,)*) = (#(#taken,)*);));
    }
    for (k, r) in values.program.registers.iter().enumerate() {
        for delay in (2..=r.delay).rev() {
            let (to, from) = (register_name(k, delay), register_name(k, delay - 1));
            code.extend(quote!(#to #index = #from #index;));
        }
        let (first, fresh) = (register_name(k, 1), ours("n", k));
        code.extend(quote!(#first #index = #fresh;));
    }
    code
}
