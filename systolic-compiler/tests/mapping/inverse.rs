//! The point of every place: random matrices over boxes, tiles, loops of run-time length and loops with dependent
//! bounds. Each place in the bounding box of the rows is compared with an enumeration of all points.
use super::{Random, lawful, one};
use std::collections::BTreeMap;
use systolic_compiler::laws::LawfulMap;
use systolic_compiler::mapping::{Atom, Layout, Target};
use systolic_compiler::model::{Int, Kernel, RowKind};

/// The maximum number of places at which a map is tested.
const MOST_PLACES: usize = 40_000;

/// A kernel that stores every point once, with a map that often has fewer rows than loops.
fn random_text(random: &mut Random) -> String {
    let names = ["a", "b", "c"];
    let count = random.within(1, 3) as usize;
    let (mut loops, mut dims, mut index, mut leaves, mut clauses) = (vec![], vec![], vec![], vec![], vec![]);
    for (k, name) in names.iter().enumerate().take(count) {
        let low = random.within(-1, 2);
        let length = random.within(1, 6);
        let (range, dim, at) = match random.within(0, 5) {
            0 => (format!("0..N{name}"), format!("N{name}"), name.to_string()),
            1 if k > 0 => {
                let outer = names[k - 1];
                (format!("{outer}..{outer} + {length}"), length.to_string(), format!("{name} - {outer}"))
            }
            _ => (format!("{low}..{}", low + length), length.to_string(), format!("{name} - ({low})")),
        };
        loops.push(format!("{name} in {range}"));
        dims.push(dim);
        index.push(at);
        let mut leaf = name.to_string();
        for (outer, inner) in [("o", "i"), ("p", "j")] {
            if random.chance(40) {
                clauses.push(format!("tile {leaf} by {} as ({name}{outer}, {name}{inner});", random.within(1, 6)));
                leaves.push(format!("{name}{outer}"));
                leaf = format!("{name}{inner}");
            }
        }
        leaves.push(leaf);
    }
    let mut taken: Vec<String> = leaves.iter().filter(|_| random.chance(75)).cloned().collect();
    if taken.is_empty() {
        taken.push(leaves[0].clone());
    }
    let rows = random.within(1, taken.len() as i64) as usize;
    let entry = |random: &mut Random| if random.chance(40) { 0 } else { random.within(-4, 4) };
    let matrix: Vec<Vec<i64>> = (0..rows).map(|_| taken.iter().map(|_| entry(random)).collect()).collect();
    let new: Vec<String> = (0..rows).map(|k| format!("s{k}")).collect();
    clauses.push(format!("space_time ({}) -> ({}) = {matrix:?};", taken.join(", "), new.join(", ")));
    clauses.push(format!("lanes s0 fold {};", random.within(1, 4)));
    let sizes: String = dims.iter().filter(|d| d.starts_with('N')).map(|d| format!("{d}: size, ")).collect();
    format!(
        "kernel k({sizes}x: [i32; 1]) -> (z: [i32; {}]) {{ for {} {{ z[{}] = x[0]; }} map {{ {} }} }}",
        dims.join(", "),
        loops.join(", "),
        index.join(", "),
        clauses.join(" ")
    )
}

/// All points at these sizes, each preceded by the sizes.
fn points(kernel: &Kernel, sizes: &[Int]) -> Vec<Vec<Int>> {
    kernel.loops.iter().fold(vec![sizes.to_vec()], |points, l| {
        let longer = points.into_iter().flat_map(|p| {
            let (low, high) = (l.low.eval(&p).expect("small"), l.high.eval(&p).expect("small"));
            (low..high).map(move |v| [p.as_slice(), &[v]].concat()).collect::<Vec<_>>()
        });
        longer.collect()
    })
}

/// The leaves of a point. They are unique, since nothing overlaps.
fn leaves(map: &LawfulMap, kernel: &Kernel, point: &[Int]) -> Vec<Int> {
    let mapping = map.mapping();
    let mut nodes = vec![0; mapping.nodes.len()];
    nodes[..kernel.loops.len()].copy_from_slice(&point[kernel.sizes.len()..]);
    for n in 0..nodes.len() {
        if let Some(tile) = &mapping.nodes[n].tile {
            (nodes[tile.outer], nodes[tile.inner]) = (nodes[n].div_euclid(tile.by), nodes[n].rem_euclid(tile.by));
        }
    }
    mapping.leaves.iter().map(|n| nodes[*n]).collect()
}

/// The leaves that a layout computes for a place; `None` if it is not a point of the domain.
fn point_of(layout: &Layout, sizes: &[Int], place: &[Int]) -> Option<Vec<Int>> {
    let at = |atom: &Atom| match atom {
        Atom::Size(k) => sizes[*k],
        Atom::Block(k) => place[layout.blocks[*k]],
        Atom::Lane(k) => (place[layout.lanes[*k].row] - layout.lanes[*k].low).div_euclid(layout.lanes[*k].fold),
        Atom::Register => {
            let folded = layout.lanes.last().expect("lanes");
            (place[folded.row] - folded.low).rem_euclid(folded.fold)
        }
        Atom::Time(k) => {
            let time = (0..place.len()).filter(|row| layout.places.rows[*row].kind == RowKind::Time);
            time.into_iter().find(|row| layout.time_number(*row) == Some(*k)).map_or(0, |row| place[row])
        }
        Atom::Warp(_) | Atom::Remainder(..) => unreachable!("there are no warps"),
    };
    let agree = layout.consistent.iter().all(|form| form.value(&at) == Some(0));
    let leaves: Vec<Int> = layout.leaves.iter().map(|l| l.value(&at)).collect::<Option<_>>()?;
    let point: Vec<Int> = sizes.iter().chain(&leaves).copied().collect();
    let inside = layout.places.domain(layout.kernel, layout.mapping).holds(&point) == Some(true);
    (agree && inside).then_some(leaves)
}

/// Compares the point of every place in the bounding box of the rows, widened by one on each side, with enumeration.
fn judge(kernel: &Kernel, map: &LawfulMap, layout: &Layout, sizes: &[Int], text: &str) {
    let rows = &map.places().rows;
    let mut made: BTreeMap<Vec<Int>, Vec<Int>> = BTreeMap::new();
    for point in points(kernel, sizes) {
        let leaves = leaves(map, kernel, &point);
        let place = rows.iter().map(|r| r.coefs.iter().zip(&leaves).map(|(c, l)| c * l).sum()).collect();
        assert!(made.insert(place, leaves).is_none(), "two points share a place at {sizes:?}\n{text}");
    }
    let ranges = (0..rows.len()).map(|k| {
        let values = made.keys().map(|p| p[k]);
        (values.clone().min().unwrap_or(0) - 1, values.max().unwrap_or(0) + 1)
    });
    let mut places: Vec<Vec<Int>> = vec![Vec::new()];
    for (low, high) in ranges {
        places = places.iter().flat_map(|p| (low..=high).map(|v| [p.as_slice(), &[v]].concat())).collect();
        if places.len() > MOST_PLACES {
            places = made.keys().cloned().collect();
            break;
        }
    }
    for place in &places {
        let found = point_of(layout, sizes, place);
        assert_eq!(found.as_ref(), made.get(place), "place {place:?} at {sizes:?}\n{text}");
    }
}

#[test]
fn every_place_finds_its_only_point() {
    let mut random = Random(7);
    let (mut tried, mut fewer, mut remainders) = (0, 0, 0);
    for _ in 0..600 {
        let text = random_text(&mut random);
        for instance in lawful(&text) {
            let (kernel, map) = (instance.kernel(), &instance.maps()[0]);
            let layout = Layout::new(kernel, map, Target::Gpu).unwrap_or_else(|| panic!("no way back:\n{text}"));
            for n in [1, 2, 5] {
                judge(kernel, map, &layout, &vec![n; kernel.sizes.len()], &text);
            }
            tried += 1;
            fewer += usize::from(map.places().rows.len() < map.mapping().leaves.len());
            remainders += usize::from(layout.leaves.iter().any(|l| l.to_string().contains("mod")));
        }
    }
    // The laws reject most maps.
    println!("{tried} maps, {fewer} with fewer rows than loops, {remainders} with remainders");
    assert!(tried > 150 && fewer > 50 && remainders > 20, "{tried} {fewer} {remainders}");
}

/// Maps whose points only the loop bounds keep apart, each in its own way.
#[test]
fn bounds_close_what_rows_leave_open() {
    let maps = [
        // A remainder of two rows combined.
        (
            "i in 0..N, j in 2..8",
            "tile i by 4 as (o, p); tile p by 1 as (q, r);
             space_time (j, r, o, q) -> (s, t, u) = [[0, 1, 0, 0], [-2, -2, 2, 1], [1, 0, 1, 1]]",
            true,
        ),
        // The inner loop, once the outer one is known.
        ("i in -1..1", "tile i by 3 as (o, p); space_time (o, p) -> (s) = [[1, 0]]", false),
        // A tile of one point, tiled again.
        (
            "i in 0..4",
            "tile i by 1 as (o, p); tile p by 3 as (q, r); blocks (o); space_time (q, r) -> (s) = [[1, 0]]",
            false,
        ),
        // The difference of two loops.
        ("i in 0..5, j in i..i + 2", "space_time (i, j) -> (s) = [[1, 1]]", false),
        // Two terms that are smaller than the third.
        ("i in 0..2, j in 0..2, k in 0..2", "space_time (i, j, k) -> (s) = [[1, 3, 5]]", false),
    ];
    for (loops, clauses, sized) in maps {
        let size = if sized { "N: size, " } else { "" };
        let count = loops.matches(" in ").count();
        let names = &["i", "j", "k"][..count];
        let text = format!(
            "kernel k({size}x: [i32; 1]) -> (z: [i32; 1]) {{ for {loops} {{ V[{0}] = x[0]; if {1} {{ z[0] = V[{0}]; }} }} map {{ {clauses}; lanes s fold 16; }} }}",
            names.join(", "),
            first(loops),
        );
        let instance = one(&text);
        let (kernel, map) = (instance.kernel(), &instance.maps()[0]);
        let layout = Layout::new(kernel, map, Target::Gpu).unwrap_or_else(|| panic!("no way back:\n{text}"));
        for n in [1, 4, 9] {
            judge(kernel, map, &layout, &vec![n; kernel.sizes.len()], &text);
        }
    }
}

/// The condition for the first point of some loops.
fn first(loops: &str) -> String {
    let each = loops.split(", ").map(|l| {
        let (name, range) = l.split_once(" in ").expect("a loop");
        format!("{name} == {}", range.split_once("..").expect("a range").0)
    });
    each.collect::<Vec<_>>().join(" && ")
}
