// The page of `pbem board`. It shows what the session says, and says what was pointed at; every
// judgement is the engine's. Texts are put in as text, never as markup.
import { mapView } from "/map.js";
import { say } from "/say.js";

const find = (id) => document.getElementById(id);
const tab = crypto.randomUUID();
const secret = secretOfPage();
const SVG = "http://www.w3.org/2000/svg";
const TYPED = 200;

let sheet = null; // what holds for every picture
let view = null; // what the session says now
let gesture = null; // the order in the making
let camera = null;
let focused = ""; // the space the keyboard is at
let looksOn = false;
let past = []; // earlier texts of the draft
let future = [];
let confirmed = ""; // what was pressed once, and is done when it is pressed again
let hasEnded = false;
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

function make(kind, words = "", attributes = {}) {
  const made = document.createElement(kind);
  made.textContent = words;
  for (const [name, given] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = given;
    else if (given !== false) made.setAttribute(name, given === true ? "" : given);
  }
  return made;
}

function key(name) {
  return make("kbd", name);
}

// --- what is asked of the session ----------------------------------------------------------------

let queue = Promise.resolve();

function ask(what, given = {}) { // one after another, so that no answer overtakes another
  const asked = queue.then(() => request(what, given));
  queue = asked.catch(() => {});
  return asked;
}

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
  if (!answer.ok) throw Object.assign(new Error(what), { problems: told.problems ?? [] });
  if ("looksOn" in told && what !== "start") setLooksOn(told.looksOn); // the stream says so first
  return told;
}

async function act(what, given) { // asks, and shows what comes of it
  try {
    const told = await ask(what, given);
    if (told.sheet) begin(told.sheet);
    if ("gesture" in told) gesture = told.gesture;
    if (told.view) {
      if (told.gesture === undefined) gesture = null;
      show(told.view);
    }
    showGesture();
    return told;
  } catch (refused) {
    if (refused.problems) messages([...refused.problems, ...(view?.problems ?? [])]); // faults stay in sight
    return null;
  }
}

function ended() {
  hasEnded = true;
  banner(view ? say("pbem board has ended. Your draft is in {file}.", { file: view.draft }) : say("pbem board has ended."));
}

function setLooksOn(on) {
  if (on === looksOn) return;
  looksOn = on;
  document.body.classList.toggle("looks-on", on);
  find("text").readOnly = on;
  banners();
}

// --- the map ---------------------------------------------------------------------------------------

function begin(found) {
  const isSame = sheet?.defined === found.defined;
  sheet = found;
  view = null;
  if (isSame) return; // the same board at another moment: it is seen as it was
  const map = find("map");
  find("field").classList.toggle("sea", sheet.sea);
  map.innerHTML = `${sheet.head}<defs>${sheet.defined}</defs></svg>`; // drawn by the program, escaped there
  const svg = map.querySelector("svg");
  svg.removeAttribute("role"); // its spaces are buttons
  groups.clear();
  marks.setAttribute("id", "marks");
  camera = mapView(map, svg);
  const mini = find("mini");
  mini.setAttribute("viewBox", `0 0 ${camera.size.width} ${camera.size.height}`);
  const seen = shape("rect", { class: "seen" });
  mini.replaceChildren(seen);
  camera.watch(({ x, y, width, height }) => {
    for (const [name, given] of Object.entries({ x, y, width, height })) seen.setAttribute(name, given);
    mini.style.display = width < camera.size.width * 0.8 ? "" : "none";
    mark();
  });
  open(); // while there is nothing in it that must be laid out anew
  const names = find("names");
  names.replaceChildren(...Object.values(sheet.spots).map(([, , name]) => make("option", "", { value: name })));
}

function group(name, added) {
  let found = groups.get(name);
  if (!found) {
    found = document.createElementNS(SVG, "g");
    const [kind, space] = name.split(/ (.*)/);
    if (space && (kind === "space" || kind === "label")) found.dataset.space = space;
    found.dataset.layer = kind;
    groups.set(name, found);
    added.push(found);
  }
  return found;
}

function draw(fragments) {
  const drawn = document.createElementNS(SVG, "g"); // all at once: each parsing alone takes its time
  drawn.innerHTML = Object.values(fragments).map((markup) => `<g>${markup}</g>`).join("");
  const added = [];
  for (const [at, name] of Object.keys(fragments).entries()) {
    const found = group(name, added);
    found.replaceChildren(...drawn.children[at].childNodes);
    const inner = found.firstElementChild;
    if (found.dataset.layer !== "space" || !inner) continue;
    inner.setAttribute("role", "button");
    inner.setAttribute("tabindex", found.dataset.space === focused ? "0" : "-1");
    inner.setAttribute("aria-label", inner.querySelector("title")?.textContent ?? found.dataset.space);
  }
  find("map").querySelector("svg").append(...added, marks);
  if ("held" in fragments) {
    const ground = ["ground", "held"].map((layer) => groups.get(layer).cloneNode(true));
    find("mini").replaceChildren(...ground, find("mini").querySelector(".seen"));
  }
}

function spaceAt(event) { // the space that was pointed at: its counter, its name, or its ground
  for (const found of document.elementsFromPoint(event.clientX, event.clientY)) {
    const named = found.closest("g[data-space]");
    if (named) return named.dataset.space;
    const cell = found.closest("use")?.getAttribute("href")?.match(/^#cell-(\d+)$/);
    if (cell) return sheet.cells[Number(cell[1])];
  }
  return "";
}

function shape(kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, given] of Object.entries(attributes)) made.setAttribute(name, given);
  return made;
}

function corners(x, y) {
  const [w, h, l] = [25, 20, 9];
  const at = (sx, sy) =>
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
    if (chosen.has(space) || !sheet.spots[space]) continue;
    const d = corners(...sheet.spots[space]);
    drawn.push(shape("path", { d, class: "target-side" }), shape("path", { d, class: "target" }));
  }
  for (const space of chosen) {
    const [x, y] = sheet.spots[space];
    const box = { x: x - 25, y: y - 19, width: 50, height: 38, rx: 5 };
    drawn.push(shape("rect", { ...box, class: "chosen-side" }), shape("rect", { ...box, class: "chosen" }));
  }
  if (focused && sheet.spots[focused] && document.activeElement?.closest("#map")) {
    const [x, y] = sheet.spots[focused];
    drawn.push(shape("rect", { x: x - 30, y: y - 24, width: 60, height: 48, rx: 8, class: "focus" }));
  }
  marks.replaceChildren(...drawn);
}

function seeLit() { // where none of what may be pointed at is in sight, the map goes there
  const lit = (gesture?.lit ?? []).filter((space) => sheet.spots[space]);
  if (lit.length && !lit.some(isSeen)) camera.goTo(...sheet.spots[lit[0]]);
}

function isSeen(space) {
  const [x, y] = sheet.spots[space];
  const { x: left, y: top, width, height } = camera.view;
  return x > left + 60 && x < left + width - 60 && y > top + 60 && y < top + height - 60;
}

function goTo(space, { near = false } = {}) {
  if (!space || !sheet.spots[space]) return;
  const before = groups.get(`space ${focused}`)?.firstElementChild;
  before?.setAttribute("tabindex", "-1");
  focused = space;
  const inner = groups.get(`space ${space}`)?.firstElementChild;
  inner?.setAttribute("tabindex", "0");
  inner?.focus({ preventScroll: true });
  const [x, y] = sheet.spots[space];
  const { width } = camera.view;
  if (near || !isSeen(space)) camera.goTo(x, y, near ? Math.min(width, find("map").clientWidth / 1.1) : width);
  mark();
  gutter();
  const [line] = linesOf(space);
  if (line) toLine(line, false);
}

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

function towards(dx, dy) { // the nearest space that way
  const [x, y] = sheet.spots[focused] ?? [camera.view.x + camera.view.width / 2, camera.view.y + camera.view.height / 2];
  let best = "";
  let least = Infinity;
  for (const [space, [sx, sy]] of Object.entries(sheet.spots)) {
    if (!groups.get(`space ${space}`)?.firstElementChild) continue;
    const along = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    if (space === focused || along <= 2 || along < aside * 0.6) continue;
    const cost = along + aside * 1.8;
    if (cost < least) [least, best] = [cost, space];
  }
  goTo(best);
}

function along(by) { // the next space that may be pointed at, else the next with a unit of one's own
  const spaces = gesture?.lit?.length ? gesture.lit : view.own;
  if (!spaces.length) return;
  const at = spaces.indexOf(focused);
  goTo(spaces[(at + by + spaces.length) % spaces.length]);
}

// --- what is shown ---------------------------------------------------------------------------------

function show(found) {
  view = found;
  document.title = `${view.writes ? "● " : ""}${view.title}`;
  find("title").textContent = view.title;
  find("moment").textContent = view.moment;
  find("moment").title = view.moment;
  const [side, at] = view.sides[view.side] ?? ["", 0];
  find("who").textContent = !view.side ? "" : view.writes ? say("{side}: you write", { side }) : say("{side}: waiting", { side });
  find("who").className = `side${at}`;
  if (wanted === null && document.activeElement !== find("text")) find("text").value = view.text;
  find("file").textContent = view.draft.split("/").pop();
  gutter();
  find("draft").hidden = !view.asked;
  showAsk();
  messages(view.problems);
  showTracks();
  showHands();
  banners();
  state();
  draw(view.fragments); // last: whatever asks for a size after it waits until the map is laid out
}

function banners() {
  if (hasEnded) return;
  if (looksOn) banner(say("Another tab is writing the orders. This one can only watch."), say("Write here"), () => act("take"));
  else if (view?.stale) {
    banner(say("The game has moved on, and this draft was for an earlier moment. It is saved in {file}.", { file: view.draft }),
      say("Start over"), anew);
  } else banner("");
}

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
  find("prompt").textContent = prompt ? `${prompt[0].toUpperCase()}${prompt.slice(1)}.${before ? ` (${before})` : ""}`
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

async function orderAlone(verb) {
  if (view.ask.ahead) return putIn("ahead", { verb });
  await act("begin", { verb });
  if (gesture?.legal) await order();
}

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
    button.setAttribute("aria-pressed", String(button.firstChild.textContent === gesture?.verb.replaceAll("_", " ")));
  }
  const making = find("making");
  making.hidden = !gesture;
  seeLit();
  find("mode").hidden = !gesture;
  mark();
  tip();
  if (!gesture) return making.replaceChildren();
  const wanted = gesture.fields.find((field) => field.name === gesture.wanted);
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

function withKey(button, name) {
  button.append(" ", key(name));
  return button;
}

function fieldRow(field) {
  const row = make("div", "", { class: field.name === gesture.wanted ? "row wanted" : "row" });
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

function toField(name) { // what is pointed at next goes there
  gesture.slot = name;
  return act("choose", { gesture: plain(), name: "", value: null });
}

function nextField(by) {
  const names = gesture?.fields.map((field) => field.name) ?? [];
  if (names.length) toField(names[(names.indexOf(gesture.wanted) + by + names.length) % names.length]);
}

function plain() { // the gesture as the session takes it
  const { verb, said, slot, at, picked } = gesture;
  return { verb, said, slot, at, picked };
}

async function click(space) {
  if (!view.asked || looksOn) return look(space);
  const before = gesture?.line;
  const told = await act("click", { gesture: gesture && plain(), place: space });
  if (told && gesture?.line === before && !gesture?.problems.length) look(space); // it means nothing here
}

async function order() {
  if (!gesture?.legal) return;
  const told = await putIn("order", { gesture: plain() });
  if (told) spoken(say("ordered, line {line}; {prompt}", { line: told.line, prompt: view.ask.prompt }));
}

function leave() {
  gesture = null;
  showGesture();
  messages(view.problems);
}

function look(space) { // what a space is, where nothing is to be done with it
  const told = groups.get(`space ${space}`)?.querySelector("title")?.textContent;
  if (!told) return;
  spoken(told);
  const shown = find("tip");
  shown.replaceChildren(...told.split("; ").map((line, at) => make(at ? "p" : "h3", line)));
  place(shown, space);
}

function tip() { // the chances of an attack, near what is attacked and never over it
  const shown = find("tip");
  shown.hidden = true;
  if (!gesture?.shares?.fire) return;
  const { where, fire, branches, ways, notes } = gesture.shares;
  const [attacker, defender] = fire;
  const share = (test) => branches.filter(test).reduce((sum, each) => sum + each.ways, 0) / ways;
  const wins = share((each) => each.winner === attacker.side);
  const loses = share((each) => each.winner === defender.side);
  const table = make("table");
  const row = (name, a, b, tag = "td") => {
    const line = make("tr");
    line.append(make("th", name), make(tag, a), make(tag, b));
    return line;
  };
  const name = (side) => view.sides[side]?.[0] ?? side;
  table.append(row("", name(attacker.side), name(defender.side), "th"),
    row(say("strength"), attacker.strength, defender.strength), row(say("fires on"), attacker.column, defender.column));
  const lines = [];
  for (const each of fire) {
    for (const { what, number, rule } of [...each.shifts, ...each.modifiers]) {
      lines.push(`${name(each.side)}: ${what} ${number > 0 ? "+" : "−"}${Math.abs(number)} [${rule}]`);
    }
  }
  const losses = (side) => {
    const lost = branches.map((each) => each.lost[side] ?? 0);
    return say("{side} loses {least} to {most} steps", { side: name(side), least: Math.min(...lost), most: Math.max(...lost) });
  };
  const percent = (part) => (part > 0 && part < 0.01 ? "<1" : part < 1 && part > 0.99 ? ">99" : `${Math.round(part * 100)}`);
  const bar = make("div", "", { class: "bar", role: "img",
    "aria-label": say("win {win}, nobody {nobody}, lose {lose} per cent",
      { win: percent(wins), nobody: percent(1 - wins - loses), lose: percent(loses) }) });
  const labels = { win: say("win {number}", { number: percent(wins) }), lose: say("lose {number}", { number: percent(loses) }) };
  for (const [kind, part] of [["win", wins], ["draw", 1 - wins - loses], ["lose", loses]]) {
    const piece = make("span", part > 0.12 ? labels[kind] ?? percent(part) : "", { class: kind });
    piece.style.flexGrow = Math.max(part, 0);
    bar.append(piece);
  }
  const head = make("h3", `${say("Attack on {space}", { space: where })} `);
  head.append(make("span", say("win {number} %", { number: percent(wins) })));
  shown.replaceChildren(head, table, ...lines.map((line) => make("p", line)), bar,
    make("p", `${losses(attacker.side)}, ${losses(defender.side)}.`),
    ...notes.map(({ what, rule }) => make("p", `${what} [${rule}]`)));
  place(shown, gesture.said.space ?? gesture.at);
}

function place(shown, space) {
  const spot = sheet.spots[space];
  shown.hidden = false;
  if (!spot) return;
  const field = find("field").getBoundingClientRect();
  const svg = find("map").querySelector("svg");
  const at = new DOMPoint(spot[0], spot[1]).matrixTransform(svg.getScreenCTM());
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
    const part = (number) => `${(100 * (number - low)) / (high - low || 1)}%`;
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
      cells.append(make("i", camp.rounds[at] ?? at + 1, { class: camp.rounds[at] ? "done" : false, title: camp.rounds[at] ?? false }));
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
  own.sort((a, b) => (b.side === view.side) - (a.side === view.side));
  find("hands").replaceChildren(...own.flatMap((camp) => camp.hand.map((card) => cardOf(camp, card))));
}

function cardOf(camp, card) {
  const ways = card.uses.filter((use) => !use.why.length).map((use) => use.name);
  const against = [...new Set(card.uses.flatMap((use) => use.why))];
  const isMine = camp.side === view.side;
  const fits = isMine && ways.length > 0;
  const told = make("button", "", {
    type: "button", class: `card side${view.sides[camp.side]?.[1] ?? 0}${fits ? "" : " unfit"}`,
    title: [card.kind, card.figures, ...card.text].filter(Boolean).join("\n"),
    onclick: () => (isMine ? act("choose", { gesture: gesture && plain(), name: sheet.piece, value: card.id }) : null),
    ondblclick: () => cardSheet(card),
  });
  const name = make("strong", card.title);
  name.prepend(make("em", card.id), " ");
  told.append(name, make("span", card.worth, { class: "worth" }), make("small", card.text.join(" ")),
    make("span", !isMine ? "" : fits ? say("for {uses}", { uses: ways.join(", ") }) : against[0] ?? "", { class: "why" }));
  return told;
}

function cardSheet(card) {
  const uses = card.uses.map((use) => make("p", use.why.length
    ? say("not for {use}: {why}", { use: use.name, why: use.why.join("; ") }) : say("for {uses}", { uses: use.name })));
  dialog(`${card.id} ${card.title}`, [make("p", `${card.kind}; ${card.figures}`), ...card.text.map((line) => make("p", line)), ...uses]);
}

function messages(problems, remarks = null) {
  const told = problems.map(({ line, message, rule, hint }) => {
    const row = make("p", "", { class: "fault" });
    if (line) row.append(make("button", say("Line {number}", { number: line }), { type: "button", class: "line", onclick: () => toLine(line) }), " ");
    row.append(`${message}${rule ? ` [${rule}]` : ""}`);
    if (hint) row.append(make("span", hint, { class: "hint" }));
    const mended = mend(problems, line, message, hint);
    if (mended) row.append(make("button", say("Mend"), { type: "button", onclick: mended }));
    return row;
  });
  const noted = remarks ?? (view?.verdicts ?? []).filter((each) => each.mark === "remark").map((each) => say("line {number}: {remark}", { number: each.line, remark: each.words }));
  told.push(...noted.map((words) => make("p", words, { class: "remark" })));
  find("messages").replaceChildren(...told);
}

function mend(problems, line, message, hint) { // where there is exactly one way out, one press takes it
  const meant = hint?.match(/ ([^ ?]+)\?$/)?.[1];
  const wrong = message.match(/'([^']+)'/)?.[1];
  if (!meant || !wrong || !line || looksOn) return null;
  return () => {
    const lines = find("text").value.split("\n");
    lines[line - 1] = lines[line - 1].replace(wrong, meant);
    edit(lines.join("\n"));
  };
}

function note(words) {
  find("messages").replaceChildren(make("p", words, { class: "remark" }));
  spoken(words);
}

function spoken(words) {
  find("spoken").textContent = words ?? "";
}

function state() {
  const faults = view.problems.length;
  const isOpen = view.asked && view.ask.verbs.length > 0 && !view.ask.ahead;
  const has = !view.asked || /^\s*-\s/m.test(view.text.replace(/^\s*#.*$/gm, ""));
  find("send").disabled = faults > 0 || looksOn || !view.writes || !has || view.stale;
  find("undo").disabled = looksOn || !past.length;
  find("redo").disabled = looksOn || !future.length;
  for (const id of ["check", "form", "standing"]) find(id).disabled = !view.asked || (looksOn && id === "standing");
  const told = faults ? say("Faults: {number}.", { number: faults })
    : !view.writes ? "" : !view.asked ? say("You owe an answer without a choice.") : isOpen ? say("You are still asked.") : "";
  const last = say("Nothing is rolled or signed before the last button.");
  find("state").textContent = [told, view.sealed && `${view.sealed}.`, last].filter(Boolean).join(" ");
  confirmed = "";
}

// --- the text ----------------------------------------------------------------------------------------

let typing = 0;
let wanted = null; // the text that was last asked for, as long as no answer has come

function gutter() {
  const bad = new Map(view.verdicts.map(({ line, mark }) => [line, mark]));
  for (const { line, mark } of view.verdicts) if (mark === "bad") bad.set(line, mark);
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

function setText(text, line = 0) {
  find("text").value = text;
  gutter();
  if (line) toLine(line, false);
}

function toLine(line, focus = true) {
  const text = find("text");
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  text.scrollTop = Math.max(0, (line - 4) * 20);
  if (focus) text.focus();
}

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
  if (!past.length || looksOn) return;
  future.push(find("text").value);
  await edit(past.pop(), { undoing: true });
}

async function redo() {
  if (!future.length || looksOn) return;
  past.push(find("text").value);
  await edit(future.pop(), { undoing: true });
}

// --- the buttons -------------------------------------------------------------------------------------

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
  if (told) dialog(say("Check"), [make("pre", told.told)]);
}

async function form() {
  const told = await act("form");
  if (told) dialog(say("The form"), [make("pre", told.told)]);
}

async function standing() {
  await flush();
  await putIn("standing");
}

async function tell() {
  const told = await act("story");
  if (!told) return;
  dialog(say("The story"), []);
  find("sheet-body").innerHTML = told.html; // made by the program, in which all that players wrote is escaped
  find("sheet-body").scrollTop = find("sheet-body").scrollHeight;
}

async function send() {
  await flush();
  if (find("send").disabled) return;
  if (view.asked && view.ask.verbs.length && !view.ask.ahead && confirmed !== "send") {
    confirmed = "send";
    find("state").textContent = say("You are still asked to {prompt}. Press again to send anyway.", { prompt: view.ask.prompt });
    spoken(find("state").textContent);
    return;
  }
  const told = await act("send", { text: find("text").value });
  if (!told) return;
  [past, future] = [[], []];
  setText(view.text);
  dialog(say("Signed and written"), [make("pre", told.lines.join("\n"))]);
}

const HELP = [
  ["/", say("find a space or a unit")], ["← → ↑ ↓", say("the nearest space that way")], ["N P", say("the next, the last space that may be chosen")],
  ["Enter", say("choose the space; once more: order")], ["O", say("order what is legal")], ["[ ]", say("the field before, the next one")],
  ["1 … 9", say("choose what is offered")], ["Esc", say("leave the order in the making")],
  ["D", say("nothing further")], ["L", say("the story")], ["+ - 0", say("nearer, farther, the whole map")],
  ["Ctrl Z, Ctrl Shift Z", say("undo, redo")], ["Ctrl Enter", say("check")], ["Ctrl S", say("sign and write")], ["E", say("edit the orders")],
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

for (const [id, does] of Object.entries({ check, form, standing, send, tell, undo, redo, help })) find(id).onclick = does;
find("nearer").onclick = () => camera.zoom(1 / 1.3);
find("farther").onclick = () => camera.zoom(1.3);
find("whole").onclick = () => camera.whole();
find("map").onclick = (event) => {
  const space = spaceAt(event);
  if (!space) return;
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

const LETTERS = {
  ArrowLeft: () => towards(-1, 0), ArrowRight: () => towards(1, 0), ArrowUp: () => towards(0, -1), ArrowDown: () => towards(0, 1),
  "+": () => camera.zoom(1 / 1.3), "-": () => camera.zoom(1.3), 0: () => camera.whole(),
  o: order, "]": () => nextField(1), "[": () => nextField(-1), n: () => along(1), p: () => along(-1), l: tell, "?": help, "/": () => find("sought").focus(), e: () => find("text").focus(),
  d: () => { const alone = view.ask.verbs.find((each) => !each.fields); if (alone && !looksOn) orderAlone(alone.verb); },
};

document.addEventListener("keydown", (event) => {
  if (!view || find("sheet").open) return;
  const command = event.ctrlKey || event.metaKey;
  const isTyping = event.target.closest("textarea, input");
  const does = command ? { z: event.shiftKey ? redo : undo, y: redo, s: send, Enter: check }[event.key.length === 1 ? event.key.toLowerCase() : event.key] : null;
  if (does) {
    event.preventDefault();
    return void does();
  }
  if (command || event.altKey) return;
  if (event.key === "Escape") {
    find("tip").hidden = true;
    if (isTyping) return void goTo(focused || Object.keys(sheet.spots)[0]);
    return void leave();
  }
  if (isTyping) return;
  if (event.key === "Enter") {
    if (event.target.closest("button")) return;
    event.preventDefault();
    if (gesture?.legal && (!focused || focused === gesture.at)) return void order();
    if (focused) click(focused);
    return;
  }
  if (/^[1-9]$/.test(event.key) && gesture) {
    const field = gesture.fields.find((each) => each.name === gesture.wanted && each.chips.length) ?? gesture.fields.find((each) => each.chips.length);
    const chip = field?.chips[Number(event.key) - 1];
    if (chip) act("choose", { gesture: plain(), name: field.name, value: chip.value });
    return;
  }
  const letter = LETTERS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!letter) return;
  event.preventDefault();
  letter();
});

// --- the beginning -----------------------------------------------------------------------------------

async function reopen(what) {
  const told = await act(what);
  if (told) setText(view.text);
}

const stream = new EventSource(`/alive?tab=${tab}&key=${encodeURIComponent(secret)}`);
const started = reopen("start");
stream.onmessage = async (event) => {
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
