//! Maps, sets and sorting that take little time to compile.
//!
//! Every type of key that the standard library's `BTreeMap` is used with brings five thousand statements of its code into this crate,
//! and every type that is sorted three thousand. Together they were a quarter of what rustc translated in an unoptimised build,
//! which every user waits for. Here a map is a vector of pairs that is kept in order: a key is found by bisection, and an
//! insertion moves what is larger. Maps of the compiler have some hundreds of entries, and most are filled in ascending order,
//! where an insertion moves nothing.
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Index;

/// A map whose entries are in the order of their keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

/// A set whose items are in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortedSet<K> {
    items: Vec<K>,
}

/// The place of a key among `count` sorted ones: where it is, or where it belongs. `compare` compares the k-th with the key.
/// Keys that are larger than all others, the most frequent case, take one comparison.
fn find(count: usize, compare: &mut dyn FnMut(usize) -> Ordering) -> Result<usize, usize> {
    let (mut low, mut high) = (0, count);
    let mut middle = count.wrapping_sub(1);
    while low < high {
        match compare(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Ok(middle),
            Ordering::Greater => high = middle,
        }
        middle = low + (high - low) / 2;
    }
    Err(low)
}

impl<K: Ord, V> SortedMap<K, V> {
    pub const fn new() -> SortedMap<K, V> {
        SortedMap { entries: Vec::new() }
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        find(self.entries.len(), &mut |k| self.entries[k].0.borrow().cmp(key))
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|k| &self.entries[k].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Returns the value that the key had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(k) => Some(std::mem::replace(&mut self.entries[k].1, value)),
            Err(k) => {
                self.entries.insert(k, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|k| self.entries.remove(k).1)
    }

    /// The value of a key, which is inserted if it is not there.
    pub fn or_insert_with(&mut self, key: K, value: impl FnOnce(&K) -> V) -> &mut V {
        let k = match self.find(&key) {
            Ok(k) => k,
            Err(k) => {
                let value = value(&key);
                self.entries.insert(k, (key, value));
                k
            }
        };
        &mut self.entries[k].1
    }

    pub fn or_insert(&mut self, key: K, value: V) -> &mut V {
        self.or_insert_with(key, |_| value)
    }

    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert_with(key, |_| V::default())
    }

    pub fn retain(&mut self, mut stays: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| stays(key, value));
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.entries.into_iter().map(|(key, _)| key)
    }

    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord> SortedSet<K> {
    pub const fn new() -> SortedSet<K> {
        SortedSet { items: Vec::new() }
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        find(self.items.len(), &mut |k| self.items[k].borrow().cmp(key))
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Whether the item was not there before.
    pub fn insert(&mut self, item: K) -> bool {
        let place = self.find(&item);
        if let Err(k) = place {
            self.items.insert(k, item);
        }
        place.is_err()
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        let place = self.find(key);
        if let Ok(k) = place {
            self.items.remove(k);
        }
        place.is_ok()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.items.iter()
    }

    pub fn is_subset(&self, of: &SortedSet<K>) -> bool {
        self.items.iter().all(|item| of.contains(item))
    }

    pub fn is_disjoint(&self, from: &SortedSet<K>) -> bool {
        self.items.iter().all(|item| !from.contains(item))
    }

    /// The items that the other set does not have.
    pub fn difference<'a>(&'a self, other: &'a SortedSet<K>) -> impl Iterator<Item = &'a K> {
        self.items.iter().filter(|item| !other.contains(item))
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> SortedMap<K, V> {
        SortedMap { entries: Vec::new() }
    }
}

impl<K> Default for SortedSet<K> {
    fn default() -> SortedSet<K> {
        SortedSet { items: Vec::new() }
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

/// Of several entries with one key the last stays.
impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SortedMap<K, V> {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(items: I) -> SortedSet<K> {
        let mut set = SortedSet::new();
        set.extend(items);
        set
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> SortedMap<K, V> {
        entries.into_iter().collect()
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for SortedSet<K> {
    fn from(items: [K; N]) -> SortedSet<K> {
        items.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, K> IntoIterator for &'a SortedSet<K> {
    type Item = &'a K;
    type IntoIter = std::slice::Iter<'a, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

/// Panics where there is no such key.
impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key of the map")
    }
}

/// Sorts; equal items keep their order.
pub fn sort<T: Ord>(items: &mut Vec<T>) {
    sort_by(items, &mut Ord::cmp);
}

pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, mut key: impl FnMut(&T) -> K) {
    sort_by(items, &mut |a, b| key(a).cmp(&key(b)));
}

pub fn sort_by<T>(items: &mut Vec<T>, compare: &mut dyn FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = Vec::with_capacity(items.len());
    for next in 0..items.len() {
        // Behind all that are not larger.
        let mut place = |k: usize| match compare(&items[order[k]], &items[next]) {
            Ordering::Greater => Ordering::Greater,
            _ => Ordering::Less,
        };
        let (Ok(at) | Err(at)) = find(order.len(), &mut place);
        order.insert(at, next);
    }
    let mut old: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|k| old[k].take()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Numbers that look random and are always the same.
    fn noise(count: usize, below: u64) -> Vec<u64> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn maps_do_what_those_of_the_standard_library_do() {
        let (mut ours, mut theirs) = (SortedMap::new(), BTreeMap::new());
        for (k, key) in noise(2000, 97).into_iter().enumerate() {
            match k % 5 {
                0 => assert_eq!(ours.remove(&key), theirs.remove(&key)),
                1 => {
                    *ours.or_default(key) += k;
                    *theirs.entry(key).or_default() += k;
                }
                2 => assert_eq!(ours.or_insert(key, k), theirs.entry(key).or_insert(k)),
                _ => assert_eq!(ours.insert(key, k), theirs.insert(key, k)),
            }
            assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
            assert_eq!(ours.get(&(key + 1)), theirs.get(&(key + 1)));
            assert_eq!(ours.contains_key(&key), theirs.contains_key(&key));
            assert!(ours.iter().eq(theirs.iter()) && ours.keys().rev().eq(theirs.keys().rev()));
        }
        ours.retain(|key, _| key % 3 == 0);
        theirs.retain(|key, _| key % 3 == 0);
        ours.values_mut().zip(theirs.values_mut()).for_each(|(a, b)| (*a, *b) = (*a + 1, *b + 1));
        assert!(ours.clone().into_values().eq(theirs.clone().into_values()) && ours.into_iter().eq(theirs));
    }

    #[test]
    fn sets_do_what_those_of_the_standard_library_do() {
        let (mut ours, mut theirs) = (SortedSet::new(), BTreeSet::new());
        for (k, item) in noise(2000, 61).into_iter().enumerate() {
            match k % 3 {
                0 => assert_eq!(ours.remove(&item), theirs.remove(&item)),
                _ => assert_eq!(ours.insert(item), theirs.insert(item)),
            }
            assert!(ours.iter().eq(theirs.iter()) && ours.contains(&item) == theirs.contains(&item));
        }
        let other = noise(40, 61);
        let (a, b): (SortedSet<u64>, BTreeSet<u64>) = (other.iter().copied().collect(), other.into_iter().collect());
        assert!(ours.difference(&a).eq(theirs.difference(&b)));
        assert_eq!(ours.is_disjoint(&a), theirs.is_disjoint(&b));
        assert!(a.is_subset(&a) && !a.is_subset(&SortedSet::new()) && SortedSet::new().is_disjoint(&a));
    }

    #[test]
    fn sorting_keeps_the_order_of_equal_items() {
        for count in [0, 1, 2, 3, 100, 1000] {
            let mut ours: Vec<(u64, usize)> = noise(count, 17).into_iter().zip(0..).collect();
            let mut theirs = ours.clone();
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
            sort_by_key(&mut ours, |item| std::cmp::Reverse(item.1));
            theirs.sort_by_key(|item| std::cmp::Reverse(item.1));
            assert_eq!(ours, theirs);
            sort(&mut ours);
            theirs.sort();
            assert_eq!(ours, theirs);
        }
    }
}
