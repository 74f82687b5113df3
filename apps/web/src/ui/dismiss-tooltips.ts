/** Esc hides the tooltip until the pointer or the focus moves (WCAG 2.2, 1.4.13 "dismissible"). */
export function dismissTooltipsOnEscape(root: HTMLElement): void {
  window.addEventListener('keydown', event => {
    if (event.key === 'Escape') root.dataset.tooltips = 'dismissed';
  });
  const again = () => delete root.dataset.tooltips;
  window.addEventListener('pointerover', again);
  window.addEventListener('focusin', again);
}
