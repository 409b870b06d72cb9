//! Checks the table: rong2020's figures, the bits of the results, and README's excerpt.
use crate::machines::MACHINES;
use crate::{OUTPUTS, measure, table};

/// rong2020's Table 4: PEs, steps, outturn, utilization in per cent.
const TABLE_4: [(&str, usize, usize, f64, f64); 7] = [
    ("SBM", 20, 5, 3.2, 80.0),
    ("BSM", 5, 20, 0.8, 80.0),
    ("FSM", 5, 20, 0.8, 80.0),
    ("BFS", 16, 20, 0.8, 25.0),
    ("FFS", 16, 35, 0.46, 14.0),
    ("FBS", 16, 5, 3.2, 100.0),
    ("FBS, stride 2", 16, 5, 3.2, 100.0),
];

#[test]
fn the_figures_are_those_of_table_4() {
    for (machine, (name, pes, steps, outturn, utilization)) in MACHINES.iter().zip(TABLE_4) {
        let line = table::figures(machine.name, &(machine.describe)(OUTPUTS));
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
        let number = |k: usize| cells[k].trim_end_matches(" %").parse::<f64>().expect("a number");
        assert_eq!(cells[0], name);
        assert_eq!([number(1), number(2), number(3), number(4)], [pes as f64, steps as f64, outturn, utilization]);
    }
}

#[test]
fn every_machine_gives_the_bits_of_the_loop() {
    for machine in &MACHINES {
        for outputs in [1, 16, 27, 28, 29, 33, 1000] {
            let measured = measure::measure(machine, outputs, 1).expect("it runs");
            assert!(measured.same, "{} at {outputs}", machine.name);
            assert!(measured.time > 0.0, "{} at {outputs}", machine.name);
        }
    }
}

#[test]
fn head_and_lines_are_aligned() {
    let measured = measure::Measured { time: 1.0, same: true };
    for machine in &MACHINES {
        let design = (machine.describe)(OUTPUTS);
        assert_eq!(table::figures(machine.name, &design).len(), table::figures_head().len());
        assert_eq!(table::line(machine.name, &design, &measured).len(), table::head().len());
    }
}

#[test]
fn the_readme_shows_its_lines() {
    let readme = include_str!("../../README.md");
    let lines = MACHINES.iter().map(|m| table::figures(m.name, &(m.describe)(OUTPUTS)));
    for line in std::iter::once(table::figures_head()).chain(lines) {
        assert!(readme.lines().any(|l| l.starts_with(line.trim_end())), "README.md does not show\n{line}");
    }
}
