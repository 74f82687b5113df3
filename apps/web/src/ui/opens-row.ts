import type { MouseEvent } from 'react';

/** What a click in a row means for itself; also the cell around a box, where a finger misses it. */
const ITS_OWN = 'button, a, input, label, select, [popover], td:has([data-pick])';

/** Whether a click in a row opens it: anywhere but on its controls, and not at the end of marking its text. */
export function opensRow({ target, button }: MouseEvent): boolean {
  if (button !== 0 || !(target instanceof Element) || target.closest(ITS_OWN)) return false;
  return getSelection()?.isCollapsed !== false;
}
