//! The parameters of an entry point: one struct, passed by value, whose fields are aligned to 8 bytes and stand in the order in
//! which the runtime fills them. A `const` parameter has at least one element; the law `sizes` guarantees that.
use super::names::Names;
use super::text::Text;
use crate::model::{Int, Kernel, ParameterKind, Type};
use crate::schedule::Schedule;

/// Declares `struct Params { … };`.
pub fn declare(text: &mut Text, kernel: &Kernel, program: &Schedule, names: &Names) {
    text.open("struct Params {");
    for (parameter, name) in kernel.parameters.iter().zip(&names.parameters) {
        match &parameter.kind {
            ParameterKind::Array { ty, dims, .. } => array(text, &format!("const {ty}"), name, dims.len()),
            ParameterKind::Const { ty, dims, .. } => {
                text.line(format!("alignas(8) {ty} {name}[{}];", dims.iter().product::<Int>()));
            }
            ParameterKind::Scalar { ty } => text.line(format!("alignas(8) {ty} {name};")),
            ParameterKind::Size => {}
        }
    }
    for (output, name) in kernel.outputs.iter().zip(&names.outputs) {
        array(text, output.ty.name(), name, output.dims.len());
    }
    let given = &names.sizes[..kernel.call_sizes()];
    given.iter().for_each(|size| text.line(format!("i64 {size};")));
    text.line("i64 low[3], count[3], linear;");
    text.line("u8* rows;");
    text.line("i64 row_bytes;");
    for (k, face) in program.faces.iter().enumerate() {
        text.line(format!("{}* face_{k};", face.ty));
        text.line(format!("i64 face_{k}_length[{}];", face.dims.len()));
    }
    if program.frame.launches > 0 {
        text.line(format!("i64 launch[{}];", program.frame.launches));
    }
    if program.tickets.is_some() {
        text.line("u32* counter;");
        text.line("u32* flags;");
        text.line("const u32* order;");
    }
    text.close("};");
}

fn array(text: &mut Text, ty: &str, name: &str, rank: usize) {
    text.line(format!("{ty}* {name};"));
    text.line(format!("i64 {name}_length[{rank}];"));
    if rank > 1 {
        text.line(format!("i64 {name}_stride[{}];", rank - 1));
    }
}

/// Declares local names for the pointers, lengths, strides and sizes.
pub fn locals(text: &mut Text, kernel: &Kernel, program: &Schedule, names: &Names) {
    for (k, face) in program.faces.iter().enumerate() {
        text.line(format!("{}* const face_{k} = p.face_{k};", face.ty));
        for axis in 1..face.dims.len() {
            text.line(format!("const i64 face_{k}_n{axis} = p.face_{k}_length[{axis}];"));
        }
    }
    for size in &names.sizes[..kernel.call_sizes()] {
        text.line(format!("const I {size} = I(p.{size});"));
    }
    let inputs = kernel.parameters.iter().zip(&program.parameters).zip(&names.parameters);
    let inputs = inputs.filter_map(|((p, operand), name)| match &p.kind {
        ParameterKind::Array { ty, dims, .. } => Some((format!("const {ty}"), name, dims.len(), &operand.merged)),
        _ => None,
    });
    let outputs = kernel.outputs.iter().zip(&program.merged_outputs).zip(&names.outputs);
    let outputs = outputs.map(|((o, merged), name)| (o.ty.name().to_string(), name, o.dims.len(), merged));
    for (ty, name, rank, merged) in inputs.chain(outputs) {
        text.line(format!("{ty}* const {name} = p.{name};"));
        let rank = rank - merged.len();
        for k in 0..rank {
            let group = if k + 1 < rank || merged.is_empty() { String::new() } else { times(merged) };
            text.line(format!("const I {name}_n{k} = I(p.{name}_length[{k}]{group});"));
        }
        for k in 0..rank.saturating_sub(1) {
            text.line(format!("const I {name}_s{k} = I(p.{name}_stride[{k}]);"));
        }
    }
}

/// A factor: the elements of merged axes.
fn times(merged: &[Int]) -> String {
    format!(" * {}", merged.iter().product::<Int>())
}

/// The size of the struct in bytes.
pub fn bytes(kernel: &Kernel, program: &Schedule) -> usize {
    let of_array = |rank: usize| 8 * (2 * rank);
    let inputs = kernel.parameters.iter().map(|p| match &p.kind {
        ParameterKind::Array { dims, .. } => of_array(dims.len()),
        ParameterKind::Const { ty, dims, .. } => padded(*ty, dims.iter().product::<Int>() as usize),
        ParameterKind::Scalar { .. } => 8,
        ParameterKind::Size => 0,
    });
    let outputs = kernel.outputs.iter().map(|o| of_array(o.dims.len()));
    let faces = program.faces.iter().map(|face| 1 + face.dims.len()).sum::<usize>();
    let tickets = if program.tickets.is_some() { 3 } else { 0 };
    let words = kernel.call_sizes() + 9 + faces + program.frame.launches + tickets;
    inputs.chain(outputs).sum::<usize>() + 8 * words
}

fn padded(ty: Type, count: usize) -> usize {
    (ty.bytes() * count).next_multiple_of(8)
}
