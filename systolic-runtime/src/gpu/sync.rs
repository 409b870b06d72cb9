//! Locks that outlive a panic: what they guard is whole between any two lines.
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a lock guards.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
