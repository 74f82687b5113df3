let pressed = false;
if (typeof window !== 'undefined') {
  const set = (to: boolean) => () => {
    pressed = to;
  };
  window.addEventListener('pointerdown', set(true), { capture: true });
  window.addEventListener('pointerup', set(false), { capture: true });
  window.addEventListener('pointercancel', set(false), { capture: true });
}

/**
 * Runs at once, or after the press that is under way. A message that appears between the press and the release of a
 * button moves it away from under the pointer, and the click is lost.
 */
export function afterPress(run: () => void): void {
  if (!pressed) {
    run();
    return;
  }
  const over = new AbortController();
  const later = () => {
    over.abort();
    setTimeout(run);
  };
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, later, { signal: over.signal });
}
