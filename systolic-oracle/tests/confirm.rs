//! `confirm` accepts a true witness and rejects any other: one kernel per law.
mod support;

use support::resolve;
use systolic_compiler::check;
use systolic_compiler::fault::{Fault, Law};
use systolic_compiler::model::Kernel;
use systolic_oracle::{confirm, places};

const BROKEN: [(Law, &str); 15] = [
    (Law::Defined, "for i in 0..N { V[i] = V[i - 1] + x[i]; z[i] = V[i]; } map { tile i by 4 as (b, s); lanes s; }"),
    (Law::Bounds, "for i in 0..N { z[i] = x[i + 1]; } map { tile i by 4 as (b, s); lanes s; }"),
    (
        Law::Cycle,
        "for i in 0..N { U[i] = x[i] + if i == 0 { 0 } else { V[i - 1] }; V[i] = if i == N - 1 { 0 } else { U[i + 1] };
         z[i] = U[i]; } map { tile i by 4 as (b, s); lanes s; }",
    ),
    (Law::Outputs, "for i in 0..N { if i != 2 { z[i] = x[i]; } } map { tile i by 4 as (b, s); lanes s; }"),
    (Law::Outputs, "for i in 0..N, j in 0..2 { z[i] = x[i]; } map { tile i by 4 as (b, s); lanes s; }"),
    (
        Law::Collision,
        "for i in 0..N, j in 0..3 { if j == 0 { z[i] = x[i]; } }
         map { tile i by 4 as (b, s); space_time (s, j) -> (l) = [[1, 2]]; lanes l; }",
    ),
    (Law::Lanes, "for i in 0..N { z[i] = x[i]; } map { tile i by 33 as (b, s); lanes s; }"),
    (Law::Lanes, "for i in 0..N { z[i] = x[i]; } map { lanes i; }"),
    (
        // Both tiles are at their ends only from 48 points on.
        Law::Lanes,
        "for i in 0..N, j in i..i + 1 { z[i] = x[i]; }
         map { tile i by 3 as (io, ii); tile j by 16 as (jo, ji); blocks (io);
               space_time (ii, ji) -> (l, t) = [[1, 2], [1, 0]]; lanes l; }",
    ),
    (
        Law::Causality,
        "for i in 0..N, j in 0..3 { V[i, j] = x[i] + if j == 0 { 0 } else { V[i, j - 1] }; if j == 2 { z[i] = V[i, j]; } }
         map { tile i by 4 as (b, s); space_time (s, j) -> (l, t) = [[1, 0], [0, -1]]; lanes l; }",
    ),
    (
        Law::Broadcast,
        "for i in 0..N, j in 0..3 { V[i, j] = x[i] + if j == 0 { 0 } else { V[i, j - 1] }; if j == 2 { z[i] = V[i, j]; } }
         map { tile i by 4 as (b, s); warps (j); lanes s; }",
    ),
    (
        Law::Broadcast,
        "for i in 0..N, j in 0..3 { V[i, j] = x[i] + if j == 0 { 0 } else { V[i, j - 1] }; if j == 2 { z[i] = V[i, j]; } }
         map { lanes j; }",
    ),
    (
        // The last edge of the cycle needs both sizes to be larger than the first edge does.
        Law::Broadcast,
        "for i in 0..M, j in i..N { V[i, j] = x[j] + if i == 0 { 0 } else { V[i - 1, j] }; if i == 0 { z[j] = V[i, j]; } }
         map { tile i by 2048 as (b, s); lanes s fold 64; }",
    ),
    (
        // The bounding box of the lanes is too large, that of the points is not: registers are counted from the points.
        Law::Broadcast,
        "for i in 0..N, j in 0..1, k in 0..7 { V[i, j, k] = x[i] + if k == 0 { 0 } else { V[i, j, k - 1] };
         if k == 6 { z[i] = V[i, j, k]; } }
         map { tile j by 48 as (b, s); overlap j by 2; blocks (b); lanes (k, s) fold 3; }",
    ),
    (
        Law::Blocks,
        "for i in 0..N { V[i] = x[i] + if i == 0 { 0 } else { V[i - 1] }; z[i] = V[i]; }
         map { tile i by 4 as (b, s); blocks (b); space_time (s) -> (l) = [[1]]; lanes l; }",
    ),
];

fn broken(law: Law, body: &str) -> (Kernel, Fault) {
    let text = format!("kernel k(M: size, x: [i32; N]) -> (z: [i32; N]) {{ {body} }}");
    let mut faults = check(text.parse().expect("tokens")).faults;
    faults.retain(|f| f.law() == law);
    let (kernel, _) = resolve(&text).expect("it resolves").remove(0);
    (kernel, faults.into_iter().next().unwrap_or_else(|| panic!("no fault of {law}: {text}")))
}

fn judge(kernel: &Kernel, fault: &Fault) -> Result<(), String> {
    let mapping = &kernel.maps[0];
    confirm(kernel, Some((mapping, &places(kernel, mapping))), fault)
}

#[test]
fn true_witnesses_are_confirmed() {
    for (law, body) in BROKEN {
        let (kernel, fault) = broken(law, body);
        assert_eq!(judge(&kernel, &fault), Ok(()), "{fault:?}");
    }
}

#[test]
fn other_witnesses_are_not() {
    for (law, body) in BROKEN {
        let (kernel, fault) = broken(law, body);
        let Some(witness) = &fault.witness else {
            assert_eq!(law, Law::Lanes, "a fault without a witness");
            continue;
        };
        let mut changed = Vec::new();
        for (k, _) in witness.point.iter().enumerate() {
            let mut far = fault.clone();
            far.witness.as_mut().expect("it has one").point[k].1 += 1000;
            changed.push(far);
        }
        if let Some(other) = &witness.other {
            for (k, _) in other.iter().enumerate() {
                let mut far = fault.clone();
                far.witness.as_mut().expect("it has one").other.as_mut().expect("it has one")[k].1 += 1000;
                changed.push(far);
            }
        }
        if witness.element.is_some() {
            let mut far = fault.clone();
            far.witness.as_mut().expect("it has one").element = Some(vec![1000]);
            changed.push(far);
        }
        let mut none = fault.clone();
        none.witness = None;
        changed.push(none);
        let mut small = fault.clone();
        small.witness.as_mut().expect("it has one").sizes[0].1 = 0;
        changed.push(small);
        for fault in changed {
            assert!(judge(&kernel, &fault).is_err(), "{fault:?}");
        }
    }
}
