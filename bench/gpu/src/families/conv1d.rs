//! 1-D convolution: the seven designs, and one for speed.
use super::sum::kernels;
use crate::Fallible;
use crate::automatic::both;
use crate::code::Arguments;
use crate::contest::{Contest, Contestant};
use crate::lab::{Lab, Rows};
use crate::problem::{Expected, Problem};
use crate::sizes;
use crate::standing::{Role, Standing, Subject, automatic};
use crate::taps::Taps;
use crate::weights::line;
use std::rc::Rc;
use systolic::ndarray::Ix1;
use systolic::{DeviceArray, Error, Launched, Stream};

/// The number of elements of the output.
const COUNT: usize = 1 << 26;
/// Outputs per block of the hand-written kernel: 8 warps, 512 each.
const HAND: u64 = 8 * 512;

type Line = DeviceArray<f32, Ix1>;
type Launch<const Q: usize> = fn(&Stream, &Line, &[f32; Q], &mut Line) -> Result<Launched, Error>;

/// A design by name, with its map and without.
type Design<const Q: usize> = (&'static str, [Launch<Q>; 2]);

/// The designs with this many taps.
struct Designs<const Q: usize> {
    forwards: [Design<Q>; 6],
    backwards: Design<Q>,
    stride: Design<Q>,
}

macro_rules! designs {
    ($q:literal) => {{
        Designs::<$q> {
            forwards: [
                ("reads, folded", both!(conv1d::reads<$q>: s x w z)),
                ("FBS", both!(conv1d::fbs<$q>: s x w z)),
                ("SBM", both!(conv1d::sbm<$q>: s x w z)),
                ("BSM", both!(conv1d::bsm<$q>: s x w z)),
                ("BFS", both!(conv1d::bfs<$q>: s x w z)),
                ("FFS", both!(conv1d::ffs<$q>: s x w z)),
            ],
            backwards: ("FSM", both!(conv1d::fsm<$q>: s x w z)),
            stride: ("FBS, stride 2", both!(conv1d::fbs2<$q>: s x w z)),
        }
    }};
}

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let held = [taps(lab, designs!(2))?, taps(lab, designs!(5))?, taps(lab, designs!(9))?, taps(lab, designs!(17))?];
    Ok(held.into_iter().flatten().collect())
}

fn taps<const Q: usize>(lab: &Lab, designs: Designs<Q>) -> Fallible<Vec<Standing>> {
    let mut held = Vec::new();
    for (title, hold) in [
        (format!("conv1d {Q} taps"), dense as fn(&Lab, String, &Designs<Q>) -> Fallible<Standing>),
        (format!("conv1d {Q} taps, stride 2"), strided),
    ] {
        if lab.plan.wants(&title) && !lab.plan.sizes {
            held.push(hold(lab, title, &designs)?);
        } else if lab.plan.wants(&title) && title.ends_with("taps") {
            at_sizes(lab, &title, &designs)?;
        }
    }
    Ok(held)
}

/// Checks all designs at many sizes.
fn at_sizes<const Q: usize>(lab: &Lab, title: &str, designs: &Designs<Q>) -> Fallible<()> {
    let weights = line::<f32, Q>();
    let forwards = Taps::filter([1, 1, Q], &weights);
    let (backwards, strided) = (forwards.clone().backwards(), Taps { stride: 2, ..forwards.clone() });
    let beside = designs.forwards.iter().map(|design| (design, &forwards, 1));
    let others = [(&designs.backwards, &backwards, 1), (&designs.stride, &strided, 2)];
    for ((name, [ours, found]), taps, stride) in beside.chain(others) {
        let input = |output: &Ix1| Ix1(stride * (output[0] - 1) + Q);
        for (name, launch) in [(name.to_string(), ours), (automatic(name), found)] {
            sizes::hold(lab, &format!("{title}, {name}"), taps, input, |s, x, z| launch(s, x, &weights, z))?;
        }
    }
    Ok(())
}

/// The designs of stride 1.
fn dense<const Q: usize>(lab: &Lab, title: String, designs: &Designs<Q>) -> Fallible<Standing> {
    let (weights, problem) = (line::<f32, Q>(), Problem::new(lab, Ix1(COUNT + Q - 1), Ix1(COUNT))?);
    let taps = Taps::filter([1, 1, Q], &weights);
    let forwards = Rc::new(taps.expected(lab, &problem.x, Ix1(COUNT))?);
    let backwards = Rc::new(taps.clone().backwards().expected(lab, &problem.x, Ix1(COUNT))?);
    let mut contestants = vec![problem.copy()?];
    for design in designs.forwards {
        contestants.extend(pair(&problem, design, &forwards, weights));
    }
    contestants.extend(pair(&problem, designs.backwards, &backwards, weights));
    let arguments = Arguments::default().words([Rows::of(&problem.x).address, problem.output().address, COUNT as u64]);
    let grid = [COUNT as u64 / HAND, 1, 1];
    let hand = lab.code.kernel(&format!("hand_taps_{Q}"), grid, 256, arguments.floats(&weights))?;
    contestants.push(problem.peer("by hand", kernels(vec![hand]), &forwards, 1e-5 * taps.most()));
    let subject = subject::<Q>(title, "conv1d f32", problem.bytes());
    Ok(Contest { subject, contestants }.hold(lab))
}

/// The design of stride 2.
fn strided<const Q: usize>(lab: &Lab, title: String, designs: &Designs<Q>) -> Fallible<Standing> {
    let (weights, problem) = (line::<f32, Q>(), Problem::new(lab, Ix1(2 * COUNT + Q - 2), Ix1(COUNT))?);
    let taps = Taps { stride: 2, ..Taps::filter([1, 1, Q], &weights) };
    let expected = Rc::new(taps.expected(lab, &problem.x, Ix1(COUNT))?);
    let mut contestants = vec![problem.copy()?];
    contestants.extend(pair(&problem, designs.stride, &expected, weights));
    let subject = subject::<Q>(title, "conv1d f32, stride 2", problem.bytes());
    Ok(Contest { subject, contestants }.hold(lab))
}

/// A design with its map and without.
fn pair<'p, const Q: usize>(
    problem: &'p Problem<f32, Ix1>,
    (name, [ours, found]): Design<Q>,
    expected: &Expected<f32, Ix1>,
    weights: [f32; Q],
) -> [Contestant<'p>; 2] {
    [(Role::Ours, name.to_string(), ours), (Role::Automatic, automatic(name), found)]
        .map(|(role, name, launch)| problem.ours(role, name, expected, move |s, x, z| launch(s, x, &weights, z)))
}

fn subject<const Q: usize>(title: String, family: &str, bytes: u64) -> Subject {
    let (operations, cells) = ((COUNT * Q) as u64, COUNT as u64);
    Subject { title, family: family.to_string(), size: Q, bytes, operations, cells }
}
