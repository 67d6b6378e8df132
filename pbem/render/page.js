// Goes through the moments of a game: each is the fragments of the picture that differ from the one before.
(async () => {
  const find = (id) => document.getElementById(id);
  const svg = document.querySelector("#map svg");
  const groups = [...svg.querySelectorAll("g[data-fragment]")];
  const sections = [...document.querySelectorAll("section[data-entry]")];
  const slider = find("at");

  async function unpacked() {
    const raw = Uint8Array.from(atob(find("moments").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  let changes;
  try {
    changes = await unpacked();
  } catch {
    return; // an old browser: the last moment and the story are there all the same
  }
  const moments = [];
  let fragments = groups.map(() => "");
  for (const [entry, words, changed] of changes) {
    fragments = fragments.slice();
    for (const [at, markup] of Object.entries(changed)) fragments[at] = markup;
    moments.push({ entry, words, fragments });
  }

  // --- the moment ------------------------------------------------------------------------------

  let now = moments.length - 1;
  let shown = moments[now].fragments;
  let timer = 0;

  function show(at, scroll = true) {
    now = Math.max(0, Math.min(moments.length - 1, at));
    const moment = moments[now];
    moment.fragments.forEach((markup, fragment) => {
      if (markup !== shown[fragment]) groups[fragment].innerHTML = markup;
    });
    shown = moment.fragments;
    find("moment").textContent = say("{moment} · entry {number}", { moment: moment.words, number: moment.entry });
    slider.value = now;
    const first = now ? moments[now - 1].entry + 1 : 0;
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

  function momentOf(entry) {
    const at = moments.findIndex((each) => each.entry >= entry);
    return at < 0 ? moments.length - 1 : at;
  }

  const step = (by) => () => { stop(); show(now + by); };
  find("first").onclick = step(-Infinity);
  find("back").onclick = step(-1);
  find("next").onclick = step(1);
  find("last").onclick = step(Infinity);
  find("play").onclick = play;
  slider.oninput = () => { stop(); show(Number(slider.value)); };
  for (const section of sections) {
    const go = () => { stop(); show(momentOf(Number(section.dataset.entry)), false); };
    section.onclick = (event) => { if (!event.target.closest("details")) go(); };
    section.onkeydown = (event) => { if (event.key === "Enter" && event.target === section) go(); };
  }

  const view = mapView(find("map"), svg);
  find("nearer").onclick = () => view.zoom(1 / 1.3);
  find("farther").onclick = () => view.zoom(1.3);
  find("whole").onclick = view.whole;

  const keys = {
    ArrowLeft: step(-1), ArrowRight: step(1), Home: step(-Infinity), End: step(Infinity), " ": play,
    "+": () => view.zoom(1 / 1.3), "-": () => view.zoom(1.3), 0: view.whole,
  };
  document.addEventListener("keydown", (event) => {
    const isPressed = event.target.closest("button, summary, input") && [" ", "Enter"].includes(event.key);
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey || isPressed) return;
    event.preventDefault();
    keys[event.key]();
  });

  find("controls").hidden = false;
  show(now);
})();
