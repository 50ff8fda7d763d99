// The page: a scene or a recording that runs in the canvas.
import init, { Play, layers, scenes } from "./scenes.js";
import { paint } from "./canvas.js";
import { listen } from "./pointer.js";

/** Length of a step [s]. */
const STEP = 1 / 60;

/** Most steps of a frame: a tab that was hidden does not catch up. */
const MOST_STEPS = 3;

/** Share of the canvas that the frame of a scene takes. */
const MARGIN = 0.86;

/** Weight of the last frame in the mean time of a step. */
const SMOOTHING = 0.05;

const element = (id) => document.getElementById(id);
const canvas = element("canvas");
const context = canvas.getContext("2d");
const view = { x: 0, y: 0, scale: 40 };
const list = [];
let play = null;
let scene = "";
let bytes = null;
let running = true;
let shown = 0;
let owed = 0;
let last = 0;
let stepTime = 0;
let painted = 0;

function report(error) {
  const box = element("error");
  box.hidden = !error;
  box.textContent = error ? String(error.message ?? error) : "";
}

function size() {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [width, height];
}

function fit() {
  const [x, y, halfWidth, halfHeight] = play.frame();
  const [width, height] = size();
  Object.assign(view, { x, y, scale: (MARGIN / 2) * Math.min(width / halfWidth, height / halfHeight) });
}

const toWorld = (px, py) => [
  view.x + (px - canvas.clientWidth / 2) / view.scale,
  view.y - (py - canvas.clientHeight / 2) / view.scale,
];

/** Starts a scene, or the opened recording, from its beginning. */
function start() {
  try {
    const next = bytes ? Play.recording(bytes) : Play.scene(scene);
    play?.free();
    play = next;
    report(null);
  } catch (error) {
    report(error);
    return;
  }
  owed = 0;
  stepTime = 0;
  const entry = list.find(({ name }) => name === scene);
  element("about").textContent = bytes ? "A recording." : entry.about;
  document.title = `${bytes ? "Recording" : entry.title}, cairn2d`;
}

/** Opens the scene of a name. */
function open(name) {
  bytes = null;
  scene = name;
  element("scene").value = name;
  if (location.hash !== `#scene=${name}`) history.replaceState(null, "", `#scene=${name}`);
  start();
  fit();
}

async function openRecording(file) {
  bytes = new Uint8Array(await file.arrayBuffer());
  start();
  fit();
}

function step() {
  const begin = performance.now();
  let goesOn = false;
  try {
    goesOn = play.step();
  } catch (error) {
    report(error);
  }
  const time = performance.now() - begin;
  stepTime = stepTime === 0 ? time : stepTime + SMOOTHING * (time - stepTime);
  if (!goesOn) setRunning(false);
}

function setRunning(value) {
  running = value;
  element("play").textContent = running ? "Pause" : "Play";
}

const isDark = () => document.documentElement.dataset.theme === "dark";

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function draw() {
  const [width, height] = size();
  context.clearRect(0, 0, width, height);
  const commands = play.draw(view.x, view.y, view.scale, width, height, shown, isDark());
  painted = paint(context, commands, play.texts().split("\n"));
  const [steps, bodies, awake, contacts, joints] = play.figures();
  const count = (number, name, plural = `${name}s`) => `${number} ${number === 1 ? name : plural}`;
  const counts = [count(bodies, "body", "bodies"), `${awake} awake`, count(contacts, "contact"), count(joints, "joint")];
  const words = [`step ${steps}`, `${stepTime.toFixed(2)} ms`, ...counts];
  element("figures").textContent = words.join(" · ");
}

function frame(now) {
  if (play) {
    if (running) {
      owed = Math.min(owed + (now - last) / 1000, MOST_STEPS * STEP);
      for (; owed >= STEP && running; owed -= STEP) step();
    }
    draw();
  }
  last = now;
  requestAnimationFrame(frame);
}

/** Zooms so that the place under a pixel stays there. */
function zoom(factor, px, py) {
  const [x, y] = toWorld(px, py);
  view.scale = Math.min(Math.max(view.scale * factor, 1e-3), 1e5);
  view.x = x - (px - canvas.clientWidth / 2) / view.scale;
  view.y = y + (py - canvas.clientHeight / 2) / view.scale;
}

function fillList() {
  const groups = new Map();
  for (const line of scenes().split("\n")) {
    const [name, title, category, about] = line.split("\t");
    list.push({ name, title, about });
    if (!groups.has(category)) {
      const group = document.createElement("optgroup");
      group.label = category;
      groups.set(category, group);
      element("scene").append(group);
    }
    groups.get(category).append(new Option(title, name));
  }
}

function fillLayers() {
  for (const line of layers().split("\n")) {
    const [bit, on, title] = line.split("\t");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: on === "1" });
    if (box.checked) shown |= 1 << bit;
    box.addEventListener("change", () => (shown ^= 1 << bit));
    const label = document.createElement("label");
    label.append(box, ` ${title}`);
    element("layers").lastElementChild.append(label);
  }
}

const nameInLink = () => new URLSearchParams(location.hash.slice(1)).get("scene");

function connect() {
  const single = () => {
    setRunning(false);
    step();
  };
  const keys = { " ": () => setRunning(!running), n: single, r: start, f: fit, t: () => setTheme(!isDark()) };
  const buttons = { play: keys[" "], step: single, restart: start, view: fit, theme: keys.t };
  for (const [id, act] of Object.entries(buttons)) element(id).addEventListener("click", act);
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key.toLowerCase()];
    if (act) event.preventDefault();
    act?.();
  });
  element("scene").addEventListener("change", (event) => open(event.target.value));
  element("file").addEventListener("change", (event) => event.target.files[0] && openRecording(event.target.files[0]));
  new ResizeObserver(() => play && fit()).observe(canvas);
  window.addEventListener("hashchange", () => nameInLink() && nameInLink() !== scene && open(nameInLink()));
  listen(canvas, {
    grab: (px, py) => play.grab(...toWorld(px, py)),
    pull: (px, py) => play.pull(...toWorld(px, py)),
    release: () => play.release(),
    pan: (dx, dy) => Object.assign(view, { x: view.x - dx / view.scale, y: view.y + dy / view.scale }),
    zoom,
  });
}

await init({ module_or_path: new URL("./scenes_bg.wasm", import.meta.url) });
fillList();
fillLayers();
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
connect();
open(list.some(({ name }) => name === nameInLink()) ? nameInLink() : list[0].name);
requestAnimationFrame(frame);

// For the tests of the page.
window.testbed = {
  names: () => list.map(({ name }) => name),
  open,
  pause: () => setRunning(false),
  play: () => setRunning(true),
  steps: (count) => {
    for (let i = 0; i < count; i++) step();
  },
  hash: () => play.hash(),
  painted: () => painted,
  pixel: (x, y) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [left + (x - view.x) * view.scale + width / 2, top + (view.y - y) * view.scale + height / 2];
  },
};
