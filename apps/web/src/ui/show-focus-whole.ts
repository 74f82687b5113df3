/**
 * Scrolls so that all of what the keyboard focused is in view. Browsers do so only if none of it is: of the buttons in a
 * row that scrolls sideways, a corner was enough for them. What fills much of the window stays as it is.
 */
export function showFocusWhole(): void {
  window.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return;
    const { width, height } = target.getBoundingClientRect();
    if (width < innerWidth && height < innerHeight / 2) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}
