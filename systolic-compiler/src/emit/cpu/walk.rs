//! Loads and stores in which each lane moves along its own row: each step accesses the next element of every row.
use super::super::names::ours;
use super::value::Values;
use crate::mapping::{Atom, Index};
use crate::model::Array;
use crate::program::{Operation, Store};
use crate::schedule::Schedule;
use crate::target::{cpu, gpu};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The accesses that move along rows; each array and index once.
#[derive(Debug, Default)]
pub struct Walks {
    loads: Vec<(usize, Vec<Index>)>,
    stores: Vec<(usize, Vec<Index>)>,
    /// The bytes of the buffers for fetched elements and pending stores.
    pub bytes: usize,
}

impl Walks {
    pub fn new(program: &Schedule) -> Walks {
        let mut walks = Walks::default();
        for line in program.steps().flat_map(|step| &step.lines) {
            let Operation::Load { array: array @ Array::Parameter(k), index } = &line.inst.operation else { continue };
            if program.in_memory(*array) && is_walk(program, index) && note(&mut walks.loads, *k, index) {
                walks.bytes += gpu::WARP * cpu::STEPS_TOGETHER as usize * line.inst.ty.bytes();
            }
        }
        for store in program.steps().flat_map(|step| &step.stores) {
            let whole = store.whole.is_empty() && is_walk(program, &store.index);
            if whole && note(&mut walks.stores, store.output, &store.index) {
                walks.bytes += gpu::WARP * cpu::STEPS_TOGETHER as usize * program.values[store.value.0].ty.bytes();
            }
        }
        walks
    }

    /// The buffers, to be declared before the loops.
    pub fn declared(&self, cpu: &TokenStream) -> TokenStream {
        let fetched = (0..self.loads.len()).map(fetched);
        let pending = (0..self.stores.len()).map(pending);
        quote! {
            #(let mut #fetched = #cpu::Fetched::new();)*
            #(let mut #pending = #cpu::Pending::new();)*
        }
    }

    /// The buffer from which a load reads.
    pub fn load(&self, parameter: usize, index: &[Index]) -> Option<Ident> {
        self.loads.iter().position(|(k, walk)| *k == parameter && walk == index).map(fetched)
    }

    /// The buffer that collects the elements of a store.
    pub fn store(&self, store: &Store) -> Option<Ident> {
        let here = |(k, index): &(usize, Vec<Index>)| *k == store.output && *index == store.index;
        self.stores.iter().position(here).filter(|_| store.whole.is_empty()).map(pending)
    }
}

impl Values<'_> {
    /// Writes the pending elements after all loops.
    pub fn finish(&mut self) -> TokenStream {
        let mut code = TokenStream::new();
        for (k, (output, index)) in self.walks.stores.iter().enumerate() {
            let (_, lanes) = super::value::access(index.iter().map(|f| self.tables.split(f)).collect());
            let (output, pending) = (ours("o", output), pending(k));
            code.extend(quote!(self.#output.finish(simd, #lanes, &mut #pending);));
        }
        code
    }
}

fn fetched(walk: usize) -> Ident {
    ours("fetched", walk)
}

fn pending(walk: usize) -> Ident {
    ours("pending", walk)
}

/// Adds an access. Returns whether it is new.
fn note(list: &mut Vec<(usize, Vec<Index>)>, array: usize, index: &[Index]) -> bool {
    let is_new = !list.iter().any(|(k, known)| *k == array && known == index);
    if is_new {
        list.push((array, index.to_vec()));
    }
    is_new
}

/// Whether lanes lie in different rows, or far apart in one, and a step of the innermost loop advances by one element.
fn is_walk(program: &Schedule, index: &[Index]) -> bool {
    let Some(innermost) = program.frame.loops.len().checked_sub(1) else { return false };
    let Some((last, rows)) = index.split_last() else { return false };
    let bounds = &program.frame.loops[innermost];
    let long = match (bounds.low.constant(), bounds.high.constant()) {
        (Some(low), Some(high)) => high - low + 1 >= cpu::STEPS_TOGETHER,
        _ => true,
    };
    let (time, lane) = (Atom::Time(innermost), |a: &Atom| matches!(a, Atom::Lane(_)));
    let along = last.coefficient(&time) == 1 && !rows.iter().any(|f| f.mentions(&|a| *a == time));
    let near = program.frame.lanes.len() == 1 && (0..cpu::STEPS_TOGETHER).contains(&last.coefficient(&Atom::Lane(0)));
    let apart = rows.iter().any(|f| f.mentions(&lane)) || !near;
    program.warp_count() == 1 && long && along && apart && index.iter().all(Index::is_plain)
}
