//! A weighted sum of neighbours as a contest: our kernel with its maps and without, a copy, and peers.
use crate::Fallible;
use crate::code::Kernel;
use crate::contest::{Contest, Entry, Run};
use crate::lab::{Lab, Number, Rows};
use crate::problem::Problem;
use crate::sizes::{self, Shapes};
use crate::standing::{Role, Standing, Subject, automatic};
use crate::taps::Taps;
use std::rc::Rc;
use systolic::{DeviceArray, Error, Launched, Stream};

/// The computation: its title, and the shapes of its input and output.
pub struct Sum<D> {
    pub title: String,
    pub family: String,
    pub size: usize,
    pub input: D,
    pub output: D,
    pub taps: Taps,
}

/// Enqueues one launch of a kernel.
pub type Launch<T, D> = Box<dyn Fn(&Stream, &DeviceArray<T, D>, &mut DeviceArray<T, D>) -> Result<Launched, Error>>;

/// Peers by name.
pub type Peers<'a> = Vec<(&'static str, Entry<'a>)>;

/// Kernels launched one after another, as the entry of a peer.
pub fn kernels<'a>(kernels: Vec<Kernel>) -> Entry<'a> {
    let run: Run = Box::new(move |stream| kernels.iter().try_for_each(|kernel| kernel.launch(stream)));
    Entry::Ready(run)
}

impl<D: Shapes + 'static> Sum<D> {
    /// Holds the contest, if it is requested, with the peers created for its input and output; or checks our kernel alone
    /// at many sizes. The kernel comes with its maps and without.
    pub fn hold<'l, T: Number>(
        self,
        lab: &'l Lab<'l>,
        [ours, found]: [Launch<T, D>; 2],
        peers: impl FnOnce(Rows, Rows) -> Fallible<Peers<'l>>,
    ) -> Fallible<Option<Standing>> {
        if !lab.plan.wants(&self.title) {
            return Ok(None);
        }
        let Sum { title, family, size, input, output, taps } = self;
        if lab.plan.sizes {
            let input = |shape: &D| shape.clone() + input.clone() - output.clone();
            sizes::hold(lab, &title, &taps, input, ours)?;
            sizes::hold(lab, &format!("{title}, automatic"), &taps, input, found)?;
            return Ok(None);
        }
        let problem = Problem::<T, D>::new(lab, input, output.clone())?;
        let expected = Rc::new(taps.expected(lab, &problem.x, output.clone())?);
        let margin = T::MARGIN * taps.most().powi(taps.steps.cast_signed());
        let mut contestants = vec![
            problem.copy()?,
            problem.ours(Role::Ours, "ours", &expected, ours),
            problem.ours(Role::Automatic, automatic("ours"), &expected, found),
        ];
        for (name, entry) in peers(Rows::of(&problem.x), problem.output())? {
            contestants.push(problem.peer(name, entry, &expected, margin));
        }
        let cells = output.size() as u64 * u64::from(taps.steps);
        let (bytes, operations) = (problem.bytes(), cells * taps.taps.len() as u64);
        let subject = Subject { title, family, size, bytes, operations, cells };
        Ok(Some(Contest { subject, contestants }.hold(lab)))
    }
}

/// No peers.
pub fn nobody<'a>(_: Rows, _: Rows) -> Fallible<Peers<'a>> {
    Ok(Vec::new())
}
