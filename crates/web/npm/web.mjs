// The module NAME where there is `fetch`: in browsers, workers and deno.
import { load } from "./NAME.classes.js";

export { CLASSES, initSync } from "./NAME.classes.js";

// Bundlers that know this form copy the file and write its new address here.
export default (source = new URL("./NAME_bg.wasm", import.meta.url)) => load(source);
