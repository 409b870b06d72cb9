//! Items that do not depend on each other, dealt out over ranks in proportion to their cost.
use crate::array::rank_of;
use crate::error::Error;
use crate::exchange::{Wanted, pick, zeros};
use crate::mesh::Mesh;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use systolic::ndarray::{Array, ArrayView, ArrayViewMut, Axis, IntoDimension, NdIndex, Slice};
use systolic::{Element, Rank};

/// Which rank has which items: alignments, images, simulations. Every item has a cost, and every rank gets items of about the same
/// cost altogether.
///
/// The most expensive item goes first, each to the rank that has the least so far. So no rank has more than 4/3 of what is the
/// least possible for the rank that has most.
#[derive(Clone, Debug)]
pub struct Deal {
    mesh: Mesh,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    id: u64,
    /// The items of every rank, in order.
    items: Vec<Vec<usize>>,
    loads: Vec<u64>,
    count: usize,
}

/// Deals of this process so far.
static DEALS: AtomicU64 = AtomicU64::new(0);

impl Deal {
    /// Deals out as many items as there are costs. All ranks give the same costs.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if the costs differ, or if a rank is lost.
    pub fn new(mesh: &Mesh, costs: &[u64]) -> Result<Deal, Error> {
        let hash = |hash: u64, cost: &u64| (hash ^ cost).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        let digest = costs.iter().fold(0xcbf2_9ce4_8422_2325, hash);
        mesh.agree(Ok(format!("Deal::new with {} items and the costs {digest:016x}", costs.len())))?;
        let (items, loads) = dealt(costs, mesh.ranks());
        let id = DEALS.fetch_add(1, Ordering::Relaxed);
        Ok(Deal { mesh: mesh.clone(), inner: Arc::new(Inner { id, items, loads, count: costs.len() }) })
    }

    /// The mesh. Its shape does not matter here.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// How many items there are on all ranks.
    pub fn count(&self) -> usize {
        self.inner.count
    }

    /// The items of this rank, in order.
    pub fn items(&self) -> &[usize] {
        self.items_of(self.mesh.rank())
    }

    /// The items of a rank, in order; none if there is no such rank.
    pub fn items_of(&self, rank: usize) -> &[usize] {
        self.inner.items.get(rank).map_or(&[], Vec::as_slice)
    }

    /// The sum of the costs of every rank's items.
    pub fn loads(&self) -> &[u64] {
        &self.inner.loads
    }

    pub(crate) fn id(&self) -> u64 {
        self.inner.id
    }
}

/// The items of every rank and the sum of their costs.
fn dealt(costs: &[u64], ranks: usize) -> (Vec<Vec<usize>>, Vec<u64>) {
    let (mut items, mut loads) = (vec![Vec::new(); ranks], vec![0u64; ranks]);
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|item| (std::cmp::Reverse(costs[*item]), *item));
    for item in order {
        // Items that cost nothing are spread, too.
        let least = (0..ranks).min_by_key(|rank| (loads[*rank], items[*rank].len(), *rank)).unwrap_or(0);
        loads[least] = loads[least].saturating_add(costs[item]);
        items[least].push(item);
    }
    items.iter_mut().for_each(|items| items.sort_unstable());
    (items, loads)
}

/// An array with an item per row, of which every rank has its items.
#[derive(Clone, Debug)]
pub struct Dealt<T: Element, D: Rank> {
    deal: Deal,
    /// The shape with all items.
    shape: Vec<usize>,
    part: Array<T, D>,
}

impl<T: Element, D: Rank> Dealt<T, D> {
    /// Makes an array of a function of the index in the whole array. Nothing is exchanged.
    ///
    /// # Errors
    ///
    /// Fails if the array does not have as many rows as there are items, or if there is too little memory.
    pub fn from_fn<I>(deal: &Deal, shape: I, f: impl Fn(D::Pattern) -> T) -> Result<Self, Error>
    where
        I: IntoDimension<Dim = D>,
        D::Pattern: NdIndex<D>,
    {
        let shape = shape.into_dimension().slice().to_vec();
        let mut part = room::<T, D>(deal, &shape)?;
        let mut index = D::zeros(shape.len());
        for (local, value) in part.indexed_iter_mut() {
            let local = local.into_dimension();
            index.slice_mut().copy_from_slice(local.slice());
            index[0] = deal.items()[local[0]];
            *value = f(index.clone().into_pattern());
        }
        Ok(Dealt { deal: deal.clone(), shape, part })
    }

    /// Distributes an array that rank `root` has; the others give `None`. All ranks give the shape.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if the shapes differ, or if `root` has no array or one of another shape.
    pub fn scatter<I>(deal: &Deal, root: usize, shape: I, whole: Option<ArrayView<'_, T, D>>) -> Result<Self, Error>
    where
        I: IntoDimension<Dim = D>,
    {
        let (mesh, shape) = (deal.mesh(), shape.into_dimension().slice().to_vec());
        let is_there = mesh.rank() != root || whole.as_ref().is_some_and(|whole| whole.shape() == shape);
        let part = match is_there {
            true => rank_of(mesh, root).and_then(|()| room(deal, &shape)),
            false => Err(Error::Array { why: format!("the root of a scatter has no array of the shape {shape:?}") }),
        };
        let call = format!("scatter of the items of {} {shape:?} from rank {root}", T::TYPE);
        mesh.agree(part.as_ref().map(|_| call).map_err(Clone::clone))?;
        let mut part = part?;
        match whole.filter(|_| mesh.rank() == root) {
            Some(whole) => {
                for rank in (0..mesh.ranks()).filter(|rank| *rank != root) {
                    let mut message = mesh.message();
                    deal.items_of(rank).iter().for_each(|item| message.elements(whole.slice_axis(Axis(0), row(*item))));
                    mesh.send(rank, message)?;
                }
                part = mesh.noted(picked(&whole, 0, deal.items()))?;
            }
            None => {
                let mut message = mesh.receive(root)?;
                mesh.noted(message.elements(part.view_mut()).and_then(|()| message.end()))?;
            }
        }
        Ok(Dealt { deal: deal.clone(), shape, part })
    }

    /// Collects all items on rank `root`, in their order; the others get `None`.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if they do not all make this call, and if a rank is lost.
    pub fn gather(&self, root: usize) -> Result<Option<Array<T, D>>, Error> {
        let (deal, mesh, shape) = (&self.deal, self.deal.mesh(), &self.shape);
        let call = || format!("gather of the items of {} {shape:?} on rank {root}", T::TYPE);
        mesh.agree(rank_of(mesh, root).map(|()| call()))?;
        if mesh.rank() != root {
            let mut message = mesh.message();
            message.elements(self.part.view());
            mesh.send(root, message)?;
            return Ok(None);
        }
        let mut whole = mesh.noted(zeros::<T, D>(shape))?;
        for rank in 0..mesh.ranks() {
            if rank == root {
                for (k, item) in deal.items().iter().enumerate() {
                    whole.slice_axis_mut(Axis(0), row(*item)).assign(&self.part.slice_axis(Axis(0), row(k)));
                }
                continue;
            }
            let mut message = mesh.receive(rank)?;
            let mut fill = |item: &usize| message.elements(whole.slice_axis_mut(Axis(0), row(*item)));
            mesh.noted(deal.items_of(rank).iter().try_for_each(&mut fill).and_then(|()| message.end()))?;
        }
        Ok(Some(whole))
    }

    /// The deal.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// The shape with all items.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// This rank's items, in order.
    pub fn part(&self) -> ArrayView<'_, T, D> {
        self.part.view()
    }

    /// This rank's items, to be changed.
    pub fn part_mut(&mut self) -> ArrayViewMut<'_, T, D> {
        self.part.view_mut()
    }

    pub(crate) fn of_part(deal: &Deal, shape: Vec<usize>, part: Array<T, D>) -> Self {
        Dealt { deal: deal.clone(), shape, part }
    }
}

/// Zeros for this rank's items of an array of this shape.
fn room<T: Element, D: Rank>(deal: &Deal, shape: &[usize]) -> Result<Array<T, D>, Error> {
    let (mut local, rows) = (shape.to_vec(), shape.first().copied().unwrap_or(0));
    if rows != deal.count() {
        return Err(Error::Array { why: format!("expected {} rows, one per item, got {rows}", deal.count()) });
    }
    local[0] = deal.items().len();
    zeros(&local)
}

fn row(item: usize) -> Slice {
    Slice::from(item..item + 1)
}

/// These rows of an array along an axis.
pub(crate) fn picked<T: Element, D: Rank>(
    array: &ArrayView<'_, T, D>,
    axis: usize,
    rows: &[usize],
) -> Result<Array<T, D>, Error> {
    let mut wanted: Wanted = array.shape().iter().map(|length| (0..*length).collect()).collect();
    wanted[axis] = rows.to_vec();
    pick(array.view(), &wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_dealt_once_and_loads_are_about_the_same() {
        let mut state = 1u64;
        for (count, ranks) in [(0, 3), (1, 4), (5, 5), (100, 7), (1000, 3)] {
            let mut cost = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % 5000
            };
            let costs: Vec<u64> = (0..count).map(|_| cost()).collect();
            let (items, loads) = dealt(&costs, ranks);
            let mut all: Vec<usize> = items.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
            let sum = |items: &Vec<usize>| items.iter().map(|item| costs[*item]).sum::<u64>();
            assert_eq!(items.iter().map(sum).collect::<Vec<_>>(), loads);
            let least =
                (costs.iter().sum::<u64>() as f64 / ranks as f64).max(costs.iter().copied().max().unwrap_or(0) as f64);
            let most = loads.iter().copied().max().unwrap_or(0) as f64;
            assert!(most <= least * 4.0 / 3.0, "{count} items on {ranks} ranks: {most} is more than 4/3 of {least}");
        }
    }
}
