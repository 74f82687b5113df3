import type { CameraOptions } from 'maplibre-gl';
import { onSessionEnd } from '../base/session/session.ts';

let asked: CameraOptions | null = null;
const maps = new Set<() => void>();
// The next user has other vehicles, so the requested view means nothing to them.
onSessionEnd(() => {
  asked = null;
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
