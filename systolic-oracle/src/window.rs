//! The points with which a witness is checked: all of them, or those around it if there are too many.
use crate::world::World;
use systolic_compiler::model::Int;

/// At most about `limit` points of the domain: all of them, or those nearest to the centres.
pub fn window(world: &World, centres: &[&[Int]], limit: usize) -> Vec<Vec<Int>> {
    if !world.has_more_points_than(limit) {
        return world.points();
    }
    let mut reach = 128;
    loop {
        let narrow = |outer: &[Int], (low, high): (Int, Int)| {
            let k = outer.len();
            let (least, most) = centres.iter().fold((Int::MAX, Int::MIN), |(l, m), c| (l.min(c[k]), m.max(c[k])));
            (low.max(least - reach), high.min(most + reach + 1))
        };
        let mut points = Vec::new();
        let all = world.walk(&mut Vec::new(), &narrow, &mut |point| {
            points.push(point.to_vec());
            points.len() <= limit
        });
        if all || reach == 0 {
            return points;
        }
        reach /= 2;
    }
}
