// The module NAME with its bytes in it: for bundlers that copy no files, and pages without a server.
import { initSync as start, load } from "./NAME.classes.js";
import text from "./NAME.bytes.js";

export { CLASSES } from "./NAME.classes.js";

const bytes = () => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export default (source = bytes()) => load(source);
export const initSync = (source = bytes()) => start(source);
