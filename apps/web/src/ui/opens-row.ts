import type { MouseEvent } from 'react';

/**
 * Elements in a row that handle clicks themselves. This includes the cell around a checkbox, in case a finger misses
 * the box.
 */
const ITS_OWN = 'button, a, input, label, select, [popover], td:has([data-pick])';

/** Whether a click on a row opens it. It does unless it hits a control or ends a text selection. */
export function opensRow({ target, button }: MouseEvent): boolean {
  if (button !== 0 || !(target instanceof Element) || target.closest(ITS_OWN)) return false;
  return getSelection()?.isCollapsed !== false;
}
