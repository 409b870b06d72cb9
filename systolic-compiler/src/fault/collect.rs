//! Collects the faults of a kernel and merges those of its instances.
use super::{Fault, Law, message};
use crate::region::identity;

/// The faults found so far, in the order found.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    list: Vec<Fault>,
}

impl Faults {
    pub fn push(&mut self, fault: Fault) {
        self.list.push(fault);
    }

    pub fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.list.extend(faults);
    }

    /// Removes the faults of a law, by its name.
    pub fn forget(&mut self, law: Option<&str>) {
        self.list.retain(|fault| Some(fault.law().name()) != law);
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn into_vec(self) -> Vec<Fault> {
        self.list
    }

    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.list.iter()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }
}

/// Merges the faults of all instances of one kernel: a fault of every instance is reported once, a fault of only some
/// instances names the first of them.
#[derive(Debug, Default)]
pub struct InstanceFaults {
    instances: Vec<(String, Vec<Fault>)>,
}

impl InstanceFaults {
    pub fn add(&mut self, instance: String, faults: Vec<Fault>) {
        self.instances.push((instance, faults));
    }

    pub fn is_empty(&self) -> bool {
        self.instances.iter().all(|(_, faults)| faults.is_empty())
    }

    /// Merges the faults of the earliest stage that has any.
    pub fn merge(self) -> Vec<Fault> {
        let stage = self.instances.iter().flat_map(|(_, f)| f).map(|f| f.law().stage()).min();
        let of_stage = |f: &&Fault| Some(f.law().stage()) == stage;
        let count = self.instances.len();
        let mut merged: Vec<Merged> = Vec::new();
        for (instance, faults) in &self.instances {
            let mut met: Vec<usize> = Vec::new();
            for fault in faults.iter().filter(of_stage) {
                match merged.iter().position(|m| same_mistake(&m.fault, fault)) {
                    Some(k) if met.contains(&k) => {}
                    Some(k) => {
                        merged[k].again(fault);
                        met.push(k);
                    }
                    None => {
                        met.push(merged.len());
                        merged.push(Merged::first(instance, fault));
                    }
                }
            }
        }
        merged.into_iter().map(|m| m.said_once(count)).collect()
    }
}

/// A fault of the first instance that has it, and how the same mistake in other instances compares.
struct Merged {
    fault: Fault,
    times: usize,
    same_help: bool,
    same_words: bool,
}

impl Merged {
    fn first(instance: &str, fault: &Fault) -> Merged {
        let mut fault = fault.clone();
        fault.instance = Some(instance.to_string()).filter(|i| !i.is_empty());
        Merged { fault, times: 1, same_help: true, same_words: true }
    }

    fn again(&mut self, fault: &Fault) {
        self.times += 1;
        self.same_help &= help(&self.fault) == help(fault);
        self.same_words &= message(&unnamed(&self.fault)) == message(&unnamed(fault));
    }

    /// The fault to report, for a kernel with this many instances.
    fn said_once(self, instances: usize) -> Fault {
        let Merged { mut fault, times, same_help, same_words } = self;
        // Code with the numbers of one instance is right there only; it must not be pasted for all.
        if (!same_help || (times < instances && fault.law() != Law::Bounds))
            && let Some(help) = fault.help.as_mut().filter(|h| !h.edits.is_empty())
        {
            help.edits.clear();
            help.text = format!("in this instance, {}", help.text);
        }
        // If messages differ between instances, the one shown names its instance.
        if times == instances && same_words {
            fault.instance = None;
        }
        fault
    }
}

fn unnamed(fault: &Fault) -> Fault {
    Fault { instance: None, ..fault.clone() }
}

fn help(fault: &Fault) -> Option<&str> {
    fault.help.as_ref().map(|h| h.text.as_str())
}

/// The same law and kind of fact at the same region, in whatever instance: one thing to fix.
fn same_mistake(a: &Fault, b: &Fault) -> bool {
    a.law() == b.law()
        && identity(a.at.start) == identity(b.at.start)
        && identity(a.at.end) == identity(b.at.end)
        && std::mem::discriminant(&a.fact) == std::mem::discriminant(&b.fact)
        && a.map == b.map
}
