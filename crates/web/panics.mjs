// Takes the sentences of panics and their places in the sources out of a module. A module has no standard error to print them to: a panic
// traps with and without them.
import binaryen from "binaryen";
import { readFileSync, writeFileSync } from "node:fs";

/** Functions of the standard library that only panic. */
const PANICS = [
  /^(core::panicking|std::panicking)::/, /^core::(option|result)::(unwrap|expect)_failed/, /^core::slice::index::slice_index_fail/,
  /^core::cell::panic_/, /^core::str::slice_error_fail/, /::(assert_failed|len_mismatch_fail|panic_on_ord_violation)\b/,
  /^alloc::raw_vec::(handle_error|capacity_overflow)/, /^alloc::alloc::handle_alloc_error/, /^std::alloc::rust_oom/,
  /^<hashbrown::raw::Fallibility>::/, /^__rustc::(rust_panic|__rust_start_panic)/,
];

/** Functions that make text of values. */
const FORMATS = [/\bcore::fmt::/, /\bcore::num::flt2dec::/];

/** Numbers of crates in names: core[c5930c85a12de822]::panicking. */
const CRATE_NUMBER = /\[[0-9a-f]{16}\]/g;

/**
 * Replaces the functions that only panic by traps; `wasm-opt` then removes what only they call. The other parts of `keep` stay:
 * with "texts", errors can be formatted.
 */
export function removePanics(from, to, features, keep) {
  const patterns = keep === "texts" ? PANICS : [...PANICS, ...FORMATS];
  const module = binaryen.readBinary(readFileSync(from));
  module.setFeatures(features.map((feature) => binaryen.Features[feature]).reduce((all, feature) => all | feature));
  let removed = 0;
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const reference = module.getFunctionByIndex(index);
    const { name, base } = binaryen.getFunctionInfo(reference);
    const plain = name.replace(CRATE_NUMBER, "");
    if (base || !patterns.some((pattern) => pattern.test(plain))) continue;
    binaryen.Function(reference).body = module.unreachable();
    removed++;
  }
  // Without names in the module, or with new ones in the standard library, none is found.
  if (removed < 10) throw new Error(`only ${removed} functions of panics found in ${from}`);
  const bytes = Buffer.from(module.emitBinary());
  forgetPlaces(module, bytes);
  writeFileSync(to, bytes);
  module.dispose();
}

/** Bytes of a place in a source: address and length of the file's name, line and column. */
const PLACE_SIZE = 16;

/** More than the lines of any source, or the columns of a line. */
const MOST_LINES = 1 << 16;

/**
 * Zeroes the places in the data of a module, and the names of the files. Only functions that are gone read them. Else they are a fiftieth of
 * the core, and name folders of the machine that builds it.
 */
function forgetPlaces(module, bytes) {
  for (let index = 0; index < module.getNumDataSegments(); index++) {
    const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(index));
    const segment = Buffer.from(data);
    const start = bytes.indexOf(segment);
    const names = new Map();
    for (let place = 0; place + PLACE_SIZE <= segment.length; place += 4) {
      const [target, length, line, column] = [0, 4, 8, 12].map((byte) => segment.readUInt32LE(place + byte));
      const address = target - offset;
      if (address < 0 || address + length > segment.length || ![line, column].every((number) => number > 0 && number < MOST_LINES)) continue;
      if (!/^[^\0]+\.rs$/.test(segment.toString("latin1", address, address + length))) continue;
      bytes.fill(0, start + place, start + place + PLACE_SIZE);
      names.set(address, length);
    }
    for (const [address, length] of names) bytes.fill(0, start + address, start + address + length);
  }
}
