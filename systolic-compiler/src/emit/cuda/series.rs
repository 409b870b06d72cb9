//! The units of a series of launches, and the arrays between them: Rust tokens that the macro embeds beside the launch plans.
use super::super::demand;
use super::plan::{Speed, sizes};
use super::{Unit, name, unit_as};
use crate::compile::Which;
use crate::link;
use crate::mapping::{Bound, of_sizes};
use crate::model::Kernel;
use crate::schedule::Schedule;
use crate::series::Series;
use crate::syntax::tree;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// The units of a series, one per program of its members in order. `launch` is the time of a launch in seconds.
pub fn members(
    tree: &tree::Kernel,
    kernel: &Kernel,
    series: &Series,
    programs: &[(&Schedule, Speed)],
    launch: f64,
) -> Vec<Unit> {
    let (key, count) = (super::key(tree, kernel, Which::Default), series.members.len());
    let units = series.members.iter().zip(programs).enumerate().map(|(k, (member, (program, speed)))| {
        let name = format!("{} (launch {} of {count})", name(tree, kernel, Which::Default), k + 1);
        unit_as(link::member_key(&key, k + 1), name, member.lawful.kernel(), program, Some(*speed))
    });
    let mut units: Vec<Unit> = units.collect();
    if let (Some(first), Some((program, _))) = (units.first_mut(), programs.first()) {
        first.series = Some(arrays(series, program, launch).to_string());
    }
    units
}

/// The arrays of a series. `program` is one of its programs: all have the same sizes.
fn arrays(series: &Series, program: &Schedule, launch: f64) -> TokenStream {
    let krate = Ident::new(link::CRATE, Span::call_site());
    let (path, gpu) = (quote!(#krate), quote!(#krate::__private::gpu));
    let (sizes, wide) = (sizes(program), demand::wide_sizes(&path, program));
    let between = series.between.iter().map(|between| {
        let lengths = between.axes.iter().map(|axis| demand::bound(&path, &Bound::Form(of_sizes(&axis.length))));
        let bytes = Literal::usize_unsuffixed(between.ty.bytes());
        quote!(#gpu::Face {
            bytes: #bytes,
            lengths: |sizes, to| { let #sizes = *sizes else { return }; #wide to.extend_from_slice(&[#(#lengths),*]); },
        })
    });
    let numbers = |all: &[usize]| {
        let all = all.iter().map(|k| Literal::usize_unsuffixed(*k));
        quote!(&[#(#all),*])
    };
    let parts = series.members.iter().map(|member| {
        let (outputs, reads, stores) = (numbers(&member.outputs), numbers(&member.reads), numbers(&member.stores));
        quote!(#gpu::Part { outputs: #outputs, reads: #reads, stores: #stores })
    });
    quote! {
        #gpu::Series { launch: #launch, between: &[#(#between),*], parts: &[#(#parts),*], members: &[] }
    }
}
