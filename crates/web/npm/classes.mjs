// The classes of the module NAME, and its loading.
import start, * as module from "./NAME.js";
import { guard } from "./guard.js";

let ready = false;
let loading;

const { CLASSES } = guard(module, () => ready);
export { CLASSES };

/** Loads the module from bytes, a URL, a Response or a compiled module, once: later calls wait for the first. */
export function load(source) {
  if (ready) return Promise.resolve();
  loading ??= open(source);
  return loading;
}

async function open(source) {
  try {
    await start({ module_or_path: await source });
    ready = true;
  } catch (cause) {
    // The next call may have a better source.
    loading = undefined;
    const hint = 'a bundler may have left the file NAME_bg.wasm behind: import "cairn2d/inline", or pass `init` its URL or bytes';
    const error = new Error(`the module of cairn2d could not be loaded (${cause?.message ?? cause}); ${hint}`, { cause });
    error.name = "CairnError";
    throw error;
  }
}

/** Loads the module from its bytes, or compiled, without waiting. */
export function initSync(source) {
  if (ready) return;
  module.initSync({ module: source });
  ready = true;
}
