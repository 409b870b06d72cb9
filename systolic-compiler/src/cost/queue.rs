//! The throughput of a closed queueing network: jobs circulate between servers, each of which serves one job at a time.
//!
//! Mean value analysis is exact for exponentially distributed service times. For constant times it errs on the slow side.

/// The jobs per clock, with `jobs` in circulation. Each needs the given clocks of every server, and `apart` clocks of none.
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
        // With two equal servers, N jobs reach N / (N + 1) of the full rate.
        assert!((rate(9, &[4.0, 4.0], 0.0) - 0.9 / 4.0).abs() < 1e-12);
        let rates: Vec<f64> = (1..50).map(|jobs| rate(jobs, &[3.0, 5.0], 40.0)).collect();
        assert!(rates.is_sorted() && rates[48] <= 0.2);
    }
}
