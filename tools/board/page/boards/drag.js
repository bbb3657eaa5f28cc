// @ts-check
// A piece dragged from one place to another, on any board.

/** Less than this is a click. */
const THRESHOLD = 8;

let underWay = false;

/** Whether a piece is being dragged: the board must not be drawn anew under it. */
export function isDragging() {
  return underWay;
}

/**
 * Follow the pointer from a press on; a press that is let go where it began is a click, and nothing happens here.
 * @param {PointerEvent} event the press
 * @param {SVGElement} board
 * @param {Element | null} piece
 * @param {(target: Element | null) => void} onDrop what lies under the pointer where the piece is let go
 */
export function drag(event, board, piece, onDrop) {
  const home = piece?.getAttribute("transform") ?? "";
  const scale = 1 / (/** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (board)).getScreenCTM()?.a ?? 1);
  const begin = { x: event.clientX, y: event.clientY };
  const move = (/** @type {PointerEvent} */ at) => {
    const [x, y] = [at.clientX - begin.x, at.clientY - begin.y];
    if (!underWay && Math.hypot(x, y) < THRESHOLD) return;
    underWay = true;
    piece?.setAttribute("transform", `translate(${x * scale} ${y * scale}) ${home}`);
    piece?.classList.add("dragged");
  };
  const up = (/** @type {PointerEvent} */ at) => {
    for (const [name, act] of /** @type {const} */ ([["pointermove", move], ["pointerup", up], ["pointercancel", up]])) {
      document.removeEventListener(name, act);
    }
    if (!underWay) return;
    // The click that follows the release is still part of the drag.
    setTimeout(() => (underWay = false));
    if (home) piece?.setAttribute("transform", home);
    else piece?.removeAttribute("transform");
    piece?.classList.remove("dragged");
    if (at.type === "pointerup") onDrop(document.elementFromPoint(at.clientX, at.clientY));
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", up);
}
