import type { CameraOptions } from 'maplibre-gl';
import { onSessionEnd } from '../base/session/session.ts';

let asked: CameraOptions | null = null;
const maps = new Set<() => void>();
// Anyone who signs in next has vehicles of their own elsewhere.
onSessionEnd(() => {
  asked = null;
});

/** The map of the dashboard is to look there: now, where it is on the page, else as soon as it is. */
export function askForView(view: CameraOptions): void {
  asked = view;
  for (const look of maps) look();
}

/** Where the map is to look, once. */
export function takeView(): CameraOptions | null {
  const view = asked;
  asked = null;
  return view;
}

/** Calls when someone asks for a view; answers how to end that. */
export function onViewAsked(look: () => void): () => void {
  maps.add(look);
  return () => void maps.delete(look);
}
