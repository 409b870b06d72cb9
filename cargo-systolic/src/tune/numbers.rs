//! A map with other numbers: each neighbour has one factor doubled or halved, or a fold and the tile of its lanes together.
use systolic_compiler::model::Int;
use systolic_compiler::syntax::tree::{ClauseKind, Expr, ExprKind, Map};

/// The neighbours of a map. Not all of them are lawful.
pub fn neighbours(map: &Map) -> Vec<Map> {
    let places: Vec<usize> = (0..map.clauses.len()).filter(|k| factor(&map.clauses[*k].kind).is_some()).collect();
    let is = |k: usize, fold: bool| matches!(map.clauses[k].kind, ClauseKind::Lanes { .. }) == fold;
    let mut all = Vec::new();
    for up in [true, false] {
        for fold in places.iter().filter(|k| is(**k, true)) {
            for tile in places.iter().filter(|k| matches!(map.clauses[**k].kind, ClauseKind::Tile { .. })) {
                all.extend(scaled(map, &[*fold, *tile], up));
            }
        }
        for place in &places {
            all.extend(scaled(map, &[*place], up));
        }
    }
    all
}

/// The map with the factors of these clauses doubled or halved; `None` if one cannot be.
fn scaled(map: &Map, places: &[usize], up: bool) -> Option<Map> {
    let mut other = map.clone();
    for place in places {
        let number = factor_mut(&mut other.clauses[*place].kind)?;
        if !up && *number % 2 != 0 {
            return None;
        }
        *number = if up { number.checked_mul(2)? } else { *number / 2 };
    }
    // A fold of 1 is written as no fold.
    for place in places {
        if let ClauseKind::Lanes { fold, .. } = &mut other.clauses[*place].kind
            && fold.as_ref().and_then(number_of).is_some_and(|number| number == 1)
        {
            *fold = None;
        }
    }
    Some(other)
}

fn factor(kind: &ClauseKind) -> Option<Int> {
    kind.number().and_then(number_of)
}

fn factor_mut(kind: &mut ClauseKind) -> Option<&mut Int> {
    match &mut kind.number_mut()?.kind {
        ExprKind::Int { value, .. } => Some(value),
        _ => None,
    }
}

fn number_of(expr: &Expr) -> Option<Int> {
    match expr.kind {
        ExprKind::Int { value, .. } if value > 0 => Some(value),
        _ => None,
    }
}
