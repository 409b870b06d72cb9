//! Measures typical queries: `cargo run --example speed`, with and without `--release`.

use std::time::Instant;
use systolic_sets::{Answer, Budget, find_point_within, parse, project, range, smallest_point};

/// Queries as the laws of a kernel make them. Sizes are dimensions like any other.
const QUESTIONS: [(&str, &str); 8] = [
    (
        "an index within its array",
        "{ [n, m, k, i, j, l] : n >= 1, m >= 1, k >= 1, 0 <= i < n, 0 <= j < m, 0 <= l < k, \
         (i < 0 or i >= n or l < 0 or l >= k) }",
    ),
    (
        "two points of one cell at one time",
        "{ [n, m, k, i, j, l, a, b, c] : n >= 1, m >= 1, k >= 1, 0 <= i < n, 0 <= j < m, \
         0 <= l < k, 0 <= a < n, 0 <= b < m, 0 <= c < k, i = a, j = b, i + j + l = a + b + c, \
         (i != a or j != b or l != c) }",
    ),
    (
        "a skewed collision",
        "{ [n, m, k, i, j, l, a, b, c] : 1 <= n, 1 <= m, 1 <= k, 0 <= i < n, 0 <= j < m, \
         0 <= l < k, 0 <= a < n, 0 <= b < m, 0 <= c < k, i - l = a - c, j = b, \
         2i + j + l = 2a + b + c, (i < a or i > a or l < c or l > c) }",
    ),
    (
        "a use before its definition",
        "{ [n, t, i, j, k, p, q, r, s, u] : n >= 1, 0 <= i < n, 0 <= j < n, 0 <= k < n, k >= 1, \
         p = i, q = j, r = k - 1, s = p + q + r, u = i + j + k, 0 <= p < n, 0 <= q < n, \
         0 <= r < n, s >= u, t = u - s, 0 <= t }",
    ),
    (
        "a use after its definition",
        "{ [n, t, i, j, k, p, q, r, s, u] : n >= 1, 0 <= i < n, 0 <= j < n, 0 <= k < n, k >= 1, \
         p = i, q = j, r = k - 1, s = p + q + r, u = i + j + k, 0 <= p < n, 0 <= q < n, \
         0 <= r < n, s < u, t = u - s, 0 <= t }",
    ),
    (
        "tiles that meet",
        "{ [n, i, j, a, b, x, y, p, q] : n >= 1, 0 <= i < n, 0 <= j < n, i = 4a + x, j = 4b + y, \
         0 <= x < 4, 0 <= y < 4, 0 <= p < n, p = 4q + x, (q < a or q > a), i = p }",
    ),
    (
        "banks by remainder",
        "{ [n, i, j, a, b] : n >= 1, 0 <= i < n, 0 <= j < 8, 0 <= a < n, 0 <= b < 8, \
         (i + j) % 8 = 3, (a + b) % 8 = 3, i = a, j != b }",
    ),
    (
        "many conditions, nothing equal",
        "{ [n, m, i, j, k, a, b, c, d, e] : 1 <= n <= 100, 1 <= m <= n, 0 <= i < n, 0 <= j < m, \
         0 <= k < n, i + j <= a <= i + j + 3, j + k <= b <= n + m, a + b <= c, 0 <= d < n, \
         d <= a, e >= d + i, e <= c, a >= 0, b >= 1, c <= 2n + m, i + k >= 2, a + e > 3n + 2m + 9 }",
    ),
];

fn main() {
    let build = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    println!("{build}, µs a question");
    let mut sum = 0.0;
    for (name, text) in QUESTIONS {
        let set = match parse(text) {
            Ok(set) => set,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let dims = set.names.len();
        let whole = Budget::default().left();
        let mut budget = Budget::new(whole);
        let answer = match find_point_within(dims, &set.formula, &mut budget) {
            Answer::None => "empty",
            Answer::Point(_) => "nonempty",
            Answer::GaveUp => "gave up",
        };
        let rows = whole - budget.left();
        let find = micros(|| {
            let _ = find_point_within(dims, &set.formula, &mut Budget::default());
        });
        let small = micros(|| {
            let _ = smallest_point(dims, &set.formula, &[]);
        });
        let last = systolic_sets::Form::var(dims - 1);
        let bounds = micros(|| {
            let _ = range(dims, &set.formula, &last);
        });
        let keep: Vec<bool> = (0..dims).map(|k| k < 3).collect();
        let shadow = micros(|| {
            let _ = project(dims, &set.formula, &keep);
        });
        sum += find;
        println!(
            "{name}: {answer}, {rows} row operations, find {find:.1}, smallest {small:.1}, \
             range {bounds:.1}, project {shadow:.1}"
        );
    }
    println!("mean find {:.1}", sum / QUESTIONS.len() as f64);
}

fn micros(mut each: impl FnMut()) -> f64 {
    each();
    let started = Instant::now();
    let mut count = 0;
    while count < 2000 && started.elapsed().as_millis() < 100 {
        each();
        count += 1;
    }
    started.elapsed().as_secs_f64() * 1e6 / f64::from(count.max(1))
}
