//! How far apart producer and consumer run, along the loops that are not unrolled.
use crate::model::Int;
use crate::target::tuning;

/// The time between producer and consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Both run in the same step.
    Step,
    /// The consumer runs this many steps later, few enough to wait in registers.
    Steps(Int),
    /// The consumer runs `laps` iterations of loop `level` later, and `inner` iterations in each of the loops inside it.
    Loop { level: usize, laps: Int, inner: Vec<Int> },
    /// The consumer runs first.
    Backward,
    /// An inner loop is shorter than the distance along it, so that no point reads so.
    Never,
}

/// The reach of a dependence that moves by `steps` along the loops, outermost first. `range` gives the loops of constant extent.
pub fn reach(steps: &[Int], range: impl Fn(usize) -> Option<(Int, Int)>) -> Reach {
    let Some(level) = steps.iter().position(|d| *d != 0) else { return Reach::Step };
    if steps[level] < 0 {
        return Reach::Backward;
    }
    let mut delay = Some(steps[level]);
    for (k, step) in steps.iter().enumerate().skip(level + 1) {
        let Some((low, high)) = range(k) else {
            delay = None;
            break;
        };
        if step.abs() > high - low {
            return Reach::Never;
        }
        delay = delay.and_then(|d| d.checked_mul(high - low + 1)).and_then(|d| d.checked_add(*step));
        if delay.is_none() {
            break;
        }
    }
    match delay {
        Some(delay) if delay <= tuning::ROTATED_STEPS => Reach::Steps(delay),
        _ => Reach::Loop { level, laps: steps[level], inner: steps[level + 1..].to_vec() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_count_all_iterations_of_inner_loops() {
        let four = |_| Some((0, 3));
        assert_eq!(reach(&[0, 0], four), Reach::Step);
        assert_eq!(reach(&[0, 2], four), Reach::Steps(2));
        assert_eq!(reach(&[1, -1], four), Reach::Steps(3));
        assert_eq!(reach(&[1, 3], four), Reach::Steps(7));
        assert_eq!(reach(&[1, 4], four), Reach::Never);
        assert_eq!(reach(&[0, -1], four), Reach::Backward);
        assert_eq!(reach(&[5, 1], four), Reach::Loop { level: 0, laps: 5, inner: vec![1] });
        assert_eq!(reach(&[1, 1], |_| None), Reach::Loop { level: 0, laps: 1, inner: vec![1] });
    }
}
