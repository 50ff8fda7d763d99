//! `base.h`: hooks of the program, the version, timers, and a hash.

use crate::abi::{In, Out, log, logged, set_assert, set_log};
use crate::types::*;
use core::ffi::{c_char, c_int};
use std::sync::LazyLock;
use std::time::Instant;

/// Start of the ticks, which are nanoseconds.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn ticks() -> u64 {
    START.elapsed().as_nanos() as u64
}

fn milliseconds(since: u64) -> f32 {
    (ticks().saturating_sub(since) as f64 * 1.0e-6) as f32
}

c_functions! {
    /// Accepted, and not used: the engine allocates with Rust's allocator.
    fn b2SetAllocator(_alloc: b2AllocFcn, _free: b2FreeFcn) {}

    /// Bytes are not counted.
    fn b2GetByteCount() -> i64 { 0 }

    fn b2SetAssertFcn(function: b2AssertFcn) { set_assert(function) }

    fn b2SetLogFcn(function: b2LogFcn) { set_log(function) }

    fn b2GetVersion() -> b2Version {
        b2Version { major: 3, minor: 2, revision: 0 }
    }

    fn b2IsDoublePrecision() -> bool { false }

    /// The program ends unless the assert function returns 0.
    fn b2InternalAssert(condition: In<c_char>, file: In<c_char>, line: c_int) -> c_int {
        if logged(condition.string(), file.string(), line) != 0 {
            std::process::abort();
        }
        0
    }

    fn b2GetTicks() -> u64 { ticks() }

    fn b2GetMilliseconds(since: u64) -> f32 { milliseconds(since) }

    fn b2GetMillisecondsAndReset(since: Out<u64>) -> f32 {
        let passed = milliseconds(since.get()?);
        since.set(ticks());
        passed
    }

    fn b2Yield() { std::thread::yield_now() }

    /// Hash of Bernstein, with xor.
    fn b2Hash(hash: u32, data: In<u8>, count: c_int) -> u32 {
        let bytes = data.slice(count)?;
        bytes.iter().fold(hash, |hash, &byte| (hash << 5).wrapping_add(hash).wrapping_add(byte.into()))
    }

    fn b2World_DumpMemoryStats(_world: b2WorldId) {
        log("memory is not counted");
    }
}
