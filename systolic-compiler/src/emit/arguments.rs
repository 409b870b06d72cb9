//! Parameters and outputs as Rust types: with the kernel's generics, as a caller sees them, and for an instance, with
//! numbers and types filled in.
use super::generated::GeneratedType;
use super::literal;
use super::names;
use crate::compile::{Passes, Programs, which};
use crate::fault::nearest;
use crate::laws::Lawful;
use crate::mapping::{Obstacle, Target};
use crate::model::{self, Instance};
use crate::region::Name;
use crate::schedule::Schedule;
use crate::syntax::tree::{self, ArrayType, Expr, ExprKind, GenericList, ParameterKind};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use std::rc::Rc;
use systolic_arith::Type;

/// The header of a kernel: its generics, parameters and outputs.
pub struct Header<'t> {
    pub krate: &'t TokenStream,
    pub tree: &'t tree::Kernel,
    /// The generics, in order. A name that repeats an earlier one is changed.
    pub generics: Vec<(Ident, &'t tree::Generic)>,
    /// The parameters' names, in order. A name that repeats an earlier one is changed.
    pub parameters: Vec<Ident>,
    /// The dimensions of every `const` parameter, if all instances have the same; `None` otherwise.
    shared: Vec<Option<Vec<model::Int>>>,
    lawful: bool,
    /// The programs for the CPU.
    pub programs: Programs,
}

/// How a type is written: with the kernel's generics, or for an instance.
#[derive(Clone, Copy)]
pub enum Over<'i> {
    Generics,
    Instance(&'i Instance),
}

/// The type of a `const` parameter.
pub enum ConstType {
    /// `[[T; Q]; P]`
    Plain(TokenStream),
    /// An associated type, which every instance defines: the dimensions are computed from the generics.
    Associated(Ident),
    /// Unknown, because the kernel has faults.
    Unknown,
}

impl<'t> Header<'t> {
    /// `instances` is `None` for a kernel with faults.
    pub fn of(
        krate: &'t TokenStream,
        tree: &'t tree::Kernel,
        instances: Option<&[Lawful]>,
        programs: Programs,
    ) -> Header<'t> {
        let mut taken = Vec::new();
        let generics = tree.generics.iter().map(|g| (fresh(&g.name, &mut taken), g)).collect();
        let parameters = tree.parameters.iter().map(|p| fresh(&p.name, &mut taken)).collect();
        let shared = (0..tree.parameters.len()).map(|k| shared(k, instances.unwrap_or_default())).collect();
        Header { krate, tree, generics, parameters, shared, lawful: instances.is_some(), programs }
    }

    /// The program that a type runs on a CPU, or why it runs point by point.
    pub fn on_cpu(&self, generated: &GeneratedType, lawful: &Lawful) -> Result<Rc<Schedule>, Obstacle> {
        self.programs.get(lawful, which(generated.map, lawful, Target::Cpu), Target::Cpu)
    }

    /// The passes in which a type runs on a CPU, if it has no program there.
    pub fn passes(&self, generated: &GeneratedType, lawful: &Lawful) -> Option<&Passes> {
        self.programs.passes(lawful, which(generated.map, lawful, Target::Cpu))
    }

    /// The same header with other names for the generics: `fresh(k)` names the k-th.
    pub fn renamed(&self, fresh: &dyn Fn(usize) -> Ident) -> Header<'t> {
        let generics = self.generics.iter().enumerate().map(|(k, (_, generic))| (fresh(k), *generic)).collect();
        let (parameters, shared) = (self.parameters.clone(), self.shared.clone());
        let programs = self.programs.clone();
        Header { krate: self.krate, tree: self.tree, generics, parameters, shared, lawful: self.lawful, programs }
    }

    /// `T, const P: usize`
    pub fn declared(&self) -> TokenStream {
        let krate = self.krate;
        let usize = quote!(#krate::__private::primitive::usize);
        let generics = self.generics.iter().map(|(name, generic)| match generic.list {
            GenericList::Numbers { .. } => quote!(const #name: #usize),
            GenericList::Types { .. } => quote!(#name),
        });
        quote!(#(#generics),*)
    }

    /// `T, { P }`, or `f32, 3`. A bare `P` would mean a type of that name if the user has one.
    pub fn arguments(&self, over: Over<'_>) -> TokenStream {
        let arguments = self.generics.iter().enumerate().map(|(k, (name, generic))| match over {
            Over::Generics => match generic.list {
                GenericList::Numbers { .. } => quote!({ #name }),
                GenericList::Types { .. } => quote!(#name),
            },
            Over::Instance(instance) => match instance.arguments.get(k) {
                Some((_, model::Argument::Number(v))) => {
                    let v = Literal::u64_unsuffixed(*v);
                    quote!(#v)
                }
                Some((_, model::Argument::Type(ty))) => literal::ty(self.krate, *ty),
                None => quote!(#name),
            },
        });
        quote!(#(#arguments),*)
    }

    /// The type generics.
    pub fn type_generics(&self) -> Vec<&Ident> {
        let types = self.generics.iter().filter(|(_, g)| matches!(g.list, GenericList::Types { .. }));
        types.map(|(name, _)| name).collect()
    }

    /// An element type: a generic or a type of Rust. A misspelt one in a kernel with faults is replaced by the nearest.
    pub fn element(&self, name: &Name, over: Over<'_>) -> TokenStream {
        let generic =
            self.generics.iter().find(|(_, g)| g.name == *name && matches!(g.list, GenericList::Types { .. }));
        if let Some((ident, _)) = generic {
            return match over {
                Over::Instance(instance) => match instance.ty(&name.text) {
                    Some(ty) => literal::ty(self.krate, ty),
                    None => quote!(#ident),
                },
                Over::Generics => quote!(#ident),
            };
        }
        let near = || nearest(&name.text, Type::ALL.map(Type::name)).and_then(Type::parse);
        literal::ty(self.krate, Type::parse(&name.text).or_else(near).unwrap_or(Type::F32))
    }

    /// `Array<T, Ix2>`
    pub fn output(&self, array: &ArrayType, over: Over<'_>) -> TokenStream {
        let (krate, element) = (self.krate, self.element(&array.element, over));
        let rank = self.rank(array).unwrap_or_else(|| quote!(#krate::ndarray::IxDyn));
        quote!(#krate::ndarray::Array<#element, #rank>)
    }

    /// `ArrayView<'a, T, Ix2>`; `None` if the rank is a fault.
    pub fn view(&self, array: &ArrayType, over: Over<'_>, lifetime: TokenStream) -> Option<TokenStream> {
        let (krate, element, rank) = (self.krate, self.element(&array.element, over), self.rank(array)?);
        Some(quote!(#krate::ndarray::ArrayView<#lifetime, #element, #rank>))
    }

    /// `DeviceArray<T, Ix2>`
    pub fn on_device(&self, array: &ArrayType, over: Over<'_>) -> TokenStream {
        let (krate, element) = (self.krate, self.element(&array.element, over));
        let rank = self.rank(array).unwrap_or_else(|| quote!(#krate::ndarray::Ix1));
        quote!(#krate::DeviceArray<#element, #rank>)
    }

    /// The element type and the dimension type of an array.
    #[cfg(feature = "mesh")]
    pub fn element_and_rank(&self, array: &ArrayType, over: Over<'_>) -> (TokenStream, TokenStream) {
        let krate = self.krate;
        (self.element(&array.element, over), self.rank(array).unwrap_or_else(|| quote!(#krate::ndarray::Ix1)))
    }

    fn rank(&self, array: &ArrayType) -> Option<TokenStream> {
        let krate = self.krate;
        (1..=4).contains(&array.dims.len()).then(|| {
            let name = names::identifier(&format!("Ix{}", array.dims.len()), Span::call_site());
            quote!(#krate::ndarray::#name)
        })
    }

    /// The type of `const` parameter `k`.
    pub fn constant(&self, k: usize, array: &ArrayType, over: Over<'_>) -> ConstType {
        let element = self.element(&array.element, over);
        let shared = self.shared.get(k).and_then(Option::as_deref);
        let dims: Option<Vec<TokenStream>> = match shared {
            Some(dims) if !array.dims.iter().any(|dim| self.generic(dim).is_some()) => {
                Some(dims.iter().map(|d| literal::number(*d)).collect())
            }
            _ => array.dims.iter().map(|dim| self.dim(dim, over)).collect(),
        };
        match dims {
            Some(dims) if !dims.is_empty() => {
                ConstType::Plain(dims.iter().rev().fold(element, |inner, dim| quote!([#inner; #dim])))
            }
            _ if self.lawful => ConstType::Associated(self.associated_name(k)),
            _ => ConstType::Unknown,
        }
    }

    /// `W2`, with underscores appended if a generic has that name.
    fn associated_name(&self, k: usize) -> Ident {
        let mut tail = String::new();
        while self.tree.generics.iter().any(|g| g.name.text == format!("W{k}{tail}")) {
            tail.push('_');
        }
        names::ours("W", format!("{k}{tail}"))
    }

    /// A dimension that can be written in a Rust type: a number or a bare generic.
    fn dim(&self, dim: &Expr, over: Over<'_>) -> Option<TokenStream> {
        match &dim.kind {
            ExprKind::Int { value, .. } if *value >= 0 => Some(literal::number(*value)),
            ExprKind::Name(name) => match (self.generic(dim)?, over) {
                (ident, Over::Generics) => Some(quote!(#ident)),
                (_, Over::Instance(instance)) => instance.number(name).map(|v| literal::number(v.into())),
            },
            _ => None,
        }
    }

    /// The generic number that a dimension consists of.
    fn generic(&self, dim: &Expr) -> Option<&Ident> {
        let ExprKind::Name(name) = &dim.kind else { return None };
        let numbers = |g: &tree::Generic| g.name.text == *name && matches!(g.list, GenericList::Numbers { .. });
        self.generics.iter().find(|(_, g)| numbers(g)).map(|(ident, _)| ident)
    }

    /// The `const` parameters whose type is an associated type.
    pub fn associated(&self) -> Vec<(usize, Ident)> {
        let each = self.tree.parameters.iter().enumerate();
        each.filter_map(|(k, p)| match &p.kind {
            ParameterKind::Const { array, .. } => match self.constant(k, array, Over::Generics) {
                ConstType::Associated(name) => Some((k, name)),
                _ => None,
            },
            _ => None,
        })
        .collect()
    }

    /// The outputs by name, as mutable views: `ArrayViewMut<'b, T, Ix2>`. A scalar is an array of one element.
    pub fn output_views(&self, over: Over<'_>, lifetime: TokenStream) -> Vec<(Ident, TokenStream)> {
        let krate = self.krate;
        let view = |output: &tree::Output| {
            let element = self.element(&output.array.element, over);
            let rank = match output.is_scalar {
                true => quote!(#krate::ndarray::Ix1),
                false => self.rank(&output.array).unwrap_or_else(|| quote!(#krate::ndarray::IxDyn)),
            };
            quote!(#krate::ndarray::ArrayViewMut<#lifetime, #element, #rank>)
        };
        self.output_names().into_iter().zip(self.tree.outputs.iter().map(view)).collect()
    }

    /// The outputs' names. One that repeats a parameter's or a generic's is changed.
    pub fn output_names(&self) -> Vec<Ident> {
        let earlier = self.generics.iter().map(|(name, _)| name).chain(&self.parameters);
        let mut taken: Vec<String> = earlier.map(ToString::to_string).collect();
        self.tree.outputs.iter().map(|o| fresh(&o.name, &mut taken)).collect()
    }

    /// The result type of a function: one output, or a tuple.
    pub fn outputs(&self, over: Over<'_>) -> TokenStream {
        let output = |o: &tree::Output| match o.is_scalar {
            true => self.element(&o.array.element, over),
            false => self.output(&o.array, over),
        };
        let outputs: Vec<_> = self.tree.outputs.iter().map(output).collect();
        match outputs.as_slice() {
            [one] => one.clone(),
            _ => quote!((#(#outputs),*)),
        }
    }
}

/// The name as written, with underscores appended if it is taken: rustc would report it a second time.
fn fresh(name: &Name, taken: &mut Vec<String>) -> Ident {
    let mut text = name.text.clone();
    while taken.contains(&text) {
        text.push('_');
    }
    taken.push(text.clone());
    names::user(&Name { text, at: name.at })
}

/// The dimensions of `const` parameter `k`, if all instances have the same.
fn shared(k: usize, instances: &[Lawful]) -> Option<Vec<model::Int>> {
    let dims = |lawful: &Lawful| match &lawful.kernel().parameters.get(k)?.kind {
        model::ParameterKind::Const { dims, .. } => Some(dims.clone()),
        _ => None,
    };
    let (first, rest) = instances.split_first()?;
    let first = dims(first)?;
    rest.iter().all(|lawful| dims(lawful).as_ref() == Some(&first)).then_some(first)
}
