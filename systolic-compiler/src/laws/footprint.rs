//! The part of an array that one iteration of a loop reads: the box that `stage` copies.
use crate::model::{Array, Form, Formula, Int, Kernel, Mapping, ParameterKind, Places, Row, RowKind, Stage};
use crate::sorted::SortedMap;
use systolic_sets::{Range, range};

/// The bytes of the smallest box that contains all elements of a staged array that one block reads in one iteration; `None` if
/// that depends on sizes.
pub fn bytes(kernel: &Kernel, mapping: &Mapping, places: &Places, stage: &Stage) -> Option<Int> {
    let ParameterKind::Array { ty, dims, .. } = &kernel.parameters[stage.parameter].kind else { return None };
    let images = places.images(kernel);
    let pair = Pair::new(kernel, mapping, places, stage);
    let mut total = ty.bytes() as Int;
    for axis in 0..dims.len() {
        let of_stage = |array: &Array| *array == Array::Parameter(stage.parameter);
        let accesses = kernel.accesses();
        let forms = accesses.iter().filter(|a| of_stage(&a.array)).map(|a| a.index[axis].substitute(&images));
        total = total.checked_mul(pair.extent(forms)?)?;
    }
    Some(total)
}

/// All pairs of points of the same block and the same iteration of the loop.
struct Pair {
    dims: usize,
    both: Formula,
    /// The dimensions of the second point.
    second: Vec<Form>,
}

impl Pair {
    fn new(kernel: &Kernel, mapping: &Mapping, places: &Places, stage: &Stage) -> Pair {
        let (sizes, leaves) = (places.sizes, places.leaf_ranges.len());
        let second: Vec<Form> = (0..places.dims()).map(|k| Form::var(if k < sizes { k } else { k + leaves })).collect();
        let domain = places.domain(kernel, mapping);
        let mut both = domain.clone().and(domain.substitute(&second));
        for row in shared_rows(places, stage) {
            let form = places.form(row);
            both = both.and(Formula::equal(&form, &form.substitute(&second)));
        }
        Pair { dims: places.dims() + leaves, both, second }
    }

    /// The number of elements from the least to the greatest value of the forms. Forms with equal coefficients share a query.
    fn extent(&self, forms: impl Iterator<Item = Form>) -> Option<Int> {
        let mut spans: SortedMap<Vec<Int>, (Int, Int)> = SortedMap::new();
        for form in forms {
            let span = spans.or_insert(form.coefs.clone(), (form.constant, form.constant));
            *span = (span.0.min(form.constant), span.1.max(form.constant));
        }
        let mut widest = 0;
        for (high_coefs, (_, high)) in spans.iter() {
            for (low_coefs, (low, _)) in spans.iter() {
                let from = Form::new(low_coefs.clone(), 0).substitute(&self.second);
                let apart = Form::new(high_coefs.clone(), 0).sub(&from);
                match range(self.dims, &self.both, &apart) {
                    Range::Bounds { high: Some(most), .. } => widest = widest.max(most + high - low),
                    Range::Empty => {}
                    Range::Bounds { high: None, .. } | Range::GaveUp => return None,
                }
            }
        }
        Some(widest + 1)
    }
}

/// The rows with the same value at all points of an iteration: those of the block, and of time down to the loop.
fn shared_rows<'p>(places: &'p Places, stage: &Stage) -> impl Iterator<Item = &'p Row> {
    let last = places.named(stage.row);
    let is_shared = move |(k, r): &(usize, &Row)| match r.kind {
        RowKind::Block => true,
        RowKind::Time => last.is_some_and(|last| *k <= last),
        RowKind::Warp | RowKind::Lane => false,
    };
    places.rows.iter().enumerate().filter(is_shared).map(|(_, r)| r)
}
