//! The data from which the runtime computes sizes, shapes and conditions, as a constant of an instance.
use super::arguments::Header;
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
    let sizes = kernel.sizes.iter().map(|size| {
        let (name, source) = (&size.name, source(krate, kernel, &size.source));
        quote!(#private::Size { name: #name, source: #source })
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
    let loops = kernel.loops.iter().map(|l| {
        let (name, low, high) = (&l.name.text, form(krate, &l.low), form(krate, &l.high));
        quote!(#private::Loop { name: #name, low: #low, high: #high })
    });
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

/// The source by its number among the `size` parameters, or among the arrays.
fn source(krate: &TokenStream, kernel: &Kernel, source: &SizeSource) -> TokenStream {
    let name = quote!(#krate::__private::Source);
    let before = |parameter: usize, counts: fn(&ParameterKind) -> bool| {
        let count = kernel.parameters.iter().take(parameter).filter(|p| counts(&p.kind)).count();
        Literal::usize_unsuffixed(count)
    };
    match source {
        SizeSource::Parameter { parameter } => {
            let given = before(*parameter, |kind| matches!(kind, ParameterKind::Size));
            quote!(#name::Given(#given))
        }
        SizeSource::Shape { parameter, axis } => {
            let input = before(*parameter, |kind| matches!(kind, ParameterKind::Array { .. }));
            let axis = Literal::usize_unsuffixed(*axis);
            quote!(#name::Shape { input: #input, axis: #axis })
        }
    }
}

fn form(krate: &TokenStream, form: &Form) -> TokenStream {
    let coefs = form.coefs.iter().map(|c| number(*c));
    let constant = number(form.constant);
    quote!(#krate::__private::Form { coefs: &[#(#coefs),*], constant: #constant })
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
    let mut reaches = vec![Int::from(limits::NEAR); kernel.sizes.len()];
    let reach = |form: &Form, reaches: &[Int]| {
        let terms = form.coefs.iter().zip(reaches).map(|(c, reach)| c.saturating_abs().saturating_mul(*reach));
        terms.fold(form.constant.saturating_abs(), Int::saturating_add)
    };
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
