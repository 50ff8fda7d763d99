export * from "./NAME.classes.js";

/**
 * Loads the module, from its own folder or from bytes, a URL, a Response or a compiled module. Once is enough: later calls wait for the
 * first one.
 */
export default function init(
  source?: BufferSource | URL | string | Request | Response | WebAssembly.Module | Promise<BufferSource | Response | WebAssembly.Module>,
): Promise<void>;
