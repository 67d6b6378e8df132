// Goes through the moments of a game: each is the fragments of the picture that differ from the one before.
/** @import { Moment, PageParts } from "./told" */
(async () => {
  /** @type {<K extends keyof PageParts>(id: K) => PageParts[K]} */
  const find = (id) => /** @type {any} */ (document.getElementById(id));
  const svg = /** @type {SVGSVGElement} */ (document.querySelector("#map svg"));
  const groups = [...svg.querySelectorAll("g[data-fragment]")];
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll("section[data-entry]");
  const sections = [...found];
  const slider = find("at");

  /** @returns {Promise<Moment[]>} */
  async function unpacked() {
    const raw = Uint8Array.from(atob(find("moments").textContent ?? ""), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /** @type {Moment[]} */
  let changes;
  try {
    changes = await unpacked();
  } catch {
    return; // an old browser: the last moment and the story are there all the same
  }
  /** @type {{ entry: number, words: string, fragments: string[] }[]} */
  const moments = [];
  let fragments = groups.map(() => "");
  for (const [entry, words, changed] of changes) {
    fragments = fragments.slice();
    for (const [at, markup] of Object.entries(changed)) fragments[Number(at)] = markup;
    moments.push({ entry, words, fragments });
  }

  // --- the moment ------------------------------------------------------------------------------

  let now = moments.length - 1;
  let shown = fragments;
  let timer = 0;

  /** @param {number} at */
  function show(at, scroll = true) {
    now = Math.max(0, Math.min(moments.length - 1, at));
    const moment = moments[now];
    if (!moment) return;
    for (const [fragment, group] of groups.entries()) {
      const markup = moment.fragments[fragment] ?? "";
      if (markup !== shown[fragment]) group.innerHTML = markup;
    }
    shown = moment.fragments;
    find("moment").textContent = say("{moment} · entry {number}", { moment: moment.words, number: moment.entry });
    slider.value = String(now);
    const first = (moments[now - 1]?.entry ?? -1) + 1;
    /** @type {HTMLElement | null} */
    let told = null;
    for (const section of sections) {
      const entry = Number(section.dataset.entry);
      const isNow = entry >= first && entry <= moment.entry;
      section.classList.toggle("now", isNow);
      if (isNow) told ??= section;
    }
    if (scroll && told) told.scrollIntoView({ block: "center", behavior: timer ? "auto" : "smooth" });
    if (now === moments.length - 1) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    find("play").textContent = say("▶ Play");
  }

  function play() {
    if (timer) return stop();
    if (now === moments.length - 1) show(0);
    timer = setInterval(() => show(now + 1), 1200);
    find("play").textContent = say("❚❚ Pause");
  }

  /** @param {number} entry */
  function momentOf(entry) {
    const at = moments.findIndex((each) => each.entry >= entry);
    return at < 0 ? moments.length - 1 : at;
  }

  /**
   * @param {Event} event
   * @param {string} what
   */
  const within = (event, what) => /** @type {Element} */ (event.target).closest(what) !== null;
  const step = (/** @type {number} */ by) => () => { stop(); show(now + by); };
  find("first").onclick = step(-Infinity);
  find("back").onclick = step(-1);
  find("next").onclick = step(1);
  find("last").onclick = step(Infinity);
  find("play").onclick = play;
  slider.oninput = () => { stop(); show(Number(slider.value)); };
  for (const section of sections) {
    const go = () => { stop(); show(momentOf(Number(section.dataset.entry)), false); };
    section.onclick = (event) => { if (!within(event, "details")) go(); };
    section.onkeydown = (event) => { if (event.key === "Enter" && event.target === section) go(); };
  }

  const view = mapView(find("map"), svg);
  find("nearer").onclick = () => view.zoom(1 / 1.3);
  find("farther").onclick = () => view.zoom(1.3);
  find("whole").onclick = () => view.whole();

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: step(-1), ArrowRight: step(1), Home: step(-Infinity), End: step(Infinity), " ": play,
    "+": () => view.zoom(1 / 1.3), "-": () => view.zoom(1.3), 0: view.whole,
  };
  document.addEventListener("keydown", (event) => {
    const isPressed = within(event, "button, summary, input") && [" ", "Enter"].includes(event.key);
    const does = keys[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey || isPressed) return;
    event.preventDefault();
    does();
  });

  find("controls").hidden = false;
  show(now);
})();
