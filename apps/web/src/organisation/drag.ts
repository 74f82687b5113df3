import type { DragEvent } from 'react';
import { create } from 'zustand';
import type { GroupKind } from './organisation.ts';

/** What is being dragged: group members, or a group. */
export interface Dragged {
  readonly kind: GroupKind;
  readonly what: 'members' | 'group';
  readonly ids: readonly string[];
  /** Name of the one that is dragged. */
  readonly name: string;
}

interface DragState {
  readonly dragged: Dragged | null;
  /** Name of the group that would take it. */
  readonly target: string | null;
}

export const useDrag = create<DragState>(() => ({ dragged: null, target: null }));

/** The browser's own picture of the row stays away: the ghost says where it would go. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const noPicture = new Image();
noPicture.src = NO_PICTURE;

export function startDrag(data: DragEvent['dataTransfer'], dragged: Dragged): void {
  data.effectAllowed = 'move';
  // Firefox drags nothing without data; it is of no use elsewhere.
  data.setData('text/plain', dragged.name);
  data.setDragImage(noPicture, 0, 0);
  // Chromium ends a drag whose beginning changes the page.
  setTimeout(() => useDrag.setState({ dragged, target: null }));
  document.addEventListener('dragend', endDrag, { once: true });
}

export function endDrag(): void {
  document.removeEventListener('dragend', endDrag);
  useDrag.setState({ dragged: null, target: null });
}

export const aimAt = (target: string | null): void => useDrag.setState({ target });
