//! Visits the points in the order of a loop nest: loops, bounds and the test whether a point lies in the domain.
use super::body::Place;
use super::forms;
use super::names::ours;
use crate::laws::Direction;
use crate::model::{Form, Kernel, Length};
use proc_macro2::TokenStream;
use quote::quote;

/// Runs `inner` at every point of the domain, with the loops in `order`, outermost first. A loop whose bounds depend on a
/// loop further inside runs over its hull, and the point is tested in the body.
pub fn loops(krate: &TokenStream, kernel: &Kernel, order: &[(usize, Direction)], inner: TokenStream) -> TokenStream {
    let mut tests = Vec::new();
    let mut heads = Vec::new();
    for (position, (l, direction)) in order.iter().enumerate() {
        let Some(bounds) = kernel.loops.get(*l) else { continue };
        let open = |k: usize| order[..position].iter().any(|(o, _)| *o == k);
        let known = |f: &Form| {
            let by_loops = (0..kernel.loops.len()).all(|k| f.coef(kernel.loop_dim(k)) == 0 || open(k));
            by_loops && kernel.lengths().all(|l| f.coef(l.size) == 0 || l.index.iter().all(|(k, _)| open(*k)))
        };
        let name = ours("i", l);
        let mut bound = |f: &Form, end: TokenStream, is_low: bool| {
            let form = forms::form(kernel, f);
            if known(f) {
                return form;
            }
            tests.push(if is_low { quote!(#name - (#form) > -1) } else { quote!((#form) - #name > 0) });
            let l = proc_macro2::Literal::usize_unsuffixed(*l);
            quote!(hull[#l].#end)
        };
        let low = bound(&bounds.low, quote!(low), true);
        let high = bound(&bounds.high, quote!(high), false);
        heads.push(match direction {
            Direction::Up => quote!(for #name in #low..#high),
            Direction::Down => quote!(for #name in #krate::__private::Iterator::rev(#low..#high)),
        });
    }
    let inner = if tests.is_empty() { inner } else { quote!(if #(#tests)&&* { #inner }) };
    let opened = (0..heads.len()).map(|position| lengths(kernel, order, position)).collect::<Vec<_>>();
    let nest = heads.into_iter().zip(opened).rev();
    nest.fold(inner, |inner, (head, lengths)| quote!(#head { #lengths #inner }))
}

/// The lengths that are known from the loop at a position of the order on.
fn lengths(kernel: &Kernel, order: &[(usize, Direction)], position: usize) -> TokenStream {
    let place = |l: usize| order.iter().position(|(o, _)| *o == l);
    let last = |length: &Length| length.index.iter().filter_map(|(l, _)| place(*l)).max();
    kernel
        .lengths()
        .filter(|length| last(length) == Some(position))
        .map(|length| self::length(kernel, &length))
        .collect()
}

/// `let s2 = p1.length([i0 - 1], 1);`, where the loops of the length are known.
pub fn length(kernel: &Kernel, length: &Length) -> TokenStream {
    let loops: Vec<Form> = length.index.iter().map(|(l, plus)| Form::var(kernel.loop_dim(*l)).plus(*plus)).collect();
    let (name, array, index) = (ours("s", length.size), ours("p", length.parameter), forms::list(kernel, &loops));
    let least = proc_macro2::Literal::i64_suffixed(length.range.least as i64);
    quote!(let #name = #array.length(#index, #least);)
}

/// Where the values of a variable are stored, and for a grid how many layers per loop are kept.
pub struct Storage {
    pub place: Place,
    /// One per loop; `None` keeps all layers.
    pub keep: Vec<Option<i64>>,
}

/// The storage of every variable in a nest. Find the outermost loop along which some read of the variable has a distance.
/// Along it, keep as many layers as the farthest read goes back, plus one: points are visited in lexicographic order, so an
/// older layer is never read again. Loops outside it keep one layer, loops inside it keep all.
pub fn storage(kernel: &Kernel, order: &[(usize, Direction)]) -> Vec<Storage> {
    let reads = kernel.reads();
    let one = |variable: usize| {
        let distances: Vec<_> = reads.iter().filter(|r| r.variable == variable).map(|r| r.distance).collect();
        let mut keep = vec![None; kernel.loops.len()];
        for (l, _) in order {
            let far = distances.iter().filter_map(|d| d.get(*l)).map(|d| d.saturating_abs()).max().unwrap_or(0);
            if let Some(keep) = keep.get_mut(*l) {
                *keep = i64::try_from(far.saturating_add(1)).ok();
            }
            if far != 0 {
                return Storage { place: Place::Grid { also_local: true }, keep };
            }
        }
        Storage { place: Place::Local, keep }
    };
    (0..kernel.equations.len()).map(one).collect()
}

/// The storage of every variable if the points are not visited in the order of a nest: everything is kept.
pub fn everything(kernel: &Kernel) -> Vec<Storage> {
    let all = || Storage { place: Place::Grid { also_local: false }, keep: vec![None; kernel.loops.len()] };
    kernel.equations.iter().map(|_| all()).collect()
}
