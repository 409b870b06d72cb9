//! How fast jobs go around that share some servers: each has one job at a time, the others wait. Exact for times at random
//! (mean value analysis), which errs on the slow side for times that are even.

/// Jobs a clock, where `jobs` are under way, each needs so many clocks of every server, and `apart` clocks of nobody.
pub fn rate(jobs: usize, servers: &[f64], apart: f64) -> f64 {
    let mut waiting = vec![0.0; servers.len()];
    let mut rate = 0.0;
    for under_way in 1..=jobs {
        let times: Vec<f64> = servers.iter().zip(&waiting).map(|(clocks, queue)| clocks * (1.0 + queue)).collect();
        rate = under_way as f64 / (apart + times.iter().sum::<f64>()).max(f64::MIN_POSITIVE);
        waiting = times.iter().map(|time| rate * time).collect();
    }
    rate
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn one_job_never_waits() {
        assert_eq!(rate(1, &[3.0, 5.0], 2.0), 0.1);
        assert_eq!(rate(0, &[3.0, 5.0], 2.0), 0.0);
    }

    #[test]
    fn many_jobs_go_as_fast_as_the_slowest_server() {
        assert!((rate(1000, &[3.0, 5.0], 2.0) - 0.2).abs() < 1e-9);
        // Two that are alike: N jobs reach N / (N + 1).
        assert!((rate(9, &[4.0, 4.0], 0.0) - 0.9 / 4.0).abs() < 1e-12);
        let rates: Vec<f64> = (1..50).map(|jobs| rate(jobs, &[3.0, 5.0], 40.0)).collect();
        assert!(rates.is_sorted() && rates[48] <= 0.2);
    }
}
