// The packed package in small projects of vite, webpack, rollup and esbuild, run in node and in Chromium; its types; its content.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import nodeResolve from "@rollup/plugin-node-resolve";
import esbuild from "esbuild";
import { chromium } from "playwright-core";
import { publint } from "publint";
import { rollup } from "rollup";
import { build as viteBuild, createServer as viteServer } from "vite";
import webpack from "webpack";

const here = fileURLToPath(new URL(".", import.meta.url));
const dist = join(here, "../dist/package");
const bin = (name) => join(here, "../node_modules/.bin", name);
const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const folder = mkdtempSync(join(tmpdir(), "cairn2d-bundles-"));
let browser, archive, expected;

/** Runs a program of node in the folder, and returns what it printed. */
const printed = (...words) => execFileSync(words[0], words.slice(1), { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

before(async () => {
  const [{ filename, files }] = JSON.parse(printed("npm", "pack", "--json", dist, "--pack-destination", folder));
  archive = { path: join(folder, filename), files: files.map(({ path }) => path).sort() };
  mkdirSync(join(folder, "node_modules/cairn2d"), { recursive: true });
  execFileSync("tar", ["xzf", archive.path, "-C", join(folder, "node_modules/cairn2d"), "--strip-components=1"]);
  cpSync(join(here, "bundle"), join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", private: true, type: "module" }));
  expected = printed("node", source("plain.js", "cairn2d"));
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a program that imports the package by a name, and returns its path. `load` is the argument of `init`. */
function source(file, name, { head = "", load = "" } = {}) {
  const path = join(folder, "src", file);
  writeFileSync(path, `${head}import init, * as cairn2d from "${name}";\nimport { fall, tell } from "./program.js";\nawait init(${load});\ntell(fall(cairn2d));\n`);
  return path;
}

/** Writes a program whose worker uses the package. */
function workerSource(name) {
  const worker = `import init, * as cairn2d from "${name}";\nimport { fall } from "./program.js";\nawait init();\npostMessage(fall(cairn2d));\n`;
  writeFileSync(join(folder, "src/worker.js"), worker);
  const path = join(folder, "src/main-of-worker.js");
  writeFileSync(path, `import { tell } from "./program.js";\nconst worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });\nworker.onmessage = ({ data }) => tell(data);\n`);
  return path;
}

const page = (script) => `<!doctype html><link rel=icon href=data:,><script type=module src="${script}"></script>`;

/** Opens an address in Chromium, and compares the answer of its program. */
async function assertPage(address) {
  const opened = await browser.newPage();
  const problems = [];
  opened.on("pageerror", (error) => problems.push(String(error)));
  opened.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  try {
    await opened.goto(address);
    const answered = opened.waitForFunction(() => globalThis.answer, null, { timeout: 30_000 });
    const answer = await answered.then((handle) => handle.jsonValue(), () => `no answer: ${problems.join("; ")}`);
    assert.equal(answer, expected);
    assert.deepEqual(problems, []);
  } finally {
    await opened.close();
  }
}

/** Serves a folder, and compares the answer of its page. */
async function assertFolder(out, script) {
  const root = join(folder, out);
  if (script) writeFileSync(join(root, "index.html"), page(script));
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://host").pathname.slice(1) || "index.html";
    try {
      const content = readFileSync(join(root, name));
      response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  await assertPage(`http://127.0.0.1:${server.address().port}/`).finally(() => server.close());
}

const assertNode = (file) => assert.equal(printed("node", join(folder, file)), expected);

/** Bundles with esbuild. */
const esbuilt = (entry, out, options) =>
  esbuild.build({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", outfile: join(folder, out), logLevel: "error", ...options });

/** Bundles with webpack. */
async function webpacked(entry, out, options) {
  const output = { path: join(folder, out), filename: "main.mjs", module: true, chunkFormat: "module" };
  const config = { mode: "production", context: folder, entry, output, experiments: { outputModule: true }, optimization: { minimize: false }, performance: { hints: false }, ...options };
  const stats = await new Promise((done, fail) => webpack(config, (error, stats) => (error ? fail(error) : done(stats))));
  assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString());
}

/** Builds a page with vite. */
async function vited(entry, out) {
  writeFileSync(join(folder, "index.html"), page(`/src/${entry.split("/").at(-1)}`));
  const build = { outDir: out, target: "esnext", minify: false, emptyOutDir: true };
  await viteBuild({ root: folder, configFile: false, logLevel: "error", build, worker: { format: "es" } });
}

test("vite builds the package, and the worker that uses it", async () => {
  await vited(source("a.js", "cairn2d"), "vite");
  await assertFolder("vite");
  await vited(workerSource("cairn2d/core"), "vite-worker");
  await assertFolder("vite-worker");
});

test("vite builds with ?url, and inline", async () => {
  await vited(source("b.js", "cairn2d", { head: 'import url from "cairn2d/full.wasm?url";\n', load: "url" }), "vite-url");
  await assertFolder("vite-url");
  await vited(source("c.js", "cairn2d/inline"), "vite-inline");
  await assertFolder("vite-inline");
});

test("vite serves while developing", async () => {
  writeFileSync(join(folder, "index.html"), page(`/src/${source("d.js", "cairn2d").split("/").at(-1)}`));
  const server = await viteServer({ root: folder, configFile: false, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
  await assertPage(server.resolvedUrls.local[0]).finally(() => server.close());
});

test("webpack builds for pages, workers and node", async () => {
  await webpacked(source("e.js", "cairn2d"), "webpack");
  await assertFolder("webpack", "main.mjs");
  await webpacked(workerSource("cairn2d"), "webpack-worker");
  await assertFolder("webpack-worker", "main.mjs");
  await webpacked(source("f.js", "cairn2d/inline"), "webpack-node", { target: "node20" });
  assertNode("webpack-node/main.mjs");
});

test("esbuild builds for pages and node", async () => {
  await esbuilt(source("g.js", "cairn2d/inline"), "esbuild/main.js");
  await assertFolder("esbuild", "main.js");
  await esbuilt(source("h.js", "cairn2d/core/inline"), "esbuild-node/main.mjs", { platform: "node" });
  const core = printed("node", join(folder, "esbuild-node/main.mjs"));
  assert.equal(core, expected);
  // The file of the module as a file that esbuild copies.
  const loaded = source("i.js", "cairn2d", { head: 'import path from "cairn2d/full.wasm";\n', load: "new URL(path, import.meta.url)" });
  await esbuilt(loaded, "esbuild-file/main.js", { loader: { ".wasm": "file" } });
  await assertFolder("esbuild-file", "main.js");
  // Or copied by hand beside the bundle.
  await esbuilt(source("j.js", "cairn2d"), "esbuild-copy/main.js");
  cpSync(join(dist, "full_bg.wasm"), join(folder, "esbuild-copy/full_bg.wasm"));
  await assertFolder("esbuild-copy", "main.js");
});

test("rollup builds for pages and node", async () => {
  for (const [name, plugin] of [["rollup", nodeResolve({ browser: true })], ["rollup-node", nodeResolve({ exportConditions: ["node"] })]]) {
    const bundle = await rollup({ input: source(`${name}.js`, "cairn2d/inline"), plugins: [plugin], onwarn: (warning) => assert.fail(warning.message) });
    await bundle.write({ file: join(folder, name, "main.mjs"), format: "es" });
  }
  await assertFolder("rollup", "main.mjs");
  assertNode("rollup-node/main.mjs");
});

test("entries of pages import nothing of node", () => {
  for (const name of ["full", "core"]) {
    for (const kind of ["web", "inline", "classes"]) {
      const code = readFileSync(join(dist, `${name}.${kind}.js`), "utf8");
      assert.doesNotMatch(code, /node:|require\(|process/, `${name}.${kind}.js`);
    }
  }
});

test("the types compile in strict projects", () => {
  cpSync(join(here, "types.ts"), join(folder, "types.ts"));
  for (const module of ["nodenext", "esnext"]) {
    const moduleResolution = module === "nodenext" ? "nodenext" : "bundler";
    const compilerOptions = { module, moduleResolution, target: "es2022", lib: ["es2022", "dom"], strict: true, noEmit: true, types: [], skipLibCheck: false };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    printed(bin("tsc"), "-p", folder);
  }
});

test("publint and attw find nothing", async () => {
  const { messages } = await publint({ pkgDir: join(folder, "node_modules/cairn2d"), pack: false, strict: true });
  assert.deepEqual(messages, []);
  printed(bin("attw"), archive.path, "--profile", "esm-only", "--no-emoji", "--format", "ascii");
});

test("the archive holds the package and nothing else", () => {
  const parts = (name) => ["js", "classes.js", "classes.d.ts", "web.js", "node.js", "inline.js", "bytes.js", "d.ts"].map((end) => `${name}.${end}`).concat(`${name}_bg.wasm`);
  const all = [...parts("core"), ...parts("full"), "guard.js", "rollback.js", "rollback.d.ts", "wasm.d.ts", "package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];
  assert.deepEqual(archive.files, all.sort());
  const { version } = JSON.parse(readFileSync(join(dist, "package.json"), "utf8"));
  const crate = readFileSync(join(here, "../../../Cargo.toml"), "utf8").match(/^version = "(.*)"$/m)[1];
  assert.equal(version, crate);
  assert.deepEqual(readdirSync(dist).sort(), all.sort());
});
