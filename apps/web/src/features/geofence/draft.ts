import type { GeofenceColor, GeofenceKind, GeofenceShape } from '@milepost/contract';
import { create } from 'zustand';

/** Select and move, or draw one of the kinds. */
export type Tool = 'select' | GeofenceKind;

/** Stands for the ID of a geofence that is not saved yet. */
export const NEW_GEOFENCE = 'new';

interface Draft {
  /** Of the open geofence; null for none. */
  readonly id: string | null;
  readonly shape: GeofenceShape | null;
  readonly color: GeofenceColor;
  readonly isRestricted: boolean;
  readonly bufferM: number;
  readonly mayEdit: boolean;
  readonly tool: Tool;
  readonly snaps: boolean;
  /** The chosen point, counted through all rings. */
  readonly point: number;
  readonly past: readonly (GeofenceShape | null)[];
  readonly future: readonly (GeofenceShape | null)[];
}

const NOTHING: Draft = {
  id: null,
  shape: null,
  color: 'blue',
  isRestricted: false,
  bufferM: 0,
  mayEdit: false,
  tool: 'select',
  snaps: true,
  point: 0,
  past: [],
  future: [],
};

/** The geofence that is open: its map, its form and its points show and change the same shape. */
export const useDraft = create<Draft>(() => NOTHING);

export const openDraft = (draft: Pick<Draft, 'id' | 'shape' | 'mayEdit' | 'tool'>): void =>
  useDraft.setState(({ snaps }) => ({ ...NOTHING, snaps, ...draft }));

export const closeDraft = (): void => useDraft.setState(({ snaps }) => ({ ...NOTHING, snaps }));

/** How it is drawn, by the form. */
export const styleDraft = (style: Pick<Draft, 'color' | 'isRestricted' | 'bufferM'>): void => useDraft.setState(style);

/** A step that can be undone. */
export const changeShape = (shape: GeofenceShape): void =>
  useDraft.setState(before => ({ shape, past: [...before.past, before.shape], future: [] }));

/** Another one saved it, or it was discarded: nothing to undo. */
export const resetShape = (shape: GeofenceShape | null): void =>
  useDraft.setState({ shape, past: [], future: [], point: 0 });

export const undo = (): void =>
  useDraft.setState(({ past, shape, future }) =>
    past.length === 0
      ? {}
      : { shape: past.at(-1) ?? null, past: past.slice(0, -1), future: [shape, ...future], point: 0 },
  );

export const redo = (): void =>
  useDraft.setState(({ past, shape, future }) =>
    future.length === 0 ? {} : { shape: future[0] ?? null, past: [...past, shape], future: future.slice(1), point: 0 },
  );

export const chooseTool = (tool: Tool): void => useDraft.setState({ tool });
export const choosePoint = (point: number): void => useDraft.setState({ point });
export const toggleSnapping = (): void => useDraft.setState(({ snaps }) => ({ snaps: !snaps }));
