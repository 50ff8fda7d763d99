// The page in headless Chromium: every scene starts and ends 100 steps in the state of the native build, a body is dragged, and
// the console stays empty. SHOTS names a folder for pictures.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const root = new URL("../dist/page/", import.meta.url);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const problems = [];
let server, browser, page, address;

/** Opens a page of a size, and collects what it reports. */
async function open(options) {
  const context = await browser.newContext(options);
  const opened = await context.newPage();
  opened.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  opened.on("pageerror", (error) => problems.push(String(error)));
  return opened;
}

const ready = (opened) => opened.waitForFunction(() => window.testbed);

before(async () => {
  server = createServer((request, response) => {
    const name = new URL(request.url, "http://host").pathname.slice(1) || "index.html";
    try {
      const content = readFileSync(new URL(name, root));
      response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
  page = await open({ viewport: { width: 1200, height: 800 }, colorScheme: "light" });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("a link selects its scene", async () => {
  await page.goto(`${address}#scene=arch`);
  await ready(page);
  assert.ok((await page.title()).endsWith(", cairn2d"));
  assert.equal(await page.evaluate(() => document.getElementById("scene").value), "arch");
  await page.evaluate(() => (location.hash = "#scene=bridge"));
  await page.waitForFunction(() => document.getElementById("scene").value === "bridge");
});

test("every scene starts, is drawn, and has the native state after 100 steps", async () => {
  const lines = readFileSync(new URL("../target/hashes.txt", import.meta.url), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  const native = new Map(lines.map((line) => line.split(" ")).map(([name, steps, hash]) => [name, { steps: Number(steps), hash }]));
  const names = await page.evaluate(() => window.testbed.names());
  assert.equal(names.length, native.size);
  const shots = process.env.SHOTS;
  if (shots) mkdirSync(shots, { recursive: true });
  const differing = [];
  for (const name of names) {
    const { steps, hash } = native.get(name);
    const found = await page.evaluate(
      async ([name, steps]) => {
        const { testbed } = window;
        testbed.pause();
        testbed.open(name);
        testbed.steps(steps);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return { hash: testbed.hash(), painted: testbed.painted() };
      },
      [name, steps],
    );
    if (found.hash !== hash || found.painted === 0) differing.push({ name, hash, ...found });
    if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
  }
  assert.deepEqual(differing, []);
});

/** Place of the only box of the scene single_box after 120 steps: it slides to a halt. */
const BOX = [-1.17, 0.5];
const pixel = (opened, x, y) => opened.evaluate(([x, y]) => window.testbed.pixel(x, y), [x, y]);

/** Pixels of a meter. */
const width = async (opened) => (await pixel(opened, 1, 0))[0] - (await pixel(opened, 0, 0))[0];

/** Hash of the scene single_box after 150 steps, the last 30 of them after `press` was called with the pixel of the box. */
async function hashAfter(opened, press) {
  await opened.evaluate(() => {
    window.testbed.pause();
    window.testbed.open("single_box");
    window.testbed.steps(120);
  });
  await press(...(await pixel(opened, ...BOX)));
  await opened.evaluate(() => window.testbed.steps(30));
  return opened.evaluate(() => window.testbed.hash());
}

test("a body is dragged, and the view is moved and zoomed", async () => {
  const left = await hashAfter(page, () => {});
  const dragged = await hashAfter(page, async (x, y) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y - 120, { steps: 5 });
  });
  await page.mouse.up();
  assert.notEqual(dragged, left);

  // Without a body under the pointer, a drag moves the view.
  const [ax, ay] = await pixel(page, 0, 0.5);
  await page.mouse.move(60, 300);
  await page.mouse.down();
  await page.mouse.move(160, 340, { steps: 3 });
  await page.mouse.up();
  const [bx, by] = await pixel(page, 0, 0.5);
  assert.deepEqual([Math.round(bx - ax), Math.round(by - ay)], [100, 40]);
  const before = await width(page);
  await page.mouse.wheel(0, -200);
  const [low, high] = [1.4, 1.5].map((factor) => factor * before);
  await page.waitForFunction(([low, high]) => {
    const [[ax], [bx]] = [window.testbed.pixel(0, 0), window.testbed.pixel(1, 0)];
    return bx - ax > low && bx - ax < high;
  }, [low, high]);
});

test("buttons and keys play, step, restart and change the theme", async () => {
  await page.evaluate(() => window.testbed.open("stack"));
  const steps = async () => Number((await page.textContent("#figures")).match(/step (\d+)/)[1]);
  await page.click("#restart");
  await page.waitForFunction(() => document.getElementById("figures").textContent.startsWith("step 0 "));
  await page.click("#step");
  await page.waitForFunction(() => document.getElementById("figures").textContent.startsWith("step 1 "));
  await page.click("#play");
  await page.waitForFunction(() => Number(document.getElementById("figures").textContent.match(/step (\d+)/)[1]) > 5);
  await page.click("#play");
  const paused = await steps();
  await page.waitForTimeout(100);
  assert.ok((await steps()) - paused <= 1);
  await page.click("#theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/_dark.png` });
  await page.click("#layers summary");
  await page.click("#layers label:nth-child(5)");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/_layers.png` });
  await page.click("#layers summary");
});

test("a recording opens and plays to its end", async () => {
  const { default: init, World } = await import("../dist/package/full.node.js");
  await init();
  const world = new World();
  world.startRecording();
  const body = world.createBody({ velocity: { x: 1, y: 3 } });
  world.createShape(body, { type: "circle", radius: 0.5 });
  for (let step = 0; step < 20; step++) world.step(1 / 60);
  const buffer = Buffer.from(world.stopRecording());
  await page.setInputFiles("#file", { name: "ball.rec", mimeType: "application/octet-stream", buffer });
  await page.waitForFunction(() => document.title.startsWith("Recording"));
  await page.evaluate(() => window.testbed.steps(25));
  assert.equal(await page.evaluate(() => window.testbed.hash()), world.stateHash());
  await page.setInputFiles("#file", { name: "no.rec", mimeType: "application/octet-stream", buffer: Buffer.from("nothing") });
  await page.waitForSelector("#error:not([hidden])");
});

test("sliders build a scene with other numbers, and a link keeps them", async () => {
  await page.evaluate(() => window.testbed.open("stack"));
  const count = () => page.evaluate(() => document.getElementById("figures").textContent.match(/(\d+) bod/)[1]);
  await page.waitForFunction(() => document.getElementById("figures").textContent.includes("21 bodies"));
  const usual = await page.evaluate(() => location.hash);
  assert.equal(usual, "#scene=stack");
  await page.locator("#knobs input").first().fill("7");
  await page.waitForFunction(() => document.getElementById("figures").textContent.includes("8 bodies"));
  const link = await page.evaluate(() => location.href);
  assert.ok(link.endsWith("#scene=stack&boxes=7"), link);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/_knobs.png` });

  const other = await open({ viewport: { width: 1200, height: 800 } });
  await other.goto(link);
  await ready(other);
  await other.waitForFunction(() => document.getElementById("figures").textContent.includes("8 bodies"));
  assert.equal(await other.inputValue("#knobs input"), "7");
  // Numbers out of range are brought into it, and words that are none are passed over.
  await other.goto(`${address}#scene=stack&boxes=9999&half_width=no`);
  await other.waitForFunction(() => document.getElementById("figures").textContent.includes("61 bodies"));
  await other.context().close();
  assert.equal(await count(), "8");
});

test("a recording of a scene is a link that plays it again, from any step", async () => {
  await page.evaluate(() => {
    window.testbed.open("stack");
    window.testbed.pause();
    window.testbed.steps(30);
  });
  await page.click("#recording summary");
  await page.click("#record");
  await page.evaluate(() => {
    window.testbed.pause();
    window.testbed.steps(50);
  });
  const hash = await page.evaluate(() => window.testbed.hash());
  await page.click("#record");
  await page.waitForFunction(() => location.hash.startsWith("#data="));
  await page.evaluate(() => window.testbed.steps(100));
  assert.equal(await page.evaluate(() => window.testbed.hash()), hash);
  const link = await page.evaluate(() => location.href);

  const other = await open({ viewport: { width: 1200, height: 800 } });
  const length = Number(await page.getAttribute("#knobs input", "max"));
  assert.ok(length >= 50);
  await other.goto(`${link}&step=${length}`);
  await ready(other);
  await other.waitForFunction((length) => document.querySelector("#knobs input").value === String(length), length);
  assert.equal(await other.evaluate(() => window.testbed.hash()), hash);
  await other.locator("#knobs input").fill("3");
  await other.waitForFunction(() => document.getElementById("figures").textContent.startsWith("step 33 "));
  if (process.env.SHOTS) await other.screenshot({ path: `${process.env.SHOTS}/_recording.png` });

  // The file of the recording, at an address.
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const file = readFileSync(await download.path());
  assert.equal(download.suggestedFilename(), "stack.rec");
  await other.route("**/kept.rec", (route) => route.fulfill({ body: file }));
  await other.goto(`${address}#recording=kept.rec&step=${length}`);
  await other.waitForFunction((length) => document.querySelector("#knobs input")?.value === String(length), length);
  assert.equal(await other.evaluate(() => window.testbed.hash()), hash);
  // Links that lead nowhere say so.
  await other.goto(`${address}#data=nothing`);
  await other.waitForSelector("#error:not([hidden])");
  assert.match(await other.textContent("#error"), /damaged/);
  await other.context().close();
  await page.click("#recording summary");
});

test("arrow keys take over a scene, and the view follows", async () => {
  for (const [scene, key, sign] of [["car", "ArrowLeft", -1], ["platformer", "ArrowRight", 1]]) {
    await page.evaluate((scene) => {
      window.testbed.open(scene);
      window.testbed.pause();
      window.testbed.steps(30);
      document.activeElement?.blur();
    }, scene);
    const before = await page.evaluate(() => window.testbed.focus());
    await page.keyboard.down(key);
    await page.evaluate(() => window.testbed.steps(90));
    await page.keyboard.up(key);
    const after = await page.evaluate(() => window.testbed.focus());
    assert.ok(sign * (after[0] - before[0]) > 0.5, `${scene} from ${before} to ${after}`);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const [x, y] = await pixel(page, ...after);
    assert.ok(x > 0 && x < 1200 && y > 0 && y < 800);
  }
});

/** Sends fingers to a page: touches begin, move or end at [x, y] of each. */
const fingers = async (opened) => {
  const client = await opened.context().newCDPSession(opened);
  return (type, ...places) => client.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
};

test("a phone shows the scene without overlap", async () => {
  const phone = await open({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: "dark" });
  await phone.goto(`${address}#scene=stack`);
  await ready(phone);
  const inside = await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(inside);
  const [about, figures] = await phone.evaluate(() => ["about", "figures"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
  assert.ok(about.bottom <= figures.top + 1 && figures.bottom <= 780);
  await assertApart(phone);
  if (process.env.SHOTS) await phone.screenshot({ path: `${process.env.SHOTS}/_phone.png` });
  await phone.context().close();
});

/** Nothing lies over the canvas of a page, and nothing is outside of its window. */
async function assertApart(opened) {
  const over = await opened.evaluate(() => {
    const scene = document.querySelector("canvas").getBoundingClientRect();
    const parts = [...document.querySelectorAll("button, select, summary, .file, p:not([hidden]), output, header a")];
    const seen = parts.filter((part) => part.checkVisibility() && !part.closest("details div"));
    const isOver = ({ left, right, top, bottom }) =>
      (left < scene.right - 1 && right > scene.left + 1 && top < scene.bottom - 1 && bottom > scene.top + 1) || right > innerWidth + 1 || bottom > innerHeight + 1;
    const wrong = seen.filter((part) => isOver(part.getBoundingClientRect())).map((part) => part.id || part.textContent);
    return scene.width * scene.height < 0.4 * innerWidth * innerHeight ? [...wrong, "the scene is small"] : wrong;
  });
  assert.deepEqual(over, []);
}

test("on a phone on its side and on a desk nothing lies over the scene", async () => {
  for (const viewport of [{ width: 780, height: 360 }, { width: 667, height: 375 }, { width: 1200, height: 800 }]) {
    // The scene with the most sliders.
    const opened = await open({ viewport, hasTouch: viewport.height < 500, isMobile: viewport.height < 500, colorScheme: "light" });
    await opened.goto(`${address}#scene=stack`);
    await ready(opened);
    await assertApart(opened);
    if (process.env.SHOTS) await opened.screenshot({ path: `${process.env.SHOTS}/_wide_${viewport.width}.png` });
    await opened.context().close();
  }
});

test("a finger steers on buttons beside the scene", async () => {
  for (const viewport of [{ width: 780, height: 360 }, { width: 667, height: 375 }, { width: 390, height: 780 }]) {
    for (const scene of ["car", "platformer", "pinball", "stack"]) {
      const phone = await open({ viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: "light" });
      await phone.goto(`${address}#scene=${scene}`);
      await ready(phone);
      await assertApart(phone);
      assert.equal(await phone.locator("#keys button").first().isVisible(), scene !== "stack");
      if (process.env.SHOTS) await phone.screenshot({ path: `${process.env.SHOTS}/_steer_${scene}_${viewport.width}.png` });
      if (scene === "car") {
        await phone.evaluate(() => {
          window.testbed.pause();
          window.testbed.open("car");
          window.testbed.steps(30);
        });
        const [before] = await phone.evaluate(() => window.testbed.focus());
        const touch = await fingers(phone);
        const { x, y } = await phone.locator('[data-key="ArrowLeft"]').boundingBox();
        await touch("touchStart", [x + 10, y + 10]);
        await phone.waitForFunction(() => window.testbed.steering()[0] === -1);
        await phone.evaluate(() => window.testbed.steps(90));
        await touch("touchEnd");
        const [later] = await phone.evaluate(() => window.testbed.focus());
        assert.ok(later < before - 0.5, `from ${before} to ${later}`);
      }
      await phone.context().close();
    }
  }
});

/** Opens a game on a phone on its side, and a picture of it after a while. */
async function openGame(name) {
  const opened = await open({ viewport: { width: 780, height: 360 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await opened.goto(`${address}games/${name}.html`);
  await opened.waitForFunction(() => window.game);
  await assertApart(opened);
  return opened;
}

const picture = (opened, name) => process.env.SHOTS && opened.screenshot({ path: `${process.env.SHOTS}/_game_${name}.png` });

test("the platformer is played by keys and by fingers", async () => {
  const game = await openGame("platformer");
  const hero = () => game.evaluate(() => window.game.world.bodyState(window.game.hero));
  await game.waitForFunction(() => window.game.world.stepCount > 20);
  const { x } = await hero();
  await game.keyboard.down("ArrowRight");
  await game.waitForFunction((x) => window.game.world.bodyState(window.game.hero).x > x + 3, x);
  await picture(game, "platformer");
  await game.keyboard.up("ArrowRight");
  const { y } = await hero();
  await game.keyboard.down("Space");
  await game.waitForFunction((y) => window.game.world.bodyState(window.game.hero).y > y + 1, y);
  await game.keyboard.up("Space");
  const touch = await fingers(game);
  const { x: bx, y: by } = await game.locator('[data-key="ArrowLeft"]').boundingBox();
  const before = (await hero()).x;
  await touch("touchStart", [bx + 10, by + 10]);
  await game.waitForFunction((x) => window.game.world.bodyState(window.game.hero).x < x - 1, before);
  await touch("touchEnd");
  await game.context().close();
});

test("a bird topples a fort", async () => {
  const game = await openGame("birds");
  const pigs = await game.evaluate(() => window.game.pigs());
  assert.equal(pigs, 7);
  await picture(game, "birds");
  for (const pull of [[-2.4, -0.5], [-2.4, -0.2], [-2.3, -0.9]]) {
    await game.evaluate((pull) => window.game.launch(pull), pull);
    await game.waitForTimeout(1500);
  }
  await picture(game, "birds_later");
  assert.ok((await game.evaluate(() => window.game.pigs())) < pigs);
  await game.context().close();
});

test("a phone held upright shows the hero and the whole truck", async () => {
  for (const [name, place, reach] of [["platformer", "world.bodyState(game.hero)", 0.3], ["truck", "state()", 2.2]]) {
    const game = await open({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await game.goto(`${address}games/${name}.html`);
    await game.waitForFunction(() => window.game);
    await picture(game, `${name}_upright`);
    const [left, right, edge] = await game.evaluate(`(() => {
      const { clientWidth, clientHeight } = document.querySelector("canvas");
      const x = game.${place}.x - game.camera.x;
      return [x - ${reach}, x + ${reach}, (game.camera.height * clientWidth) / clientHeight / 2];
    })()`);
    assert.ok(left > -edge && right < edge, `${name}: ${left} to ${right} m in a view of ${edge} m to each side`);
    await game.context().close();
  }
});

test("the truck drives", async () => {
  const game = await openGame("truck");
  await game.keyboard.down("ArrowRight");
  await game.waitForFunction(() => window.game.state().x > 12);
  await picture(game, "truck");
  await game.keyboard.up("ArrowRight");
  await game.context().close();
});

/** Opens a game whose clock only runs by `clock.runFor`, so that a minute of play takes seconds and is the same each time. */
async function openFrozen(name) {
  const opened = await open({ viewport: { width: 780, height: 360 }, hasTouch: true, isMobile: true });
  await opened.clock.install({ time: 0 });
  // Nobody looks at these frames, and filling them takes most of the time.
  await opened.addInitScript(() => ["fill", "stroke", "clearRect"].forEach((name) => (CanvasRenderingContext2D.prototype[name] = () => {})));
  await opened.goto(`${address}games/${name}.html`);
  await opened.waitForFunction(() => window.game);
  await opened.clock.pauseAt(60_000);
  return opened;
}

const told = (opened) => opened.textContent("output");

test("a minute of birds by a finger topples all forts, and a tap begins again", async () => {
  const game = await openFrozen("birds");
  const touch = await fingers(game);
  const box = await game.locator("canvas").boundingBox();
  for (const [dx, dy] of [[-2.4, -0.5], [-2.4, -0.2], [-2.3, -0.9], [-2.4, -0.4]]) {
    const [[x, y], [ex, ey]] = await game.evaluate((pull) => [window.game.pixel([0, 0]), window.game.pixel(pull)], [dx, dy]);
    await touch("touchStart", [box.x + x, box.y + y]);
    await touch("touchMove", [box.x + ex, box.y + ey]);
    await touch("touchEnd");
    await game.clock.runFor(12_000);
  }
  assert.match(await told(game), /^(All down|\d left)/);
  assert.ok((await game.evaluate(() => window.game.pigs())) <= 1);
  await game.clock.runFor(12_000);
  await touch("touchStart", [400, 150]);
  await touch("touchEnd");
  await game.clock.runFor(100);
  assert.match(await told(game), /birds 4 · targets 7/);
  await game.context().close();
});

test("a finger drags a body, and two fingers zoom", async () => {
  const phone = await open({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await phone.goto(`${address}#scene=single_box`);
  await ready(phone);
  const touch = await fingers(phone);
  const left = await hashAfter(phone, () => {});
  const dragged = await hashAfter(phone, async (x, y) => {
    await touch("touchStart", [x, y]);
    for (let part = 1; part <= 4; part++) await touch("touchMove", [x + 20 * part, y - 30 * part]);
  });
  await touch("touchEnd");
  assert.notEqual(dragged, left);

  const before = await width(phone);
  await touch("touchStart", [150, 200], [250, 200]);
  for (let part = 1; part <= 4; part++) await touch("touchMove", [150 - 15 * part, 200], [250 + 15 * part, 200]);
  await touch("touchEnd");
  const ratio = (await width(phone)) / before;
  assert.ok(Math.abs(ratio - 2.2) < 0.05, `fingers 2.2 times as far apart zoom by ${ratio}`);
  await phone.context().close();
});

test("the console has no errors and no warnings", () => assert.deepEqual(problems, []));
