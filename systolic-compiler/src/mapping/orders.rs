//! Orders of time in which no read at given distances goes to a later point.
use crate::model::Int;
use crate::sorted;
use crate::target::effort;

/// An order of time: rows over the loops, outermost first.
pub type Rows = Vec<Vec<Int>>;

/// Nests of the loops themselves, each loop upwards or downwards.
pub fn nests(loops: usize, distances: &[Vec<Int>]) -> Vec<Rows> {
    let mut all = Vec::new();
    let open: Vec<&Vec<Int>> = distances.iter().collect();
    extend(loops, &mut Vec::new(), (0..loops).collect(), &open, &mut all, effort::NESTS);
    all
}

/// Wavefronts: a row over several loops, and a nest inside it.
pub fn fronts(loops: usize, distances: &[Vec<Int>]) -> Vec<Rows> {
    let mut all = Vec::new();
    for front in across(loops, distances) {
        let left: Vec<&Vec<Int>> = distances.iter().filter(|d| dot(&front, d) == 0).collect();
        for l in (0..loops).filter(|l| front[*l].abs() == 1) {
            let most = all.len() + 2;
            let others = (0..loops).filter(|k| *k != l).collect();
            extend(loops, &mut vec![front.clone()], others, &left, &mut all, most);
        }
    }
    all
}

/// Adds to `all` the nests of the `free` loops inside the rows `outer` in which all `open` distances go back in time, up to
/// `most` nests in total. Returns false if there is none.
fn extend(
    loops: usize,
    outer: &mut Rows,
    free: Vec<usize>,
    open: &[&Vec<Int>],
    all: &mut Vec<Rows>,
    most: usize,
) -> bool {
    if free.is_empty() && open.is_empty() && !all.contains(outer) {
        all.push(outer.clone());
    }
    let mut found = free.is_empty() && open.is_empty();
    for l in &free {
        let up = open.iter().all(|d| d[*l] >= 0);
        let down = open.iter().all(|d| d[*l] <= 0);
        if all.len() >= most || !(up || down) {
            continue;
        }
        outer.push(unit(loops, *l, if up { 1 } else { -1 }));
        let others = free.iter().copied().filter(|k| k != l).collect();
        let left: Vec<&Vec<Int>> = open.iter().copied().filter(|d| d[*l] == 0).collect();
        found = extend(loops, outer, others, &left, all, most);
        outer.pop();
        // Taking a loop that no distance contradicts only satisfies distances. If no nest follows from it, there is none.
        if !found {
            return false;
        }
    }
    found
}

/// The row of a single loop.
pub fn unit(loops: usize, l: usize, sign: Int) -> Vec<Int> {
    (0..loops).map(|k| if k == l { sign } else { 0 }).collect()
}

/// Rows over several loops along which no distance goes forward in time and some goes back, smallest coefficients first.
fn across(loops: usize, distances: &[Vec<Int>]) -> Vec<Vec<Int>> {
    let mut rows: Vec<Vec<Int>> = vec![Vec::new()];
    // A loop along which nothing is read has the coefficient 0.
    for l in 0..loops {
        let most = if distances.iter().all(|d| d[l] == 0) { 0 } else { effort::FRONT_COEFFICIENT };
        rows = rows.iter().flat_map(|r| (-most..=most).map(|c| [r.as_slice(), &[c]].concat())).collect();
        if rows.len() > effort::ROWS_LISTED {
            return Vec::new();
        }
    }
    let serves =
        |row: &Vec<Int>| distances.iter().all(|d| dot(row, d) >= 0) && distances.iter().any(|d| dot(row, d) > 0);
    rows.retain(|row| row.iter().filter(|c| **c != 0).count() > 1 && serves(row));
    sorted::sort_by_key(&mut rows, |row| row.iter().map(|c| c.abs()).sum::<Int>());
    rows.truncate(effort::FRONTS);
    rows
}

fn dot(a: &[Int], b: &[Int]) -> Int {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
