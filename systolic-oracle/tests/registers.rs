//! Compares the registers counted from the wires with those in the lowered programs.
//!
//! Only rotations are counted, in words of 4 bytes per lane: values that wait for a later step. Values that are
//! computed and used within one step are not counted. The two counts agree except for what only one of them can know:
//! the program holds one register for values that turn out to be equal, and it holds wires that no point uses if its
//! conditions do not show that. Inputs that the program keeps for its own later reads are left out here.
//!
//! `SYSTOLIC_REGISTERS` is the number of random kernels, `SYSTOLIC_SEED` the first seed.
mod support;

use support::files::{WIRES, workload_blocks};
use support::number;
use support::report::Report;
use systolic_compiler::check;
use systolic_compiler::compile::schedule_layout;
use systolic_compiler::laws::{Count, Lawful, LawfulMap, Rotation, Waiting, waiting};
use systolic_compiler::lower::is_large;
use systolic_compiler::mapping::{Layout, Target, default_map};
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::program::{Operation, Program, Register};
use systolic_compiler::schedule::{Schedule, print};
use systolic_oracle::random_kernel;

fn program(kernel: &Kernel, map: &LawfulMap) -> Option<Schedule> {
    let layout = Layout::new(kernel, map, Target::Gpu).filter(|l| !is_large(l))?;
    schedule_layout(&layout).ok()
}

fn count(kernel: &Kernel, map: &LawfulMap, count: Count) -> Waiting {
    waiting(kernel, map.mapping(), map.places(), map.ranges(), map.dependences(), count)
}

/// An input that several reads share is kept although no wire of the kernel needs it.
fn of_wire(register: &Register) -> bool {
    !register.reuse
}

fn words(kernel: &Kernel, waiting: &Waiting) -> Int {
    waiting.registers(kernel).iter().sum()
}

/// Every map of an instance, or the default one.
fn each_map(lawful: &Lawful, mut visit: impl FnMut(&Kernel, &LawfulMap)) {
    let default = if lawful.maps().is_empty() { default_map(lawful, Target::Gpu) } else { None };
    lawful.maps().iter().chain(&default).for_each(|map| visit(map.kernel(lawful.kernel()), map));
}

#[test]
fn workloads_hold_what_the_wires_say() {
    let mut report = Report::default();
    let wires = [("wires".to_string(), WIRES.parse().expect("tokens"))];
    for (file, block) in wires.into_iter().chain(workload_blocks()) {
        for (tree, instances) in &check(block).kernels {
            for lawful in instances {
                each_map(lawful, |kernel, map| {
                    let Some(program) = program(kernel, map) else { return };
                    let waiting = count(kernel, map, Count::Exact);
                    let (held, said) = (program.registers_held(of_wire), words(kernel, &waiting));
                    report.count(if held > 0 { "maps with rotations" } else { "maps without" });
                    if held < said && lacks_only_equals(&program, &waiting) {
                        report.count("maps with equal values");
                    } else if held != said {
                        let name = format!("{file}: {}{}", tree.name.text, kernel.instance);
                        report.wrong.push(format!("{name}: {said} from the wires, {held} held\n{}", print(&program)));
                    }
                });
            }
        }
    }
    report.print();
    assert!(report.counted("maps with rotations") > 50, "{:?}", report.tally);
    assert!(report.wrong.is_empty(), "{} maps hold something else", report.wrong.len());
    // Alignments with directions; no other workload.
    assert!(report.counted("maps with equal values") <= 3, "{:?}", report.tally);
}

/// Whether the program holds all rotations of the wires but such as may be equal to another one: of the same delay.
fn lacks_only_equals(program: &Program, waiting: &Waiting) -> bool {
    let held: Vec<Int> = program.registers.iter().filter(|r| of_wire(r)).map(|r| r.delay).collect();
    let mut lacks: Vec<Int> = waiting.rotations().map(|r| r.delay).collect();
    let all_said = held.iter().all(|delay| match lacks.iter().position(|said| said == delay) {
        Some(k) => {
            lacks.swap_remove(k);
            true
        }
        None => false,
    });
    all_said && lacks.iter().all(|delay| held.contains(delay))
}

/// Whether both have equally many rotations of the same delays, none of an element that another read may have loaded
/// before. Then no two values are equal, and no wire is unused.
fn same_rotations(program: &Program, waiting: &Waiting) -> bool {
    let is_load = |r: &Register| matches!(program.values[r.value.0].operation, Operation::Load { .. });
    let mut held: Vec<Int> = program.registers.iter().filter(|r| of_wire(r)).map(|r| r.delay).collect();
    let mut said: Vec<Int> = waiting.rotations().map(|r| r.delay).collect();
    held.sort_unstable();
    said.sort_unstable();
    held == said && !program.registers.iter().filter(|r| of_wire(r)).any(is_load)
}

#[test]
fn random_kernels_hold_what_the_wires_say() {
    let kernels = number("SYSTOLIC_REGISTERS", if cfg!(debug_assertions) { 1000 } else { 5000 });
    let first = number("SYSTOLIC_SEED", 0);
    let mut report = Report::default();
    for seed in first..first + kernels {
        let text = random_kernel(seed);
        for lawful in check(text.parse().expect("tokens")).kernels.iter().flat_map(|(_, instances)| instances) {
            each_map(lawful, |kernel, map| {
                let Some(program) = program(kernel, map) else { return };
                let (exact, most) = (count(kernel, map, Count::Exact), count(kernel, map, Count::AtMost));
                let (held, said) = (program.registers_held(of_wire), words(kernel, &exact));
                let mut wrong =
                    |why: String| report.wrong.push(format!("seed {seed}: {why}\n{text}\n{}", print(&program)));
                if words(kernel, &most) < held {
                    wrong(format!("at most {} from the wires, {held} held", words(kernel, &most)));
                }
                let same = same_rotations(&program, &exact);
                // What is left for other blocks is stored at the end of a step and is no wire: the count is a bound there.
                if same && held != said && program.faces.is_empty() {
                    wrong(format!("{said} from the wires, {held} held"));
                }
                report.count(match (held, same) {
                    (0, true) => "maps without",
                    (_, true) => "maps with rotations",
                    (_, false) if held <= said => "maps with values that are one",
                    _ => "maps with wires that no point uses",
                });
            });
        }
    }
    report.print();
    let (agree, unused) = ("maps with rotations", "maps with wires that no point uses");
    assert!(report.counted(agree) > report.counted(unused), "{:?}", report.tally);
    assert!(report.wrong.is_empty(), "{} maps hold something else", report.wrong.len());
}

/// The rotations of a kernel with one map, and the registers of its program.
fn of_body(body: &str) -> (Vec<Rotation>, Int) {
    let text = format!(
        "kernel k(x: [f32; N, 32]) -> (y: [f32; N, 32], z: [f32; N, 32]) {{ for n in 0..N, k in 0..32 {{ {body} }} map {{ lanes k; }} }}"
    );
    let checked = check(text.parse().expect("tokens"));
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let lawful = &checked.kernels[0].1[0];
    let (kernel, map) = (lawful.kernel(), &lawful.maps()[0]);
    let rotations = count(kernel, map, Count::Exact).rotations().copied().collect();
    (rotations, program(kernel, map).expect("a program").registers_held(of_wire))
}

#[test]
fn one_register_more_where_the_old_value_outlives_the_new() {
    // The new sum is computed from the old one, which is dead afterwards.
    let dies = "S[n, k] = x[n, k] + if n < 3 { 0.0 } else { S[n - 3, k] }; y[n, k] = S[n, k]; z[n, k] = S[n, k];";
    assert_eq!(of_body(dies), (vec![Rotation { delay: 3, late: false }], 3));
    // A difference of the new and the old value: both are live at the same time.
    let outlives = "S[n, k] = x[n, k] * 2.0;
        D[n, k] = S[n, k] - if n < 3 { 0.0 } else { S[n - 3, k] }; y[n, k] = D[n, k]; z[n, k] = S[n, k];";
    assert_eq!(of_body(outlives), (vec![Rotation { delay: 3, late: true }], 4));
    // The old value is read before the new one is computed, by a value that the new one needs.
    let before = "D[n, k] = x[n, k] - if n < 3 { 0.0 } else { S[n - 3, k] };
        S[n, k] = D[n, k] * 2.0; y[n, k] = D[n, k]; z[n, k] = S[n, k];";
    assert_eq!(of_body(before), (vec![Rotation { delay: 3, late: false }], 3));
    // A store reads when all values have been computed.
    let stored = "S[n, k] = x[n, k] * 2.0; y[n, k] = S[n, k]; z[n, k] = if n < 3 { 0.0 } else { S[n - 3, k] };";
    assert_eq!(of_body(stored), (vec![Rotation { delay: 3, late: true }], 4));
    // Of several readers the one with the longest delay decides, and one rotation serves them all.
    let several = "S[n, k] = x[n, k] + if n < 3 { 0.0 } else { S[n - 3, k] };
        y[n, k] = S[n, k]; z[n, k] = if n < 2 { 0.0 } else { S[n - 2, k] };";
    assert_eq!(of_body(several), (vec![Rotation { delay: 3, late: false }], 3));
}
