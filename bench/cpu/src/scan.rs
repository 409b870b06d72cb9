//! Sums along the rows and down the columns of a square image.
use crate::Plan;
use crate::contest::{Check, Contest, Contestant, Cores, Role, Run, Standing};
use crate::data::{Random, same_bits, spoil};
use crate::kernels::scan_columns_wide;
use crate::plain;
use crate::pool::timed;
use scans::{scan_columns, scan_rows, scan_rows_strips};
use systolic::ndarray::Array2;
use systolic::{Cpu, Error};

#[path = "../../../tests/kernels/scans.rs"]
mod scans;

/// The number of rows and of columns of the image.
const SIDE: usize = 4096;

type Ours = fn(&Array2<f32>, &mut Array2<f32>) -> Result<(), Error>;
type Plain = fn(Cores, &Array2<f32>, &mut Array2<f32>);

/// Holds the requested contests, in both directions.
pub fn contests(plan: &Plan) -> Result<Vec<Standing>, String> {
    let rows: [(&str, Ours); 2] = [
        ("ours, strips", |x, y| scan_rows_strips::run_into(&Cpu, x, y)),
        ("ours, a lane a row", |x, y| scan_rows::run_into(&Cpu, x, y)),
    ];
    let columns: [(&str, Ours); 2] = [
        ("ours, strips", |x, y| scan_columns::run_into(&Cpu, x, y)),
        ("ours, wide", |x, y| scan_columns_wide::run_into(&Cpu, x, y)),
    ];
    let held = [
        contest(plan, "scan rows", &rows, plain::scan_rows)?,
        contest(plan, "scan columns", &columns, plain::scan_columns)?,
    ];
    Ok(held.into_iter().flatten().collect())
}

fn contest(plan: &Plan, title: &str, maps: &[(&str, Ours)], by_hand: Plain) -> Result<Option<Standing>, String> {
    if !plan.wants(title) {
        return Ok(None);
    }
    let image = &Random::new(2).image(SIDE, SIDE);
    let expected = &if title == "scan rows" { sums(image) } else { sums(&image.t().to_owned()).t().to_owned() };
    let right = || -> Check<'_, Array2<f32>> { Box::new(|found| same_bits(found, expected)) };
    let mut contestants = Vec::new();
    for cores in Cores::BOTH {
        let mut add = |name: &str, role, run, check| {
            contestants.push(Contestant { name: name.to_string(), cores, role, run: Ok(run), check });
        };
        let same: Check<'_, _> = Box::new(|found| same_bits(found, image));
        add("copy", Role::Bound, plain(cores, plain::copy, image), same);
        for (name, map) in maps {
            add(name, Role::Ours, ours(cores, *map, image), right());
        }
        add("loop", Role::Peer, plain(cores, by_hand, image), right());
    }
    let output = scan_rows_strips::run(&Cpu, image).map_err(|e| e.to_string())?;
    let work = format!("{SIDE} × {SIDE} f32");
    Ok(Some(Contest { title: title.to_string(), work, goal: 1.0, contestants, output, spoil }.hold(plan.rounds)))
}

/// Sums along every row, element by element.
fn sums(x: &Array2<f32>) -> Array2<f32> {
    let mut y = x.clone();
    for mut row in y.rows_mut() {
        for c in 1..row.len() {
            row[c] += row[c - 1];
        }
    }
    y
}

fn ours(cores: Cores, map: Ours, x: &Array2<f32>) -> Run<'_, Array2<f32>> {
    Box::new(move |y, _| {
        let (time, result) = timed(cores, || map(x, y))?;
        result.map(|()| time).map_err(|e| e.to_string())
    })
}

fn plain(cores: Cores, work: Plain, x: &Array2<f32>) -> Run<'_, Array2<f32>> {
    Box::new(move |y, _| Ok(timed(cores, || work(cores, x, y))?.0))
}
