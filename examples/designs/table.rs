//! Designs as lines of a table.
use crate::measure::Measured;
use systolic::Design;

/// The columns that are the same on every machine.
pub fn figures_head() -> String {
    format!(
        "{:<13}  {:>3}  {:>5}  {:>7}  {:>11}  {:>9}  {:>15}",
        "design", "PEs", "steps", "outturn", "utilization", "registers", "shuffles/output"
    )
}

pub fn head() -> String {
    format!("{}  {:>5}  bits", figures_head(), "time")
}

pub fn figures(name: &str, design: &Design) -> String {
    format!(
        "{name:<13}  {:>3}  {:>5}  {:>7.2}  {:>9.0} %  {:>9}  {:>15.2}",
        design.pes,
        design.steps,
        design.outturn,
        100.0 * design.utilization,
        design.registers,
        design.shuffles
    )
}

pub fn line(name: &str, design: &Design, measured: &Measured) -> String {
    let bits = if measured.same { "same" } else { "OTHER" };
    format!("{}  {:>5.2}  {bits}", figures(name, design), measured.time)
}
