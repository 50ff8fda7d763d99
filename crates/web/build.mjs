// Builds the npm package into dist/package and the page into dist/page: node build.mjs [package] [page].
//
// Needs Rust with the target wasm32-unknown-unknown, and the packages of package.json for wasm-opt.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { removePanics } from "./panics.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = "wasm32-unknown-unknown";
/** Of WebAssembly, in all current browsers: names of `wasm-opt` and of binaryen. */
const FEATURES = {
  simd: "SIMD128", "bulk-memory": "BulkMemory", "nontrapping-float-to-int": "NontrappingFPToInt", "sign-ext": "SignExt",
  "mutable-globals": "MutableGlobals", "reference-types": "ReferenceTypes", multivalue: "Multivalue",
};
/**
 * The core is optimized for size, but functions of up to 60 units are inlined, of LLVM's 5: a step takes half the time, for 37 kB.
 * With 40 units, small worlds step no faster than in box2d3-wasm.
 */
const CORE_FLAGS = ["--config", `target.${target}.rustflags=["-Cllvm-args=-inline-threshold=60"]`];
const run = (program, ...words) => execFileSync(program, words, { cwd: here, stdio: "inherit" });

/** Builds a crate, and writes its glue and its small module as NAME.js, NAME_bg.wasm and NAME.d.ts into a folder. */
function build(crate, words, name, folder) {
  run("cargo", "build", "--locked", "--target", target, "-p", crate, ...words);
  const raw = join(here, "target/glue", name);
  mkdirSync(raw, { recursive: true });
  const profile = words[words.indexOf("--profile") + 1];
  const module = join(here, "target", target, profile, `${crate.replaceAll("-", "_")}.wasm`);
  run("cargo", "run", "--locked", "--quiet", "-p", "glue", "--", module, name, raw);
  const wasm = `${name}_bg.wasm`;
  removePanics(join(raw, wasm), join(raw, "trapping.wasm"), Object.values(FEATURES), name === "core" ? "nothing" : "texts");
  const level = profile === "small" ? "-Oz" : "-O3";
  const options = Object.keys(FEATURES).map((feature) => `--enable-${feature}`);
  mkdirSync(folder, { recursive: true });
  const optimizer = join(here, "node_modules/binaryen/bin/wasm-opt");
  // The first kilobyte is the end of the stack, where no address is in use.
  const steps = [level, "--low-memory-unused", "--strip-debug", "--strip-producers"];
  run("node", optimizer, ...steps, ...options, join(raw, "trapping.wasm"), "-o", join(folder, wasm));
  cpSync(join(raw, `${name}.d.ts`), join(folder, `${name}.d.ts`));
  writeWithoutComments(join(raw, `${name}.js`), folder);
}

/** Writes a file of JavaScript without its comments, which the types have as well. */
function writeWithoutComments(file, folder) {
  const compiler = join(here, "node_modules/typescript/bin/tsc");
  const options = ["--allowJs", "--noCheck", "--removeComments", "--target", "es2022", "--module", "es2022"];
  run("node", compiler, ...options, "--outDir", folder, file);
}

/** Bytes of files after gzip. */
function compressed(folder, files) {
  const size = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
  return files.map(size).reduce((sum, bytes) => sum + bytes, 0);
}

function buildPackage() {
  const dist = join(here, "dist/package");
  rmSync(dist, { recursive: true, force: true });
  build("cairn2d-web", ["--profile", "small", ...CORE_FLAGS], "core", dist);
  build("cairn2d-web", ["--profile", "release", "--features", "full"], "full", dist);
  for (const file of ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
    const from = [join(here, "npm", file), join(here, file), join(here, "../..", file)].find(existsSync);
    cpSync(from, join(dist, file));
  }
  for (const name of ["core", "full"]) {
    // The entry of node reads the module from its own folder; browsers fetch it.
    const entry = readFileSync(join(here, "npm/entry.mjs"), "utf8").replaceAll("NAME", name);
    writeFileSync(join(dist, `${name}.entry.js`), entry);
    writeFileSync(join(dist, `${name}.entry.d.ts`), readFileSync(join(here, "npm/entry.d.ts"), "utf8").replaceAll("NAME", name));
    const bytes = compressed(dist, [`${name}_bg.wasm`, `${name}.js`, `${name}.entry.js`]);
    console.log(`size ${name}: ${(bytes / 1000).toFixed(1)} kB with glue, gzip`);
  }
}

function buildPage() {
  const dist = join(here, "dist/page");
  rmSync(dist, { recursive: true, force: true });
  build("cairn2d-page", ["--profile", "release"], "scenes", dist);
  for (const file of ["index.html", "style.css", "app.js", "canvas.js", "pointer.js"]) {
    cpSync(join(here, "page/static", file), join(dist, file));
  }
}

const parts = process.argv.slice(2);
if (parts.length === 0 || parts.includes("package")) buildPackage();
if (parts.length === 0 || parts.includes("page")) buildPage();
