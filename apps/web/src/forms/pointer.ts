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
 * Runs now, or after the current press of the pointer ends. If a message appeared between press and release of a
 * button, it would push the button away from under the pointer, and the click would be lost.
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
