// The module NAME where there are files: in node and bun.
import { readFile } from "node:fs/promises";
import { load } from "./NAME.classes.js";

export { CLASSES, initSync } from "./NAME.classes.js";

export default (source = new URL("./NAME_bg.wasm", import.meta.url)) =>
  load(source instanceof URL && source.protocol === "file:" ? readFile(source) : source);
