import type { CameraOptions } from 'maplibre-gl';
import { create } from 'zustand';
import { onSessionEnd } from '../base/session/session.ts';
import type { Spot } from './camera.ts';

let asked: CameraOptions | null = null;
const maps = new Set<() => void>();
// The next user has other vehicles, so the requested view means nothing to them.
onSessionEnd(() => {
  asked = null;
  forgetFound();
});

/** Moves the dashboard's map to this view: at once if the map is on the page, otherwise as soon as it is. */
export function askForView(view: CameraOptions): void {
  asked = view;
  for (const look of maps) look();
}

/** The requested view, if any. It is handed out once. */
export function takeView(): CameraOptions | null {
  const view = asked;
  asked = null;
  return view;
}

/** Calls `look` whenever a view is requested. Returns a function that stops this. */
export function onViewAsked(look: () => void): () => void {
  maps.add(look);
  return () => void maps.delete(look);
}

export interface FoundPlace extends Spot {
  readonly name: string;
}

/** The place that the user has searched for, marked on the dashboard's map until they remove it. */
export const useFoundPlace = create<{ readonly found: FoundPlace | null }>(() => ({ found: null }));

export function askForPlace(found: FoundPlace, zoom: number): void {
  useFoundPlace.setState({ found });
  askForView({ center: [found.lon, found.lat], zoom });
}

export const forgetFound = (): void => useFoundPlace.setState({ found: null });
