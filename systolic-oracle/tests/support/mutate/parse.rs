//! Parses short texts to trees.
use systolic_compiler::syntax::tree::*;
use systolic_compiler::syntax::{self};

pub fn kernel_from(text: &str) -> Kernel {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    parsed.block.kernels.into_iter().next().unwrap_or_else(|| panic!("{:?}\n{text}", parsed.faults))
}

pub fn expr_from(text: &str) -> Expr {
    let kernel = kernel_from(&format!("kernel k(n: size) -> (z: [f32; n]) {{ for i in 0..n {{ z[i] = {text}; }} }}"));
    match kernel.statements.into_iter().next() {
        Some(Statement::Assign(assign)) => assign.value,
        other => panic!("{other:?}"),
    }
}

pub fn map_from(text: &str) -> Map {
    let text = format!("kernel k(n: size) -> (z: [f32; n]) {{ for i in 0..n {{ z[i] = 0.0; }} map {{ {text} }} }}");
    kernel_from(&text).maps.remove(0)
}

pub fn name(text: &str) -> systolic_compiler::region::Name {
    systolic_compiler::region::Name::new(text, proc_macro2::Span::call_site())
}
