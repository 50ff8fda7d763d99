// Builds the npm package into dist/package and the page with its games, which use the package, into dist/page: node build.mjs [package] [page].
// `node build.mjs wrap` only renews the JavaScript around modules that are built.
//
// Needs Rust with the target wasm32-unknown-unknown, and the packages of package.json for wasm-opt.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
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
  write(join(folder, `${name}.js`), readFileSync(join(raw, `${name}.js`), "utf8"));
  return readFileSync(join(raw, `${name}.d.ts`), "utf8");
}

/** Writes JavaScript without its comments, which the types have as well. */
function write(file, code) {
  const { code: small } = transformSync(code, { minifyWhitespace: true, minifySyntax: true, target: "es2022" });
  writeFileSync(file, small);
}

/** Bytes of files after gzip. */
function compressed(folder, files) {
  const size = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
  return files.map(size).reduce((sum, bytes) => sum + bytes, 0);
}

/** Writes the entries of a module and their types. `types` are those of its glue. */
function writeEntries(name, types, dist) {
  const template = (file) => readFileSync(join(here, "npm", file), "utf8").replaceAll("NAME", name);
  const classes = [...types.matchAll(/^export class (\w+)/gm)].map(([, name]) => name).join(", ");
  const parts = name === "full" ? 'export { Rollback } from "./rollback.js";\n' : "";
  for (const entry of ["classes", "web", "node", "inline"]) {
    const more = entry === "classes" ? "" : parts;
    write(join(dist, `${name}.${entry}.js`), template(`${entry}.mjs`).replaceAll("CLASSES", classes) + more);
  }
  const bytes = readFileSync(join(dist, `${name}_bg.wasm`)).toString("base64");
  writeFileSync(join(dist, `${name}.bytes.js`), `export default "${bytes}";\n`);
  // The types of the glue end with its loader, which is not part of the interface. `Symbol.dispose` needs a library.
  const interfaces = types.slice(0, types.indexOf("export type InitInput"));
  const loader = "/** Loads the module from bytes, or compiled, without waiting; with `cairn2d/inline` also without a source. */\n" +
    "export function initSync(source?: BufferSource | WebAssembly.Module): void;\n";
  writeFileSync(join(dist, `${name}.classes.d.ts`), `/// <reference lib="esnext.disposable" />\n${interfaces}${loader}`);
  writeFileSync(join(dist, `${name}.d.ts`), template("entry.d.ts") + parts);
}

function buildPackage() {
  const dist = join(here, "dist/package");
  rmSync(dist, { recursive: true, force: true });
  const types = {
    core: build("cairn2d-web", ["--profile", "small", ...CORE_FLAGS], "core", dist),
    full: build("cairn2d-web", ["--profile", "release", "--features", "full"], "full", dist),
  };
  writePackage(types, dist);
}

/** Writes everything beside the modules and their glue. */
function writePackage(types, dist) {
  for (const file of ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "rollback.d.ts", "wasm.d.ts"]) {
    const from = [join(here, "npm", file), join(here, file), join(here, "../..", file)].find(existsSync);
    cpSync(from, join(dist, file));
  }
  for (const file of ["guard", "rollback"]) write(join(dist, `${file}.js`), readFileSync(join(here, `npm/${file}.mjs`), "utf8"));
  const shared = { core: ["guard.js"], full: ["guard.js", "rollback.js"] };
  for (const name of ["core", "full"]) {
    writeEntries(name, types[name], dist);
    const bytes = compressed(dist, [`${name}_bg.wasm`, `${name}.js`, `${name}.classes.js`, `${name}.web.js`, ...shared[name]]);
    console.log(`size ${name}: ${(bytes / 1000).toFixed(1)} kB with glue, gzip`);
  }
}

function buildPage() {
  const dist = join(here, "dist/page");
  rmSync(dist, { recursive: true, force: true });
  build("cairn2d-page", ["--profile", "release"], "scenes", dist);
  for (const file of readdirSync(join(here, "page/static"))) {
    cpSync(join(here, "page/static", file), join(dist, file));
  }
  // The games use the package alone, as a program of its users does.
  cpSync(join(here, "page/games"), join(dist, "games"), { recursive: true });
  cpSync(join(here, "dist/package"), join(dist, "games/cairn2d"), { recursive: true, filter: (file) => !/core|inline|bytes|\.d\.ts$|\.md$/.test(basename(file)) });
}

/** Writes the package again around modules that are built, after a change of JavaScript only. */
function wrapPackage() {
  const types = (name) => readFileSync(join(here, "target/glue", name, `${name}.d.ts`), "utf8");
  writePackage({ core: types("core"), full: types("full") }, join(here, "dist/package"));
}

const parts = process.argv.slice(2);
if (parts.includes("wrap")) wrapPackage();
if (parts.length === 0 || parts.includes("package")) buildPackage();
if (parts.length === 0 || parts.includes("page")) buildPage();
