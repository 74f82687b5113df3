import type { GeofenceColor, GeofenceKind, GeofenceShape } from '@milepost/contract';
import { create } from 'zustand';

/** Select and move, draw one of the kinds, or cut a hole into the polygon. */
export type Tool = 'select' | GeofenceKind | 'hole';

/** Used as ID of a geofence that is not saved yet. */
export const NEW_GEOFENCE = 'new';

interface Draft {
  /** Of the open geofence; null if none is open. */
  readonly id: string | null;
  readonly shape: GeofenceShape | null;
  readonly color: GeofenceColor;
  readonly isRestricted: boolean;
  readonly bufferM: number;
  readonly mayEdit: boolean;
  readonly tool: Tool;
  readonly snaps: boolean;
  /** Index of the selected point, counted through all rings. */
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

/** The open geofence. Map, form and list of points show and edit the same shape. */
export const useDraft = create<Draft>(() => NOTHING);

export const openDraft = (draft: Pick<Draft, 'id' | 'shape' | 'mayEdit' | 'tool'>): void =>
  useDraft.setState(({ snaps }) => ({ ...NOTHING, snaps, ...draft }));

export const closeDraft = (): void => useDraft.setState(({ snaps }) => ({ ...NOTHING, snaps }));

/** Sets how the shape is drawn, from the form. */
export const styleDraft = (style: Pick<Draft, 'color' | 'isRestricted' | 'bufferM'>): void => useDraft.setState(style);

/** Changes the shape; this can be undone. */
export const changeShape = (shape: GeofenceShape): void =>
  useDraft.setState(before => ({ shape, past: [...before.past, before.shape], future: [] }));

/** Someone else saved the shape, or it was discarded: there is nothing to undo. */
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
