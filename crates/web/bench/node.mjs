// Prints microseconds a step in node and in Chromium, as a table: node bench/node.mjs
import { readFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { COUNTS, measure } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const paths = {
  full: "dist/package/full.web.js",
  "full.wasm": "dist/package/full_bg.wasm",
  core: "dist/package/core.web.js",
  "core.wasm": "dist/package/core_bg.wasm",
  planck: "node_modules/planck/dist/planck.mjs",
  rapier: "node_modules/@dimforge/rapier2d-compat/dist/rapier.mjs",
  box2d: "node_modules/box2d3-wasm/build/dist/es/compat/Box2D.compat.mjs",
};

const inNode = (name) => (name.endsWith(".wasm") ? readFile(join(root, paths[name])) : import(join(root, paths[name])));

async function inChromium() {
  const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
  // Isolated pages have the finer clock. No engine that is compared makes use of threads.
  const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    if (path === "/") return response.writeHead(200, { "content-type": "text/html", ...isolated }).end("<link rel=icon href=data:,>");
    try {
      response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain", ...isolated }).end(readFileSync(join(root, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(async (paths) => {
      const { measure } = await import("/bench/measure.mjs");
      return measure((name) => (name.endsWith(".wasm") ? new URL(`/${paths[name]}`, location.href) : import(`/${paths[name]}`)));
    }, paths);
  } finally {
    await browser.close();
    server.close();
  }
}

function print(title, table) {
  console.log(`\n${title}\n| engine | ${COUNTS.join(" | ")} |\n|---|${"---:|".repeat(COUNTS.length)}`);
  for (const [name, times] of Object.entries(table)) console.log(`| ${name} | ${times.map((time) => time.toFixed(time < 100 ? 1 : 0)).join(" | ")} |`);
}

print(`node ${process.versions.node}, us a step`, await measure(inNode));
print("Chromium, us a step", await inChromium());
