// The module NAME: call `init` once, then use the classes.
import start, { initSync } from "./NAME.js";

export * from "./NAME.js";

const inNode = typeof process === "object" && !!process.versions?.node;

/** Loads the module from bytes, a URL, a Response or a compiled module; from its own folder without one. */
export default async function init(source) {
  if (source === undefined && inNode) {
    const { readFile } = await import("node:fs/promises");
    source = await readFile(new URL("./NAME_bg.wasm", import.meta.url));
  }
  return start(source === undefined ? undefined : { module_or_path: source });
}

export { initSync };
