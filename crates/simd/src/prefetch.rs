//! Prefetching of records that are looked up in no order.

/// Bytes that come from memory together: a cache line.
pub const LINE: usize = 64;

/// Prefetches the cache lines of `record`, up to `LINES` of them.
///
/// A hint: it changes nothing but time, and does nothing where there is no instruction for it.
#[inline(always)]
pub fn prefetch<const LINES: usize, T>(record: *const T) {
    prefetch_start(record, size_of::<T>().min(LINES * LINE));
}

/// Prefetches the cache lines of the first `bytes` of `record`, which need not exist.
#[inline(always)]
pub fn prefetch_start<T>(record: *const T, bytes: usize) {
    for line in 0..bytes.div_ceil(LINE) {
        let address = record.cast::<i8>().wrapping_add(line * LINE);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: part of the baseline instruction set; any address will do.
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(address);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = address;
    }
}
