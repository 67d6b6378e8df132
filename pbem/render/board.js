// The page of `pbem board`. It shows what the session says, and says what was pointed at; every
// judgement is the engine's. Texts are put in as text, never as markup.
import { mapView } from "/map.js";
import { say } from "/say.js";
/**
 * @import { Answer, Attributes, Camera, Camp, Card, Doing, Field, Gesture, Mark, Parts, PlainGesture, Problem, Sheet,
 *   View } from "./told"
 */

/** @type {<K extends keyof Parts>(id: K) => Parts[K]} */
const find = (id) => /** @type {any} */ (document.getElementById(id));
const tab = crypto.randomUUID();
const secret = secretOfPage();
const SVG = "http://www.w3.org/2000/svg";
const TYPED = 200;

// Neither is there before the first answer. What may run before it asks `view?.`; the types do not say so.
const none = /** @type {any} */ (null);
/** @type {Sheet} */
let sheet = none; // what holds for every picture
/** @type {View} */
let view = none; // what the session says now
/** @type {Camera} */
let camera = none;
/** @type {Gesture | null} */
let gesture = null; // the order in the making
let focused = ""; // the space the keyboard is at
let shownHere = ""; // the space whose contents are told
let looksOn = false;
/** @type {string[]} */
let past = []; // earlier texts of the draft
/** @type {string[]} */
let future = [];
let hasEnded = false;
/** @type {Map<string, SVGGElement>} */
const groups = new Map();
const marks = document.createElementNS(SVG, "g");

function secretOfPage() { // cookies go to every port of this machine; what is kept here stays at this one
  const given = location.hash.match(/^#k=(.+)$/)?.[1];
  if (given) {
    localStorage.setItem("k", given);
    history.replaceState(null, "", "/"); // out of sight, and out of bookmarks
  }
  return localStorage.getItem("k") ?? "";
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} kind
 * @param {string | number} words
 * @param {Attributes} attributes
 */
function make(kind, words = "", attributes = {}) {
  const { onclick, ondblclick, ...plainly } = attributes;
  const made = document.createElement(kind);
  made.textContent = String(words);
  if (onclick) made.onclick = () => onclick();
  if (ondblclick) made.ondblclick = () => ondblclick();
  for (const [name, given] of Object.entries(plainly)) {
    if (given !== false) made.setAttribute(name, given === true ? "" : given);
  }
  return made;
}

/** @param {string} name */
function key(name) {
  return make("kbd", name);
}

// --- what is asked of the session ----------------------------------------------------------------

class Refused extends Error {
  /** @param {Problem[]} problems */
  constructor(problems) {
    super("refused");
    this.problems = problems;
  }
}

/** @type {Promise<unknown>} */
let queue = Promise.resolve();

/**
 * @param {Doing} what
 * @param {object} given
 * @returns {Promise<Answer>}
 */
function ask(what, given = {}) { // one after another, so that no answer overtakes another
  const asked = queue.then(() => request(what, given));
  queue = asked.catch(() => {});
  return asked;
}

/**
 * @param {Doing} what
 * @param {object} given
 * @returns {Promise<Answer>}
 */
async function request(what, given) {
  let answer;
  try {
    answer = await fetch(`/do/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-pbem-board": secret },
      body: JSON.stringify({ tab, picture: view?.picture ?? 0, ...given }),
    });
  } catch {
    ended();
    throw new Error("away");
  }
  const told = answer.headers.get("content-type")?.startsWith("application/json")
    ? await answer.json() : { problems: [{ message: await answer.text() }] };
  if (!answer.ok) throw new Refused(told.problems ?? []);
  if ("looksOn" in told && what !== "start") setLooksOn(told.looksOn); // the stream says so first
  return told;
}

/**
 * @param {Doing} what
 * @param {object} given
 */
async function act(what, given = {}) { // asks, and shows what comes of it
  try {
    const told = await ask(what, given);
    if (told.sheet) begin(told.sheet);
    if (told.gesture) gesture = told.gesture;
    if (told.view) {
      if (told.gesture === undefined) gesture = null;
      show(told.view);
    }
    showGesture();
    return told;
  } catch (refused) {
    if (refused instanceof Refused) messages([...refused.problems, ...(view?.problems ?? [])]); // faults stay in sight
    return null;
  }
}

function ended() {
  hasEnded = true;
  banner(view ? say("pbem board has ended. Your draft is in {file}.", { file: view.draft }) : say("pbem board has ended."));
}

/** @param {boolean} on */
function setLooksOn(on) {
  if (on === looksOn) return;
  looksOn = on;
  document.body.classList.toggle("looks-on", on);
  find("text").readOnly = on;
  banners();
}

// --- the map ---------------------------------------------------------------------------------------

/** @param {Sheet} found */
function begin(found) {
  const isSame = sheet?.defined === found.defined;
  sheet = found;
  view = none;
  if (isSame) return; // the same board at another moment: it is seen as it was
  const map = find("map");
  find("field").classList.toggle("sea", sheet.sea);
  map.innerHTML = `${sheet.head}<defs>${sheet.defined}</defs></svg>`; // drawn by the program, escaped there
  const svg = picture();
  svg.removeAttribute("role"); // its spaces are buttons
  groups.clear();
  marks.setAttribute("id", "marks");
  camera = mapView(map, svg);
  const mini = find("mini");
  mini.setAttribute("viewBox", `0 0 ${camera.size.width} ${camera.size.height}`);
  const seen = shape("rect", { class: "seen" });
  mini.replaceChildren(seen);
  camera.watch(({ x, y, width, height }) => {
    for (const [name, given] of Object.entries({ x, y, width, height })) seen.setAttribute(name, String(given));
    mini.style.display = width < camera.size.width * 0.8 ? "" : "none";
    mark();
  });
  open(); // while there is nothing in it that must be laid out anew
  const names = find("names");
  names.replaceChildren(...Object.values(sheet.spots).map(([, , name]) => make("option", "", { value: name })));
}

function picture() { // the svg of the map
  return /** @type {SVGSVGElement} */ (find("map").querySelector("svg"));
}

/**
 * @param {string} name
 * @param {Element[]} added
 */
function group(name, added) {
  let found = groups.get(name);
  if (!found) {
    found = document.createElementNS(SVG, "g");
    const [kind = "", space] = name.split(/ (.*)/);
    if (space && (kind === "space" || kind === "label")) found.dataset.space = space;
    found.dataset.layer = kind;
    groups.set(name, found);
    added.push(found);
  }
  return found;
}

/** @param {View["fragments"]} fragments */
function draw(fragments) {
  const drawn = document.createElementNS(SVG, "g"); // all at once: each parsing alone takes its time
  drawn.innerHTML = Object.values(fragments).map((markup) => `<g>${markup}</g>`).join("");
  /** @type {Element[]} */
  const added = [];
  for (const [at, name] of Object.keys(fragments).entries()) {
    const found = group(name, added);
    found.replaceChildren(...(drawn.children[at]?.childNodes ?? []));
    const inner = found.firstElementChild;
    if (found.dataset.layer !== "space" || !inner) continue;
    inner.setAttribute("role", "button");
    inner.setAttribute("tabindex", found.dataset.space === focused ? "0" : "-1");
    inner.setAttribute("aria-label", inner.querySelector("title")?.textContent ?? found.dataset.space ?? "");
  }
  picture().append(...added, marks);
  if ("held" in fragments) {
    const ground = ["ground", "held"].flatMap((layer) => groups.get(layer)?.cloneNode(true) ?? []);
    find("mini").replaceChildren(...ground, ...find("mini").querySelectorAll(".seen"));
  }
}

/** @param {MouseEvent} event */
function spaceAt(event) { // the space that was pointed at: its counter, its name, or its ground
  for (const found of document.elementsFromPoint(event.clientX, event.clientY)) {
    const named = /** @type {SVGGElement | null} */ (found.closest("g[data-space]"));
    if (named) return named.dataset.space ?? "";
    const cell = found.closest("use")?.getAttribute("href")?.match(/^#cell-(\d+)$/);
    if (cell) return sheet.cells[Number(cell[1])] ?? "";
  }
  return "";
}

/**
 * @param {"path" | "rect"} kind
 * @param {Record<string, string | number>} attributes
 */
function shape(kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, given] of Object.entries(attributes)) made.setAttribute(name, String(given));
  return made;
}

/**
 * @param {number} x
 * @param {number} y
 */
function corners(x, y) {
  const [w, h, l] = [25, 20, 9];
  const at = (/** @type {number} */ sx, /** @type {number} */ sy) =>
    `M${x + sx * w} ${y + sy * (h - l)}V${y + sy * h}H${x + sx * (w - l)}`;
  return at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1);
}

function mark() { // what may be pointed at, what is chosen, and where the keyboard is
  const lit = new Set(gesture?.lit ?? []);
  const chosen = new Set(gesture?.chosen ?? []);
  find("map").classList.toggle("choosing", Boolean(gesture) && lit.size > 0);
  for (const found of groups.values()) {
    if (found.dataset.space) found.classList.toggle("lit", lit.has(found.dataset.space) || chosen.has(found.dataset.space));
  }
  const drawn = [];
  for (const space of lit) {
    const at = place(space);
    if (chosen.has(space) || !at) continue;
    const d = corners(at.x, at.y);
    drawn.push(shape("path", { d, class: "target-side" }), shape("path", { d, class: "target" }));
  }
  for (const space of chosen) {
    const at = place(space);
    if (!at) continue;
    const box = { x: at.x - 25, y: at.y - 19, width: 50, height: 38, rx: 5 };
    drawn.push(shape("rect", { ...box, class: "chosen-side" }), shape("rect", { ...box, class: "chosen" }));
  }
  const at = place(focused);
  if (at && document.activeElement?.closest("#map")) {
    drawn.push(shape("rect", { x: at.x - 30, y: at.y - 24, width: 60, height: 48, rx: 8, class: "focus" }));
  }
  marks.replaceChildren(...drawn);
}

/** @param {string} space */
function place(space) { // where a space is on the map; null if it is none of it
  const spot = sheet.spots[space];
  return spot ? { x: spot[0], y: spot[1] } : null;
}

function seeLit() { // where none of what may be pointed at is in sight, the map goes there
  const lit = (gesture?.lit ?? []).flatMap((space) => place(space) ?? []);
  const [first] = lit;
  if (first && !lit.some(isSeen)) camera.goTo(first.x, first.y);
}

/** @param {{ x: number, y: number }} at */
function isSeen({ x, y }) {
  const { x: left, y: top, width, height } = camera.view;
  return x > left + 60 && x < left + width - 60 && y > top + 60 && y < top + height - 60;
}

/** @param {string} space */
function goTo(space, { near = false } = {}) {
  const at = place(space);
  if (!at) return;
  drawnAt(focused)?.setAttribute("tabindex", "-1");
  focused = space;
  const inner = drawnAt(space);
  inner?.setAttribute("tabindex", "0");
  inner?.focus({ preventScroll: true });
  const { width } = camera.view;
  if (near || !isSeen(at)) camera.goTo(at.x, at.y, near ? Math.min(width, find("map").clientWidth / 1.1) : width);
  mark();
  gutter();
  look(space);
  const [line] = linesOf(space);
  if (line) toLine(line, false);
}

/** @param {string} space */
function drawnAt(space) { // what the map has there
  return /** @type {SVGElement | null | undefined} */ (groups.get(`space ${space}`)?.firstElementChild);
}

/** @param {string} space */
function linesOf(space) { // the lines of the orders that name a space, by its id or as the map does
  const named = [space, sheet.spots[space]?.[2] ?? space].map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const word = new RegExp(`(?<![\\p{L}\\p{N}_-])(${named.join("|")})(?![\\p{L}\\p{N}_-])`, "iu");
  return find("text").value.split("\n").flatMap((line, at) => (word.test(line.replace(/#.*/, "")) ? [at + 1] : []));
}

function open() { // near enough to read names, where something happened last; whole where all fits
  const { clientWidth: width, clientHeight: height } = find("map");
  const k = Math.min(width / camera.size.width, height / camera.size.height);
  if (k > (sheet.start ? 0.65 : 0.55)) return camera.whole();
  const [x, y] = sheet.spots[sheet.start] ?? [camera.size.width / 2, camera.size.height / 2];
  camera.goTo(x, y, (camera.size.width * k) / 1.1 * Math.max(1, width / (camera.size.width * k)));
}

/**
 * @param {number} dx
 * @param {number} dy
 */
function towards(dx, dy) { // the nearest space that way
  const [x, y] = sheet.spots[focused] ?? [camera.view.x + camera.view.width / 2, camera.view.y + camera.view.height / 2];
  let best = "";
  let least = Infinity;
  for (const [space, [sx, sy]] of Object.entries(sheet.spots)) {
    if (!drawnAt(space)) continue;
    const along = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    if (space === focused || along <= 2 || along < aside * 0.6) continue;
    const cost = along + aside * 1.8;
    if (cost < least) [least, best] = [cost, space];
  }
  goTo(best);
}

/** @param {number} by */
function along(by) { // the next space that may be pointed at, else the next with a unit of one's own
  const spaces = gesture?.lit?.length ? gesture.lit : view.own;
  if (!spaces.length) return;
  const at = spaces.indexOf(focused);
  goTo(spaces[(at + by + spaces.length) % spaces.length] ?? "");
}

// --- what is shown ---------------------------------------------------------------------------------

/** @param {View} found */
function show(found) {
  view = found;
  document.title = `${view.writes ? "● " : ""}${view.title}`;
  find("title").textContent = view.title;
  find("moment").textContent = view.moment;
  find("moment").title = view.moment;
  const [side, at] = view.sides[view.side ?? ""] ?? ["", 0];
  find("who").textContent = !view.side ? "" : view.writes ? say("{side}: you write", { side }) : say("{side}: waiting", { side });
  find("who").className = `side${at}`;
  if (wanted === null && document.activeElement !== find("text")) find("text").value = view.text;
  find("file").textContent = view.draft.split("/").pop() ?? "";
  gutter();
  find("draft").hidden = !view.asked;
  showAsk();
  messages(view.problems);
  showTracks();
  showHands();
  banners();
  state();
  draw(view.fragments); // last: whatever asks for a size after it waits until the map is laid out
  if (shownHere) look(shownHere);
}

function banners() {
  if (hasEnded) return;
  if (looksOn) banner(say("Another tab is writing the orders. This one can only watch."), say("Write here"), () => act("take"));
  else if (view?.stale) {
    banner(say("The game has moved on, and this draft was for an earlier moment. It is saved in {file}.", { file: view.draft }),
      say("Start over"), anew);
  } else banner("");
}

/**
 * @param {string} words
 * @param {string} button
 * @param {(() => unknown) | null} does
 */
function banner(words, button = "", does = null) {
  const shown = find("banner");
  shown.hidden = !words;
  shown.replaceChildren(words, ...(button ? [make("button", button, { type: "button", onclick: does })] : []));
}

async function anew() {
  const told = await act("anew");
  if (told?.kept) note(say("The old draft is saved as {file}.", { file: told.kept }));
  setText(view.text);
}

function showAsk() {
  const { prompt, rule, verbs, before } = view.ask;
  find("rule").textContent = rule;
  find("prompt").textContent = prompt ? `${prompt.charAt(0).toUpperCase()}${prompt.slice(1)}.${before ? ` (${before})` : ""}`
    : view.next.join("\n");
  find("verbs").replaceChildren(...verbs.map(({ verb, note, fields }, at) => {
    const button = make("button", verb.replaceAll("_", " "), {
      type: "button", title: note, "aria-pressed": String(gesture?.verb === verb), class: at ? false : "likeliest",
      onclick: () => (fields ? act("begin", { verb }) : orderAlone(verb)),
    });
    if (!fields) button.append(" ", key("D"));
    return button;
  }));
}

/** @param {string} verb */
async function orderAlone(verb) {
  if (view.ask.ahead) return putIn("ahead", { verb });
  await act("begin", { verb });
  if (gesture?.legal) await order();
}

/**
 * @param {Doing} what
 * @param {object} given
 */
async function putIn(what, given = {}) { // something into the draft, which can be undone
  const before = view.text;
  const told = await act(what, given);
  if (!told) return null;
  past.push(before);
  future = [];
  setText(view.text, told.line);
  state();
  return told;
}

function showGesture() {
  for (const button of find("verbs").children) {
    button.setAttribute("aria-pressed", String(button.firstChild?.textContent === gesture?.verb.replaceAll("_", " ")));
  }
  const making = find("making");
  making.hidden = !gesture;
  seeLit();
  find("mode").hidden = !gesture;
  mark();
  tip();
  if (!gesture) return making.replaceChildren();
  const { wanted: name } = gesture;
  const wanted = gesture.fields.find((field) => field.name === name);
  const next = gesture.legal ? say("Enter orders it, Esc leaves it")
    : wanted ? say("choose {field} · Esc leaves it", { field: wanted.name }) : say("Esc leaves it");
  find("mode").replaceChildren(make("b", gesture.verb.replaceAll("_", " ")), `: ${next}`);
  const rows = gesture.fields.filter((field) => field.chips.length || field.value || field.needed).map(fieldRow);
  const line = make("code", gesture.line);
  const buttons = make("p");
  buttons.append(
    withKey(make("button", say("Order it"), { type: "button", class: "likeliest", disabled: !gesture.legal, onclick: order }), "Enter"),
    withKey(make("button", say("Leave it"), { type: "button", onclick: leave }), "Esc"),
  );
  making.replaceChildren(line, ...rows, buttons);
  const told = gesture.problems.length ? gesture.problems : view.problems;
  messages(told, gesture.remarks);
  const missing = gesture.missing.length ? say("still to choose: {fields}", { fields: gesture.missing.join(", ") }) : "";
  spoken(gesture.problems[0]?.message ?? (gesture.legal ? say("legal: {order}", { order: gesture.line }) : missing));
}

/**
 * @param {HTMLElement} button
 * @param {string} name
 */
function withKey(button, name) {
  button.append(" ", key(name));
  return button;
}

/** @param {Field} field */
function fieldRow(field) {
  const row = make("div", "", { class: field.name === gesture?.wanted ? "row wanted" : "row" });
  const name = make("button", `${field.name}${field.needed ? "" : "?"}`, {
    type: "button", class: "name", title: say("The next thing you click goes here"),
    onclick: () => toField(field.name),
  });
  const chips = make("span", "", { class: "chips" });
  const isMap = field.kind === sheet.space && field.chips.length > 12;
  chips.append(...(isMap ? [] : field.chips).map((chip, at) => make("button", chip.words, {
    type: "button", "aria-pressed": String(chip.on || chip.picked), title: at < 9 ? `${at + 1}` : false,
    onclick: () => act("choose", { gesture: plain(), name: field.name, value: chip.value }),
  })));
  if (field.value && (isMap || !field.chips.some((chip) => chip.on))) chips.prepend(make("code", field.value));
  row.append(name, chips);
  return row;
}

/** @param {string} name */
function toField(name) { // what is pointed at next goes there
  if (!gesture) return;
  gesture.slot = name;
  return act("choose", { gesture: plain(), name: "", value: null });
}

/** @param {number} by */
function nextField(by) {
  const names = gesture?.fields.map((field) => field.name) ?? [];
  const name = names[(names.indexOf(gesture?.wanted ?? "") + by + names.length) % names.length];
  if (name !== undefined) toField(name);
}

/** @returns {PlainGesture | null} */
function plain() { // the gesture as the session takes it
  if (!gesture) return null;
  const { verb, said, slot, at, picked } = gesture;
  return { verb, said, slot, at, picked };
}

/** @param {string} space */
async function click(space) {
  look(space); // whatever comes of it
  if (view.asked && !looksOn) await act("click", { gesture: plain(), place: space });
}

async function order() {
  if (!gesture?.legal) return;
  const told = await putIn("order", { gesture: plain() });
  if (told) spoken(say("ordered, line {line}; {prompt}", { line: told.line ?? "", prompt: view.ask.prompt }));
}

function leave() {
  gesture = null;
  showGesture();
  messages(view.problems);
}

/** @param {string} space */
function look(space) { // what stands in a space, at every click; away from where it is
  const spot = sheet.spots[space];
  const told = drawnAt(space)?.querySelector("title")?.textContent ?? spot?.[2] ?? "";
  if (!spot || !told) return;
  const shown = find("here");
  if (shownHere !== space || shown.hidden) spoken(told);
  shownHere = space;
  shown.hidden = false;
  shown.replaceChildren(...told.split("; ").map((line, at) => make(at ? "p" : "h3", line)));
  const { x, width } = camera.view;
  shown.classList.toggle("right", spot[0] < x + width / 2);
}

function lookAway() {
  shownHere = "";
  find("here").hidden = true;
}

function tip() { // the chances of an attack, near what is attacked and never over it
  const shown = find("tip");
  shown.hidden = true;
  if (!gesture?.shares) return;
  const { where = "", fire = [], branches = [], ways = 1, notes = [] } = gesture.shares;
  const [attacker, defender] = fire;
  if (!attacker || !defender) return;
  const share = (/** @type {(each: typeof branches[number]) => boolean} */ test) =>
    branches.filter(test).reduce((sum, each) => sum + each.ways, 0) / ways;
  const wins = share((each) => each.winner === attacker.side);
  const loses = share((each) => each.winner === defender.side);
  const table = make("table");
  /** @type {(name: string, a: string | number, b: string | number, tag?: "td" | "th") => HTMLElement} */
  const row = (name, a, b, tag = "td") => {
    const line = make("tr");
    line.append(make("th", name), make(tag, a), make(tag, b));
    return line;
  };
  const name = (/** @type {string} */ side) => view.sides[side]?.[0] ?? side;
  table.append(row("", name(attacker.side), name(defender.side), "th"),
    row(say("strength"), attacker.strength, defender.strength), row(say("fires on"), attacker.column, defender.column));
  const lines = [];
  for (const each of fire) {
    for (const { what, number = 0, rule } of [...each.shifts, ...each.modifiers]) {
      lines.push(`${name(each.side)}: ${what} ${number < 0 ? "−" : "+"}${Math.abs(number)} [${rule}]`);
    }
  }
  const losses = (/** @type {string} */ side) => {
    const lost = branches.map((each) => each.lost[side] ?? 0);
    return say("{side} loses {least} to {most} steps", { side: name(side), least: Math.min(...lost), most: Math.max(...lost) });
  };
  const percent = (/** @type {number} */ part) =>
    (part > 0 && part < 0.01 ? "<1" : part < 1 && part > 0.99 ? ">99" : `${Math.round(part * 100)}`);
  const bar = make("div", "", { class: "bar", role: "img",
    "aria-label": say("win {win}, nobody {nobody}, lose {lose} per cent",
      { win: percent(wins), nobody: percent(1 - wins - loses), lose: percent(loses) }) });
  /** @type {[kind: string, part: number, words: string][]} */
  const pieces = [["win", wins, say("win {number}", { number: percent(wins) })],
    ["draw", 1 - wins - loses, percent(1 - wins - loses)], ["lose", loses, say("lose {number}", { number: percent(loses) })]];
  for (const [kind, part, words] of pieces) {
    const piece = make("span", part > 0.12 ? words : "", { class: kind });
    piece.style.flexGrow = String(Math.max(part, 0));
    bar.append(piece);
  }
  const head = make("h3", `${say("Attack on {space}", { space: where })} `);
  head.append(make("span", say("win {number} %", { number: percent(wins) })));
  shown.replaceChildren(head, table, ...lines.map((line) => make("p", line)), bar,
    make("p", `${losses(attacker.side)}, ${losses(defender.side)}.`),
    ...notes.map(({ what, rule }) => make("p", `${what} [${rule}]`)));
  const { space } = gesture.said;
  putNear(shown, typeof space === "string" ? space : gesture.at);
}

/**
 * @param {HTMLElement} shown
 * @param {string} space
 */
function putNear(shown, space) {
  const spot = place(space);
  shown.hidden = false;
  if (!spot) return;
  const field = find("field").getBoundingClientRect();
  const at = new DOMPoint(spot.x, spot.y).matrixTransform(picture().getScreenCTM() ?? undefined);
  const [x, y] = [at.x - field.left, at.y - field.top];
  const { offsetWidth: width, offsetHeight: height } = shown;
  const left = x + 60 + width < field.width ? x + 60 : x - 60 - width;
  shown.style.left = `${Math.max(8, left)}px`;
  shown.style.top = `${Math.max(8, Math.min(field.height - height - 8, y + 34))}px`;
}

function showTracks() {
  const rows = view.tracks.map(({ name, value, low, high, stops, words }) => {
    const row = make("div", "", { class: "track", title: words });
    const gauge = make("span", "", { class: "gauge" });
    const filled = make("i");
    const part = (/** @type {number} */ number) => `${(100 * (number - low)) / (high - low || 1)}%`;
    filled.style.width = part(Math.min(high, Math.max(low, value)));
    gauge.append(filled, ...stops.map(([stop]) => {
      const line = make("u");
      line.style.left = part(stop);
      return line;
    }));
    row.append(make("span", name), gauge, make("b", value));
    return row;
  });
  const rounds = view.camps.filter((camp) => camp.rounds.length || camp.most).map((camp) => {
    const row = make("div", "", { class: "track" });
    const cells = make("span", "", { class: `rounds side${view.sides[camp.side]?.[1] ?? 0}` });
    for (let at = 0; at < Math.max(camp.most, camp.rounds.length); at += 1) {
      const done = camp.rounds[at];
      cells.append(make("i", done ?? at + 1, { class: done ? "done" : false, title: done ?? false }));
    }
    row.append(make("span", view.sides[camp.side]?.[0] ?? camp.side), cells, make("b", camp.unseen ? `${camp.unseen} ${camp.handIs}` : ""));
    return row;
  });
  const others = view.camps.filter((camp) => !(camp.rounds.length || camp.most) && camp.unseen).map((camp) => {
    const row = make("div", "", { class: "track" });
    row.append(make("span", view.sides[camp.side]?.[0] ?? camp.side), make("span", `${camp.unseen} ${camp.handIs}`));
    return row;
  });
  const notes = view.notes.map((note) => make("p", note));
  find("tracks").replaceChildren(...rows, ...rounds, ...others, ...notes);
}

function showHands() {
  const own = view.camps.filter((camp) => camp.hand.length);
  own.sort((a, b) => Number(b.side === view.side) - Number(a.side === view.side));
  find("hands").replaceChildren(...own.flatMap((camp) => camp.hand.map((card) => cardOf(camp, card))));
}

/**
 * @param {Camp} camp
 * @param {Card} card
 */
function cardOf(camp, card) {
  const ways = card.uses.filter((use) => !use.why.length).map((use) => use.name);
  const against = [...new Set(card.uses.flatMap((use) => use.why))];
  const isMine = camp.side === view.side;
  const fits = isMine && ways.length > 0;
  const told = make("button", "", {
    type: "button", class: `card side${view.sides[camp.side]?.[1] ?? 0}${fits ? "" : " unfit"}`,
    title: [card.kind, card.figures, ...card.text].filter(Boolean).join("\n"),
    onclick: () => (isMine ? act("choose", { gesture: plain(), name: sheet.piece, value: card.id }) : null),
    ondblclick: () => cardSheet(card),
  });
  const name = make("strong", card.title);
  name.prepend(make("em", card.id), " ");
  told.append(name, make("span", card.worth, { class: "worth" }), make("small", card.text.join(" ")),
    make("span", !isMine ? "" : fits ? say("for {uses}", { uses: ways.join(", ") }) : against[0] ?? "", { class: "why" }));
  return told;
}

/** @param {Card} card */
function cardSheet(card) {
  const uses = card.uses.map((use) => make("p", use.why.length
    ? say("not for {use}: {why}", { use: use.name, why: use.why.join("; ") }) : say("for {uses}", { uses: use.name })));
  dialog(`${card.id} ${card.title}`, [make("p", `${card.kind}; ${card.figures}`), ...card.text.map((line) => make("p", line)), ...uses]);
}

/**
 * @param {Problem[]} problems
 * @param {string[] | null} remarks
 */
function messages(problems, remarks = null) {
  const told = problems.map((problem) => {
    const { line, message, rule, hint } = problem;
    const row = make("p", "", { class: "fault" });
    if (line) row.append(make("button", say("Line {number}", { number: line }), { type: "button", class: "line", onclick: () => toLine(line) }), " ");
    row.append(`${message}${rule ? ` [${rule}]` : ""}`);
    if (hint) row.append(make("span", hint, { class: "hint" }));
    const mended = mend(problem);
    if (mended) row.append(make("button", say("Mend"), { type: "button", onclick: mended }));
    return row;
  });
  const noted = remarks ?? (view?.verdicts ?? []).filter((each) => each.mark === "remark").map((each) => say("line {number}: {remark}", { number: each.line, remark: each.words ?? "" }));
  told.push(...noted.map((words) => make("p", words, { class: "remark" })));
  find("messages").replaceChildren(...told);
}

/** @param {Problem} problem */
function mend({ line, message, hint }) { // where there is exactly one way out, one press takes it
  const meant = hint.match(/ ([^ ?]+)\?$/)?.[1];
  const wrong = message.match(/'([^']+)'/)?.[1];
  if (!meant || !wrong || !line || looksOn) return null;
  return () => {
    const lines = find("text").value.split("\n");
    lines[line - 1] = (lines[line - 1] ?? "").replace(wrong, () => meant);
    edit(lines.join("\n"));
  };
}

/** @param {string} words */
function note(words) {
  find("messages").replaceChildren(make("p", words, { class: "remark" }));
  spoken(words);
}

/** @param {string} words */
function spoken(words) {
  find("spoken").textContent = words;
}

function state() {
  const faults = view.problems.length;
  const isOpen = view.asked && view.ask.verbs.length > 0 && !view.ask.ahead;
  const has = !view.asked || /^\s*-\s/m.test(view.text.replace(/^\s*#.*$/gm, ""));
  find("send").disabled = faults > 0 || looksOn || !view.writes || !has || view.stale;
  find("undo").disabled = looksOn || !past.length;
  find("redo").disabled = looksOn || !future.length;
  for (const id of /** @type {const} */ (["check", "form", "standing"])) find(id).disabled = !view.asked || (looksOn && id === "standing");
  const told = faults ? say("Faults: {number}.", { number: faults })
    : !view.writes ? "" : !view.asked ? say("You owe an answer without a choice.") : isOpen ? say("You are still asked.") : "";
  const last = say("Nothing is rolled or signed before the last button.");
  find("state").textContent = [told, view.sealed && `${view.sealed}.`, last].filter(Boolean).join(" ");
}

// --- the text ----------------------------------------------------------------------------------------

let typing = 0;
/** @type {string | null} */
let wanted = null; // the text that was last asked for, as long as no answer has come

function gutter() {
  const bad = new Map(view.verdicts.map(({ line, mark }) => [line, mark]));
  for (const { line, mark } of view.verdicts) if (mark === "bad") bad.set(line, mark);
  /** @type {Record<Mark["mark"], string>} */
  const signs = { ok: "✓", bad: "✗", ahead: "⚄", lapses: "–", remark: "!" };
  const count = find("text").value.split("\n").length;
  const here = new Set(focused ? linesOf(focused) : []);
  find("gutter").replaceChildren(...Array.from({ length: count }, (_, at) => {
    const mark = bad.get(at + 1);
    const kinds = [mark, here.has(at + 1) ? "here" : ""].filter(Boolean).join(" ");
    return make("div", `${mark ? `${signs[mark]} ` : ""}${at + 1}`, { class: kinds || false });
  }));
  find("gutter").scrollTop = find("text").scrollTop;
}

/**
 * @param {string} text
 * @param {number} line
 */
function setText(text, line = 0) {
  find("text").value = text;
  gutter();
  if (line) toLine(line, false);
}

/**
 * @param {number} line
 * @param {boolean} focus
 */
function toLine(line, focus = true) {
  const text = find("text");
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  text.scrollTop = Math.max(0, (line - 4) * 20);
  if (focus) text.focus();
}

/** @param {string} text */
async function edit(text, { undoing = false } = {}) {
  clearTimeout(typing);
  if (!undoing && view.text !== text) {
    past.push(view.text);
    future = [];
  }
  if (find("text").value !== text) setText(text);
  wanted = text;
  await act("draft", { text });
  if (wanted === text) wanted = null;
  state();
}

find("text").oninput = () => {
  gutter();
  clearTimeout(typing);
  typing = setTimeout(() => edit(find("text").value), TYPED);
};
find("text").onscroll = () => { find("gutter").scrollTop = find("text").scrollTop; };

async function undo() {
  const before = looksOn ? undefined : past.pop();
  if (before === undefined) return;
  future.push(find("text").value);
  await edit(before, { undoing: true });
}

async function redo() {
  const after = looksOn ? undefined : future.pop();
  if (after === undefined) return;
  past.push(find("text").value);
  await edit(after, { undoing: true });
}

// --- the buttons -------------------------------------------------------------------------------------

/**
 * @param {string} title
 * @param {Node[]} nodes
 */
function dialog(title, nodes) {
  find("sheet-title").textContent = title;
  find("sheet-body").replaceChildren(...nodes);
  if (!find("sheet").open) find("sheet").showModal();
}

async function flush() { // what was typed last is judged first
  await queue;
  if (find("text").value !== view.text && !looksOn) await edit(find("text").value);
}

async function check() {
  await flush();
  const told = await act("check");
  if (told) dialog(say("Check"), [make("pre", told.told ?? "")]);
}

async function form() {
  const told = await act("form");
  if (told) dialog(say("The form"), [make("pre", told.told ?? "")]);
}

async function standing() {
  await flush();
  await putIn("standing");
}

async function tell() {
  const told = await act("story");
  if (!told) return;
  dialog(say("The story"), []);
  find("sheet-body").innerHTML = told.html ?? ""; // made by the program, in which all that players wrote is escaped
  find("sheet-body").scrollTop = find("sheet-body").scrollHeight;
}

async function save() { // the draft, and nothing else
  if (looksOn || !view.asked) return;
  await flush();
  if (find("text").value === view.text) note(say("The draft is saved as {file}. Nothing is signed.", { file: view.draft }));
}

async function sign() { // what would be signed, and the question whether it shall be
  await flush();
  if (find("send").disabled) return;
  const text = find("text").value;
  const told = await act("summary");
  if (!told) return;
  const does = make("button", say("Sign and write"), { type: "button", class: "likeliest", onclick: () => { find("sheet").close(); send(text); } });
  dialog(say("Sign and write?"), [make("pre", (told.lines ?? []).join("\n")), does]);
  does.focus();
}

/** @param {string} text */
async function send(text) { // of the summary that was agreed to
  const told = await act("send", { text });
  if (!told) return;
  [past, future] = [[], []];
  setText(view.text);
  dialog(say("Signed and written"), [make("pre", (told.lines ?? []).join("\n"))]);
}

/** @type {[keys: string, does: string][]} */
const HELP = [
  ["/", say("find a space or a unit")], ["← → ↑ ↓", say("the nearest space that way")], ["N P", say("the next, the last space that may be chosen")],
  ["Enter", say("choose the space; once more: order")], ["O", say("order what is legal")], ["[ ]", say("the field before, the next one")],
  ["1 … 9", say("choose what is offered")], ["Esc", say("leave the order in the making")],
  ["D", say("nothing further")], ["L", say("the story")], ["+ - 0", say("nearer, farther, the whole map")],
  ["Ctrl Z, Ctrl Shift Z", say("undo, redo")], ["Ctrl Enter", say("check")], ["Ctrl S", say("save the draft")], ["S", say("sign and write, after a question")], ["E", say("edit the orders")],
];

function help() {
  const table = make("table");
  for (const [name, does] of HELP) {
    const row = make("tr");
    const cell = make("td");
    cell.append(...name.split(", ").flatMap((each) => [key(each), " "]));
    row.append(cell, make("td", does));
    table.append(row);
  }
  dialog(say("Keys"), [table, make("p", say("Letters work outside the text of the orders. A card opens with two clicks."))]);
}

for (const [id, does] of Object.entries({ check, form, standing, send: sign, tell, undo, redo, help })) {
  find(/** @type {keyof Parts} */ (id)).onclick = () => does();
}
find("nearer").onclick = () => camera.zoom(1 / 1.3);
find("farther").onclick = () => camera.zoom(1.3);
find("whole").onclick = () => camera.whole();
find("map").onclick = (event) => {
  const space = spaceAt(event);
  if (!space) return lookAway();
  goTo(space);
  click(space);
};
find("mini").onclick = (event) => {
  const box = find("mini").getBoundingClientRect();
  camera.goTo(((event.clientX - box.left) / box.width) * camera.size.width, ((event.clientY - box.top) / box.height) * camera.size.height);
};
find("map").addEventListener("focusout", () => setTimeout(mark));
find("find").onsubmit = (event) => {
  event.preventDefault();
  const sought = find("sought").value.trim().toLowerCase();
  if (!sought) return;
  const named = Object.entries(sheet.spots).find(([space, [, , name]]) => name.toLowerCase() === sought || space === sought)
    ?? Object.entries(sheet.spots).find(([, [, , name]]) => name.toLowerCase().startsWith(sought));
  const holds = [...groups.values()].find((each) => each.dataset.layer === "space"
    && each.querySelector("title")?.textContent.toLowerCase().includes(sought));
  const space = named?.[0] ?? holds?.dataset.space;
  if (!space) return note(say("Nothing on the map is called {name}.", { name: find("sought").value }));
  find("sought").value = "";
  goTo(space, { near: true });
};

/** @type {Record<string, () => unknown>} */
const LETTERS = {
  ArrowLeft: () => towards(-1, 0), ArrowRight: () => towards(1, 0), ArrowUp: () => towards(0, -1), ArrowDown: () => towards(0, 1),
  "+": () => camera.zoom(1 / 1.3), "-": () => camera.zoom(1.3), 0: () => camera.whole(),
  o: order, "]": () => nextField(1), "[": () => nextField(-1), n: () => along(1), p: () => along(-1), l: tell, s: sign, "?": help, "/": () => find("sought").focus(), e: () => find("text").focus(),
  d: () => { const alone = view.ask.verbs.find((each) => !each.fields); if (alone && !looksOn) orderAlone(alone.verb); },
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  const command = event.ctrlKey || event.metaKey;
  const named = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (command && named === "s") event.preventDefault(); // never the browser's own
  if (!view || find("sheet").open) return;
  const isTyping = target.closest("textarea, input");
  /** @type {Record<string, () => unknown>} */
  const commands = { z: event.shiftKey ? redo : undo, y: redo, s: save, Enter: check };
  const does = command ? commands[named] : null;
  if (does) {
    event.preventDefault();
    return void does();
  }
  if (command || event.altKey) return;
  if (event.key === "Escape") {
    find("tip").hidden = true;
    if (isTyping) return void goTo(focused || (Object.keys(sheet.spots)[0] ?? ""));
    lookAway();
    return void leave();
  }
  if (isTyping) return;
  if (event.key === "Enter") {
    if (target.closest("button")) return;
    event.preventDefault();
    if (gesture?.legal && (!focused || focused === gesture.at)) return void order();
    if (focused) click(focused);
    return;
  }
  if (/^[1-9]$/.test(event.key) && gesture) {
    const { wanted } = gesture;
    const field = gesture.fields.find((each) => each.name === wanted && each.chips.length) ?? gesture.fields.find((each) => each.chips.length);
    const chip = field?.chips[Number(event.key) - 1];
    if (field && chip) act("choose", { gesture: plain(), name: field.name, value: chip.value });
    return;
  }
  const letter = LETTERS[named];
  if (!letter) return;
  event.preventDefault();
  letter();
});

// --- the beginning -----------------------------------------------------------------------------------

/** @param {Doing} what */
async function reopen(what) {
  const told = await act(what);
  if (told) setText(view.text);
}

const stream = new EventSource(`/alive?tab=${tab}&key=${encodeURIComponent(secret)}`);
const started = reopen("start");
stream.onmessage = async (/** @type {MessageEvent<string>} */ event) => {
  /** @type {{ writes: boolean, replaced: boolean }} */
  const { writes, replaced } = JSON.parse(event.data);
  await started;
  if (!view) await reopen("start"); // the first time it was not answered
  setLooksOn(!writes);
  if (replaced) banner(say("{file} is another file than the one shown here. Your draft is kept.", { file: view.file }), say("Look at it"), () => reopen("reopen"));
  else banners();
};
stream.onerror = () => {
  if (!view) return banner(say("The board does not answer this page. Use the address that pbem board printed."));
  if (stream.readyState !== EventSource.OPEN) setTimeout(() => { if (stream.readyState !== EventSource.OPEN) ended(); }, 3000);
};
stream.onopen = () => { if (hasEnded) { hasEnded = false; banners(); } };
