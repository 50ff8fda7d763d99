export * from "./NAME.js";
export { initSync } from "./NAME.js";

/** Loads the module from bytes, a URL, a Response or a compiled module; from its own folder without one. */
export default function init(
  source?: BufferSource | URL | string | Request | Response | WebAssembly.Module | Promise<Response>,
): Promise<unknown>;
