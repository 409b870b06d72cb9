//! The data from which the runtime computes sizes, shapes and conditions, as a constant of an instance.
use super::arguments::Header;
use super::forms;
use super::function::Function;
use super::generated::{GeneratedType, function_name};
use super::literal::number;
use super::names::ours;
use crate::model::{Expr, ExprKind, Form, Formula, Int, Kernel, ParameterKind, SizeSource};
use crate::target::limits;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The function `signature`, which the other functions of a type call.
pub fn function<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = quote!(&'static #krate::__private::Signature);
    Function {
        over: None,
        name: function_name("signature"),
        doc: Vec::new(),
        public: None,
        hidden: Box::new(move |_| (TokenStream::new(), result.clone())),
        body: Box::new(move |generated, lawful| {
            if generated.map.is_some() {
                let own = GeneratedType::own(header, lawful.kernel());
                return quote!(#own::signature());
            }
            let signature = constant(krate, lawful.kernel());
            quote!(static SIGNATURE: #krate::__private::Signature = #signature; &SIGNATURE)
        }),
        fallback: TokenStream::new(),
    }
}

/// The array parameters by name.
pub fn arrays(kernel: &Kernel) -> Vec<Ident> {
    named(kernel, |kind| matches!(kind, ParameterKind::Array { .. }))
}

fn named(kernel: &Kernel, is_chosen: fn(&ParameterKind) -> bool) -> Vec<Ident> {
    let parameters = kernel.parameters.iter().enumerate().filter(|(_, p)| is_chosen(&p.kind));
    parameters.map(|(k, _)| ours("p", k)).collect()
}

/// `let call = …`: solves for the sizes from the shapes of these arrays.
pub fn call(header: &Header<'_>, generated: &GeneratedType, kernel: &Kernel, arrays: &[Ident]) -> TokenStream {
    let (this, sizes) = (generated.this(header, kernel), named(kernel, |kind| matches!(kind, ParameterKind::Size)));
    quote!(let call = #this::signature().call(&[#(#arrays.shape()),*], &[#(#sizes),*])?;)
}

/// Checks that all lengths lie in their ranges, in arrays of the host.
pub fn length_checks(krate: &TokenStream, kernel: &Kernel) -> TokenStream {
    lengths(krate, kernel).map(|(name, declared)| quote!(call.check_lengths(&#declared, &#name)?;)).collect()
}

/// The same in arrays of a GPU, which are copied to the host for that.
pub fn length_checks_on_device(krate: &TokenStream, kernel: &Kernel) -> TokenStream {
    let check = |(name, declared)| quote!(call.check_lengths(&#declared, &#name.download()?.view())?;);
    lengths(krate, kernel).map(check).collect()
}

/// The parameters that are lengths.
pub fn length_names(kernel: &Kernel) -> impl Iterator<Item = Ident> {
    (0..kernel.parameters.len()).filter(|k| kernel.range_of(*k).is_some()).map(|k| ours("p", k))
}

/// The parameters that are lengths, each with its range.
fn lengths(krate: &TokenStream, kernel: &Kernel) -> impl Iterator<Item = (Ident, TokenStream)> {
    (0..kernel.parameters.len()).filter_map(move |k| {
        let range = kernel.range_of(k)?;
        let (name, least, most) = (&kernel.parameters[k].name.text, number(range.least), form(krate, &range.most));
        Some((ours("p", k), quote!(#krate::__private::Lengths { name: #name, least: #least, most: #most })))
    })
}

/// As [`call`], faster for sizes that are not large. The sizes and the comparisons of shapes are written out, as in
/// `s0 = axis(x, 0) - 2; is_near = s0 >= 1 && axis(y, 0) == s0 + 1`; where they fail, the runtime repeats them and gives the
/// reasons.
pub fn near_call(header: &Header<'_>, generated: &GeneratedType, kernel: &Kernel) -> TokenStream {
    let (krate, arrays) = (header.krate, arrays(kernel));
    let call = call(header, generated, kernel, &arrays);
    let checks = length_checks(krate, kernel);
    let Some(sizes) = near_sizes(krate, kernel) else { return quote!(#call #checks) };
    let (this, near) = (generated.this(header, kernel), Literal::i64_suffixed(limits::NEAR));
    let names: Vec<_> = (0..kernel.call_sizes()).map(|k| ours("s", k)).collect();
    let count = Literal::usize_unsuffixed(names.len());
    let others = (names.len()..limits::NEAR_SIZES).map(|_| quote!(0));
    let shapes = kernel.parameters.iter().enumerate().filter_map(|(k, p)| match &p.kind {
        ParameterKind::Array { dims, .. } => Some(has_shape(krate, kernel, &ours("p", k), dims)),
        _ => None,
    });
    let shapes: TokenStream = shapes.collect();
    quote! {
        #(let #names = #sizes;)*
        let is_near = true #(&& #names > 0 && #names <= #near)* #shapes;
        let call = if is_near {
            #krate::__private::Call::near(#this::signature(), #count, [#(#names,)* #(#others),*])
        } else {
            #call
            call
        };
        #checks
    }
}

/// `&& axis(o0.shape(), 0) == s0 + 2`, for each axis.
fn has_shape(krate: &TokenStream, kernel: &Kernel, array: &Ident, dims: &[Form]) -> TokenStream {
    let each = dims.iter().enumerate().map(|(k, dim)| {
        let (k, length) = (Literal::usize_unsuffixed(k), forms::form(kernel, dim));
        quote!(&& #krate::__private::axis(#array.shape(), #k) == #length)
    });
    each.collect()
}

/// The sizes as expressions of the shapes, if each follows from one axis alone, as in `axis(p0.shape(), 0) - 2`, and nothing can
/// overflow.
fn near_sizes(krate: &TokenStream, kernel: &Kernel) -> Option<Vec<TokenStream>> {
    let small = |n: &Int| n.saturating_abs() <= Int::from(limits::NEAR);
    let is_small = |form: &Form| form.coefs.iter().all(small) && small(&form.constant);
    let arrays = kernel.parameters.iter().filter_map(|p| match &p.kind {
        ParameterKind::Array { dims, .. } => Some(dims),
        _ => None,
    });
    let mut dims = arrays.chain(kernel.outputs.iter().map(|output| &output.dims)).flatten();
    if kernel.call_sizes() > limits::NEAR_SIZES || !kernel.conditions.is_empty() {
        return None;
    }
    if !wide(kernel).is_empty() || !is_near(kernel) || !dims.all(is_small) {
        return None;
    }
    let each = kernel.sizes.iter().take(kernel.call_sizes()).enumerate().map(|(k, size)| match size.source {
        SizeSource::Length { .. } => None,
        SizeSource::Parameter { parameter } => {
            let name = ours("p", parameter);
            Some(quote!(#krate::__private::axis(&[#name], 0)))
        }
        SizeSource::Shape { parameter, axis } => {
            let ParameterKind::Array { dims, .. } = &kernel.parameters.get(parameter)?.kind else { return None };
            let dim = dims.get(axis)?;
            let alone = dim.coef(k) == 1 && dim.coefs.iter().filter(|c| **c != 0).count() == 1;
            let (name, axis, constant) = (ours("p", parameter), Literal::usize_unsuffixed(axis), number(dim.constant));
            alone.then(|| quote!(#krate::__private::axis(#name.shape(), #axis) - (#constant)))
        }
    });
    each.collect()
}

/// Checks that the outputs have the shapes that follow from the sizes; only the shapes of others are compared with reasons.
pub fn near_checks(krate: &TokenStream, kernel: &Kernel) -> TokenStream {
    if near_sizes(krate, kernel).is_none() {
        return checks(kernel);
    }
    let each = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let name = ours("o", k);
        let (fits, k) = (has_shape(krate, kernel, &name, &output.dims), Literal::usize_unsuffixed(k));
        quote!(if !(is_near #fits) { call.check_output(#k, #name.shape())?; })
    });
    each.collect()
}

/// Checks that the outputs have the shapes that follow from the sizes.
pub fn checks(kernel: &Kernel) -> TokenStream {
    let each = (0..kernel.outputs.len()).map(|k| {
        let (name, k) = (ours("o", k), Literal::usize_unsuffixed(k));
        quote!(call.check_output(#k, #name.shape())?;)
    });
    each.collect()
}

/// A `Signature` of the runtime.
fn constant(krate: &TokenStream, kernel: &Kernel) -> TokenStream {
    let private = quote!(#krate::__private);
    let array = |name: &str, dims: &[Form]| {
        let dims = dims.iter().map(|dim| form(krate, dim));
        quote!(#private::Array { name: #name, dims: &[#(#dims),*] })
    };
    let sizes = kernel.sizes.iter().filter_map(|size| {
        let (name, source) = (&size.name, source(krate, kernel, &size.source)?);
        Some(quote!(#private::Size { name: #name, source: #source }))
    });
    let inputs = kernel.parameters.iter().filter_map(|p| match &p.kind {
        ParameterKind::Array { dims, .. } => Some(array(&p.name.text, dims)),
        _ => None,
    });
    let outputs = kernel.outputs.iter().map(|output| array(&output.name.text, &output.dims));
    let conditions = kernel.conditions.iter().map(|condition| {
        let (text, formula) = (&condition.text, formula(krate, &condition.formula));
        quote!(#private::Condition { text: #text, formula: #formula })
    });
    let bounded = |name: &str, low: &Form, high: &Form| {
        let (low, high) = (form(krate, low), form(krate, high));
        quote!(#private::Loop { name: #name, low: #low, high: #high })
    };
    // For the bounds of loops a length is like a loop around them, over its range.
    let ranged = kernel.lengths().map(|length| {
        let least = Form::constant(length.range.least);
        bounded(&kernel.sizes[length.size].name, &least, &length.range.most)
    });
    let loops = ranged.chain(kernel.loops.iter().map(|l| bounded(&l.name.text, &l.low, &l.high)));
    let wide = wide(kernel);
    let near = Literal::i64_unsuffixed(if wide.is_empty() && is_near(kernel) { limits::NEAR } else { 0 });
    let wide = wide.iter().map(|f| form(krate, f));
    quote! {
        #private::Signature {
            sizes: &[#(#sizes),*],
            inputs: &[#(#inputs),*],
            outputs: &[#(#outputs),*],
            conditions: &[#(#conditions),*],
            loops: &[#(#loops),*],
            wide: &[#(#wide),*],
            near: #near,
        }
    }
}

/// The source by its number among the `size` parameters, or among the arrays; `None` for a length, which is no size of a call.
fn source(krate: &TokenStream, kernel: &Kernel, source: &SizeSource) -> Option<TokenStream> {
    let name = quote!(#krate::__private::Source);
    let before = |parameter: usize, counts: fn(&ParameterKind) -> bool| {
        let count = kernel.parameters.iter().take(parameter).filter(|p| counts(&p.kind)).count();
        Literal::usize_unsuffixed(count)
    };
    Some(match source {
        SizeSource::Length { .. } => return None,
        SizeSource::Parameter { parameter } => {
            let given = before(*parameter, |kind| matches!(kind, ParameterKind::Size));
            quote!(#name::Given(#given))
        }
        SizeSource::Shape { parameter, axis } => {
            let input = before(*parameter, |kind| matches!(kind, ParameterKind::Array { .. }));
            let axis = Literal::usize_unsuffixed(*axis);
            quote!(#name::Shape { input: #input, axis: #axis })
        }
    })
}

/// A `Form` of the runtime.
pub fn form(krate: &TokenStream, form: &Form) -> TokenStream {
    let coefs = form.coefs.iter().map(|c| number(*c));
    let constant = number(form.constant);
    quote!(#krate::__private::Form::new(&[#(#coefs),*], #constant))
}

fn formula(krate: &TokenStream, f: &Formula) -> TokenStream {
    let name = quote!(#krate::__private::Formula);
    let list = |parts: &[Formula]| {
        let parts = parts.iter().map(|part| formula(krate, part));
        quote!(&[#(#parts),*])
    };
    match f {
        Formula::True => quote!(#name::True),
        Formula::False => quote!(#name::False),
        Formula::AtLeast(f) => {
            let f = form(krate, f);
            quote!(#name::AtLeast(#f))
        }
        Formula::Zero(f) => {
            let f = form(krate, f);
            quote!(#name::Zero(#f))
        }
        Formula::Remainder { form: f, modulus, is } => {
            let (f, modulus, is) = (form(krate, f), number(*modulus), number(*is));
            quote!(#name::Remainder { form: #f, modulus: #modulus, is: #is })
        }
        Formula::All(all) => {
            let all = list(all);
            quote!(#name::All(#all))
        }
        Formula::Any(any) => {
            let any = list(any);
            quote!(#name::Any(#any))
        }
        Formula::Not(f) => {
            let f = formula(krate, f);
            quote!(#name::Not(&#f))
        }
    }
}

/// The affine forms of the body that could exceed 64 bits at sizes the runtime otherwise accepts. The runtime checks them.
fn wide(kernel: &Kernel) -> Vec<Form> {
    let mut wide = Vec::new();
    each_form(kernel, &mut |form| {
        let reach = |(dim, c): (usize, &Int)| {
            let largest = if dim < kernel.sizes.len() { limits::SIZE } else { limits::LOOP };
            c.saturating_abs().saturating_mul(largest)
        };
        let reach = form.coefs.iter().enumerate().map(reach).fold(form.constant.saturating_abs(), Int::saturating_add);
        if reach > limits::INDEX && !wide.contains(form) {
            wide.push(form.clone());
        }
    });
    wide
}

/// Whether the loops stay within their limit at all sizes up to [`limits::NEAR`].
fn is_near(kernel: &Kernel) -> bool {
    let mut reaches = vec![Int::from(limits::NEAR); kernel.call_sizes()];
    let reach = |form: &Form, reaches: &[Int]| {
        let terms = form.coefs.iter().zip(reaches).map(|(c, reach)| c.saturating_abs().saturating_mul(*reach));
        terms.fold(form.constant.saturating_abs(), Int::saturating_add)
    };
    for length in kernel.lengths() {
        reaches.push(reach(&length.range.most, &reaches).max(length.range.least));
    }
    for l in &kernel.loops {
        reaches.push(reach(&l.low, &reaches).max(reach(&l.high, &reaches)));
    }
    reaches.iter().all(|reach| *reach <= limits::LOOP)
}

/// Visits every affine form that the body computes.
fn each_form(kernel: &Kernel, visit: &mut impl FnMut(&Form)) {
    for equation in &kernel.equations {
        in_expr(&equation.value, visit);
    }
    for store in &kernel.stores {
        in_formula(&store.guard, visit);
        store.index.iter().for_each(&mut *visit);
        in_expr(&store.value, visit);
    }
}

fn in_expr(expr: &Expr, visit: &mut impl FnMut(&Form)) {
    match &expr.kind {
        ExprKind::Element { element, .. } => element.index.iter().for_each(&mut *visit),
        ExprKind::Index(form) => visit(form),
        ExprKind::Holds(guard) | ExprKind::If { guard, .. } => in_formula(guard, visit),
        _ => {}
    }
    for child in expr.children() {
        in_expr(child, visit);
    }
}

fn in_formula(formula: &Formula, visit: &mut impl FnMut(&Form)) {
    match formula {
        Formula::True | Formula::False => {}
        Formula::AtLeast(form) | Formula::Zero(form) | Formula::Remainder { form, .. } => visit(form),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| in_formula(part, visit)),
        Formula::Not(part) => in_formula(part, visit),
    }
}
