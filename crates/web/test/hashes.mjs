// Writes the states of all scenes after at most 100 steps of the native engine to target/hashes.txt, for the tests of the page.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
execFileSync("cargo", ["programs", "--quiet"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
const lines = execFileSync(`${root}target/release/hashes`, ["--steps", "100"], { stdio: ["ignore", "pipe", "inherit"] });
const folder = fileURLToPath(new URL("../target", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/hashes.txt`, lines);
