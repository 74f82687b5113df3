import type { DragEvent } from 'react';
import { create } from 'zustand';
import type { GroupKind } from './organisation.ts';

/** What the user is dragging: members of a group, or a group. */
export interface Dragged {
  readonly kind: GroupKind;
  readonly what: 'members' | 'group';
  readonly ids: readonly string[];
  /** Name of the dragged item. */
  readonly name: string;
}

interface DragState {
  readonly dragged: Dragged | null;
  /** Name of the group that would receive it. */
  readonly target: string | null;
}

export const useDrag = create<DragState>(() => ({ dragged: null, target: null }));

/** An empty drag image that replaces the browser's picture of the row, because `DragGhost` shows where it would go. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const noPicture = new Image();
noPicture.src = NO_PICTURE;

export function startDrag(data: DragEvent['dataTransfer'], dragged: Dragged): void {
  data.effectAllowed = 'move';
  // Firefox doesn't start a drag without data. The data isn't used.
  data.setData('text/plain', dragged.name);
  data.setDragImage(noPicture, 0, 0);
  // Chromium cancels a drag if the page changes as it starts.
  setTimeout(() => useDrag.setState({ dragged, target: null }));
  document.addEventListener('dragend', endDrag, { once: true });
}

export function endDrag(): void {
  document.removeEventListener('dragend', endDrag);
  useDrag.setState({ dragged: null, target: null });
}

export const aimAt = (target: string | null): void => useDrag.setState({ target });
