// The view of a map: moved by dragging, seen from near and from far. A drag is no click.
/** @import { Box, Camera } from "./told" */

/**
 * @param {HTMLElement} map
 * @param {SVGSVGElement} svg
 * @returns {Camera}
 */
export function mapView(map, svg) {
  const whole = svg.viewBox.baseVal;
  const size = { width: whole.width, height: whole.height };
  /** @type {Box} */
  const view = { x: 0, y: 0, ...size };
  /** @type {((view: Box) => void)[]} */
  const seen = [];
  /** @type {{ x: number, y: number, left: number, top: number } | null} */
  let held = null;
  let moved = false;
  /** @type {DOMRectReadOnly} */
  let room = map.getBoundingClientRect();
  new ResizeObserver((found) => { for (const each of found) room = each.contentRect; level(); }).observe(map);

  function level() { // what can be read at this distance: paper.css draws less from afar
    const near = Math.min(room.width / view.width, room.height / view.height);
    svg.classList.toggle("far", near < 0.65);
    svg.classList.toggle("middle", near >= 0.65 && near < 1);
  }

  level();

  function look() {
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    level();
    for (const tell of seen) tell(view);
  }

  /** @param {MouseEvent} event */
  function spot(event) { // the place of the map under the pointer
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    return { x: at.x, y: at.y };
  }

  /** @param {number} by */
  function zoom(by, at = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) {
    const scale = Math.min(1.25, Math.max(0.08, (view.width * by) / size.width)) * size.width / view.width;
    view.x = at.x - (at.x - view.x) * scale;
    view.y = at.y - (at.y - view.y) * scale;
    view.width *= scale;
    view.height *= scale;
    look();
  }

  function showWhole() {
    Object.assign(view, { x: 0, y: 0 }, size);
    look();
  }

  /** @type {Camera["goTo"]} */
  function goTo(x, y, width = view.width) { // a place of the map in the middle
    const by = width / view.width;
    view.width = width;
    view.height *= by;
    view.x = x - view.width / 2;
    view.y = y - view.height / 2;
    look();
  }

  map.onpointerdown = (event) => {
    held = { ...spot(event), left: event.clientX, top: event.clientY };
    moved = false;
  };
  map.onpointerup = map.onpointercancel = () => { held = null; map.classList.remove("held"); };
  map.onpointermove = (event) => {
    if (!held) return;
    if (!moved && Math.hypot(event.clientX - held.left, event.clientY - held.top) < 4) return;
    if (!moved) map.setPointerCapture(event.pointerId);
    moved = true;
    map.classList.add("held");
    const at = spot(event);
    view.x += held.x - at.x;
    view.y += held.y - at.y;
    look();
  };
  map.addEventListener("click", (event) => { if (moved) event.stopPropagation(); }, true);
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, spot(event));
  }, { passive: false });
  return { zoom, whole: showWhole, goTo, view, size, watch: (tell) => seen.push(tell) };
}

