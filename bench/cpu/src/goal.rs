//! Compares our times with those of the peers and with the goal.
use crate::contest::{Role, Standing};
use crate::table::ratio;

/// One line per contest: the closest peer on as many cores, and every peer against which the goal was missed.
pub fn report(standings: &[Standing]) -> String {
    let mut text = String::from("## Against the goal\n\n| contest | goal | closest peer | missed against |\n");
    text += "| --- | --- | --- | --- |\n";
    for standing in standings {
        let ratios = ratios(standing);
        let closest = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let closest = closest.map_or("nobody ran".to_string(), |(name, by)| format!("{name}: {by:.2}"));
        let missed: Vec<String> =
            ratios.iter().filter(|(_, by)| *by < standing.goal).map(|(name, by)| format!("{name}: {by:.2}")).collect();
        let missed = if missed.is_empty() { "nobody".to_string() } else { missed.join("; ") };
        text += &format!("| {} | {} | {closest} | {missed} |\n", standing.title, standing.goal);
    }
    text
}

/// Each peer with its time divided by ours on as many cores.
fn ratios(standing: &Standing) -> Vec<(String, f64)> {
    let peers = standing.lines.iter().filter(|l| l.role == Role::Peer);
    let ratios = peers.filter_map(|l| {
        let by = ratio(l.median()?, standing.ours(l.cores)?);
        let cores = l.cores.count();
        Some((format!("{} on {cores} core{}", l.name, if cores == 1 { "" } else { "s" }), by))
    });
    ratios.collect()
}
