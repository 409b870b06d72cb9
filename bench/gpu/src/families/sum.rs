//! A weighted sum of neighbours as a contest: one of our maps against a copy and whoever else can do it.
use crate::Fallible;
use crate::code::Kernel;
use crate::contest::{Contest, Entry, Run};
use crate::lab::{Lab, Number, Rows};
use crate::problem::Problem;
use crate::sizes::{self, Shapes};
use crate::standing::{Standing, Subject};
use crate::taps::Taps;
use std::rc::Rc;
use systolic::{DeviceArray, Error, Stream};

/// What is computed, of what, into what.
pub struct Sum<D> {
    pub title: String,
    pub family: String,
    pub size: usize,
    pub input: D,
    pub output: D,
    pub taps: Taps,
}

/// Others by name.
pub type Peers<'a> = Vec<(&'static str, Entry<'a>)>;

/// Kernels one after another as what a peer does.
pub fn kernels<'a>(kernels: Vec<Kernel>) -> Entry<'a> {
    let run: Run = Box::new(move |stream| kernels.iter().try_for_each(|kernel| kernel.launch(stream)));
    Entry::Ready(run)
}

impl<D: Shapes> Sum<D> {
    /// Holds the contest, if it was asked for, with the peers for an input and an output that lie somewhere; or our map alone
    /// at many sizes.
    pub fn hold<'l, T: Number>(
        self,
        lab: &'l Lab<'l>,
        ours: impl Fn(&Stream, &DeviceArray<T, D>, &mut DeviceArray<T, D>) -> Result<(), Error> + 'static,
        peers: impl FnOnce(Rows, Rows) -> Fallible<Peers<'l>>,
    ) -> Fallible<Option<Standing>> {
        if !lab.plan.wants(&self.title) {
            return Ok(None);
        }
        let Sum { title, family, size, input, output, taps } = self;
        if lab.plan.sizes {
            let input = |shape: &D| shape.clone() + input.clone() - output.clone();
            sizes::hold(lab, &title, &taps, input, ours)?;
            return Ok(None);
        }
        let problem = Problem::<T, D>::new(lab, input, output.clone())?;
        let expected = Rc::new(taps.expected(lab, &problem.x, output.clone())?);
        let margin = T::MARGIN * taps.most().powi(taps.steps.cast_signed());
        let mut contestants = vec![problem.copy()?, problem.ours("ours", &expected, ours)];
        for (name, entry) in peers(Rows::of(&problem.x), problem.output())? {
            contestants.push(problem.peer(name, entry, &expected, margin));
        }
        let cells = output.size() as u64 * u64::from(taps.steps);
        let (bytes, operations) = (problem.bytes(), cells * taps.taps.len() as u64);
        let subject = Subject { title, family, size, bytes, operations, cells };
        Ok(Some(Contest { subject, contestants }.hold(lab)))
    }
}

/// Nobody else.
pub fn nobody<'a>(_: Rows, _: Rows) -> Fallible<Peers<'a>> {
    Ok(Vec::new())
}
