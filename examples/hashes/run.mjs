// Runs the module of wasm.rs: node run.mjs MODULE [--steps N] [SCENE...], or node run.mjs MODULE continue FOLDER.
import { readFileSync } from "node:fs";

const [module, ...words] = process.argv.slice(2);
// Without imports: a module that imports a clock, a thread or a random number does not start.
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const wasm = instance.exports;
const text = (length) => Buffer.from(wasm.memory.buffer, wasm.bytes(), length).toString();

if (words[0] === "continue") {
  for (const name of words.slice(2)) {
    const save = readFileSync(`${words[1]}/${name}.save`);
    wasm.reserve(save.length);
    new Uint8Array(wasm.memory.buffer, wasm.bytes(), save.length).set(save);
    console.log(`${name} ${text(wasm.continue_save())}`);
  }
} else {
  const at = words.indexOf("--steps");
  const most = at < 0 ? 0xffffffff : Number(words.splice(at, 2)[1]);
  for (let index = 0; index < wasm.scene_count(); index++) {
    const row = () => text(wasm.row(index, most));
    // A row of no steps costs little and has the name.
    if (words.length === 0 || words.includes(text(wasm.row(index, 0)).split(" ")[0])) console.log(row());
  }
}
