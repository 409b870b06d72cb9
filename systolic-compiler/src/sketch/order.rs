//! Sketches for kernels whose values go further than one block or one launch.
//!
//! ```text
//! for t, r, c (steps in time):       launches (t); within a launch nothing is carried
//!                                    or tiles of t by 4, with overlap in r and c: four steps a launch
//! for r, c (a summed-area table):    tiles of r and c, blocks (rb, cb) in order; within a block a wavefront
//! ```
use super::facts::Facts;
use super::{Role, Sketch, Term, Tiled};
use crate::model::Int;
use crate::target::gpu;
use crate::target::search::{FIRST_TILE, FUSED_STEPS};

impl<'k> Facts<'k> {
    /// Whether launches follow each other along a loop.
    pub fn is_launched(&self, l: usize) -> bool {
        self.launch.is_some_and(|(launched, _)| launched == l)
    }

    /// What remains within a launch that has this many iterations of a loop.
    fn within(&self, l: usize, steps: Int) -> Facts<'k> {
        let mut facts = self.clone();
        facts.launch = Some((l, steps));
        match steps {
            1 => facts.computed.retain(|d| d[l] == 0),
            _ => facts.lengths[l] = Some(steps),
        }
        facts
    }

    /// Whether it pays to make a loop one of launches: all reads along it go back, and without them another long loop is free, or
    /// no read goes forward along any loop.
    fn may_launch(&self, l: usize) -> bool {
        let goes_back = self.computed.iter().all(|d| d[l] >= 0) && !self.is_parallel(l);
        if !goes_back || self.is_short(l) {
            return false;
        }
        let within = self.within(l, 1);
        let freed = |other: usize| other != l && !self.is_short(other) && !self.is_parallel(other);
        let frees = (0..self.lengths.len()).any(|other| freed(other) && within.is_parallel(other));
        let forward = |facts: &Facts<'_>| facts.computed.iter().any(|d| d.iter().any(|n| *n < 0));
        frees || (forward(self) && !forward(&within))
    }
}

/// The facts within a launch, for every loop of which launches may be made: one of its iterations, and several.
pub fn launched<'k>(facts: &Facts<'k>) -> Vec<Facts<'k>> {
    let loops = (0..facts.lengths.len()).filter(|l| facts.may_launch(*l));
    loops.flat_map(|l| [1].into_iter().chain(FUSED_STEPS).map(move |steps| facts.within(l, steps))).collect()
}

/// The same sketch with all loops that carry values in tiles, whose blocks wait for each other. `None` if there is no such loop, if
/// tiles overlap, or if the grid would need more axes than there are.
pub fn in_order(facts: &Facts<'_>, sketch: &Sketch) -> Option<Sketch> {
    if facts.launch.is_some_and(|(_, steps)| steps > 1) {
        return None;
    }
    let mut sketch = sketch.clone();
    let mut axes = 0;
    for (l, role) in sketch.roles.iter_mut().enumerate() {
        match role {
            Role::Lanes(lanes) => {
                if lanes.overlap != (0, 0) {
                    return None;
                }
                if !lanes.blocks {
                    lanes.blocks = true;
                    sketch.ordered = true;
                    sketch.time.retain(|row| row.terms.iter().all(|(term, _)| *term != Term::Outer(l)));
                }
                axes += 1;
            }
            Role::Tiled(tiled) if tiled.overlap != (0, 0) => return None,
            Role::Tiled(_) | Role::Block => axes += 1,
            Role::Time { unroll: 1 } if !facts.is_parallel(l) && !facts.is_short(l) => {
                *role = Role::Tiled(Tiled { steps: FIRST_TILE, warps: 1, overlap: (0, 0), blocks: true });
                sketch.ordered = true;
                axes += 1;
            }
            Role::Time { .. } | Role::Launch { .. } => {}
        }
    }
    (sketch.ordered && axes <= gpu::GRID_AXES).then_some(sketch)
}
