//! From places to iteration points: the rows of a map, its leaf loops and the loops of the kernel, each as a form of the place.
//!
//! ```text
//! tile n by 64 as (nb, ni); blocks (nb); lanes ni fold 2;
//!
//! rows      nb = block0    ni = 2 lane0 + register
//! point     n = 64 nb + ni = 64 block0 + 2 lane0 + register
//! instance  register = 1:  n = 64 block0 + 2 lane0 + 1
//! ```
use super::super::place_form::{Atom, PlaceForm};
use super::{Instance, Layout, Space};
use crate::model::{Form, RowKind};

impl Layout<'_> {
    /// The value of a row as a form of the place.
    pub(super) fn row_value(&self, row: usize) -> PlaceForm {
        let value = match self.places.rows[row].kind {
            RowKind::Block => self.blocks.iter().position(|b| *b == row).map(|k| PlaceForm::atom(Atom::Block(k))),
            RowKind::Warp => space_value(&self.warps, row, Atom::Warp),
            RowKind::Lane => space_value(&self.lanes, row, Atom::Lane),
            RowKind::Time => self.time_number(row).map(|k| PlaceForm::atom(Atom::Time(k))),
        };
        value.unwrap_or_else(PlaceForm::broken)
    }

    /// Every dimension of the kernel (its sizes, then its loops) as a form of the place, in one instance.
    pub fn point(&self, instance: &Instance) -> Vec<PlaceForm> {
        let leaves = self.leaves_at(instance);
        let sizes = self.kernel.sizes.len();
        let loops = &self.places.nodes[..self.kernel.loops.len()];
        let size_forms = (0..sizes).map(|s| PlaceForm::atom(Atom::Size(s)));
        size_forms.chain(loops.iter().map(|form| over_leaves(form, sizes, &leaves))).collect()
    }

    /// Every leaf loop as a form of the place, in one instance.
    pub fn leaves_at(&self, instance: &Instance) -> Vec<PlaceForm> {
        let image = |atom: &Atom| self.known(instance, atom);
        self.leaves.iter().map(|l| l.substitute(&image)).collect()
    }

    /// The value of an atom that is a constant in an instance; `None` for other atoms.
    pub fn known(&self, instance: &Instance, atom: &Atom) -> Option<PlaceForm> {
        match atom {
            Atom::Register => Some(PlaceForm::constant(instance.register)),
            // The only warp of its row.
            Atom::Warp(k) if self.warps[*k].extent == 1 => Some(PlaceForm::constant(0)),
            Atom::Time(k) if *k >= self.loops.len() => {
                Some(PlaceForm::constant(instance.unrolled[k - self.loops.len()]))
            }
            _ => None,
        }
    }
}

/// The value of a row of lanes or warps; `atom` is the coordinate of the place along a row, by its number.
fn space_value(spaces: &[Space], row: usize, atom: fn(usize) -> Atom) -> Option<PlaceForm> {
    let number = spaces.iter().position(|s| s.row == row)?;
    let coordinate = PlaceForm::atom(atom(number));
    let value = match &spaces[number] {
        Space { fold: 1, .. } => coordinate,
        // A strided fold is the outermost loop.
        Space { strided: true, extent, .. } => coordinate.add(&PlaceForm::atom(Atom::Time(0)).scale(*extent, 1)),
        Space { fold, .. } => coordinate.scale(*fold, 1).add(&PlaceForm::atom(Atom::Register)),
    };
    Some(value.plus(spaces[number].low))
}

/// A form over sizes and leaves as a form of the place. The leaves are given as such forms.
pub fn over_leaves(form: &Form, sizes: usize, leaves: &[PlaceForm]) -> PlaceForm {
    let mut result = PlaceForm::constant(form.constant);
    for (k, c) in form.coefs.iter().enumerate() {
        let value = if k < sizes { PlaceForm::atom(Atom::Size(k)) } else { leaves[k - sizes].clone() };
        result = result.add(&value.scale(*c, 1));
    }
    result
}
