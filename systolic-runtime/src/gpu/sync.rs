//! Locks that ignore poisoning: the data that they guard is consistent even if a panic interrupts its user.
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even if it is poisoned.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
