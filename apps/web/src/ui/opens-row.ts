import type { MouseEvent } from 'react';

/** Click targets in a row with their own action, including the cell around a checkbox, for fingers that miss it. */
const ITS_OWN = 'button, a, input, label, select, [popover], td:has([data-pick])';

/** Whether a click in a row opens it: anywhere but on its controls, and not at the end of marking its text. */
export function opensRow({ target, button }: MouseEvent): boolean {
  if (button !== 0 || !(target instanceof Element) || target.closest(ITS_OWN)) return false;
  return getSelection()?.isCollapsed !== false;
}
