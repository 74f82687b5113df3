import type { CameraOptions } from 'maplibre-gl';
import { onSessionEnd } from '../../../app/session/session.ts';

let left: CameraOptions | null = null;
// Whoever signs in next has vehicles of their own elsewhere.
onSessionEnd(() => leaveView(null));

/** Keeps where the map looked before something else takes its place. */
export function leaveView(view: CameraOptions | null): void {
  left = view;
}

/** Where the map looked then, once. */
export function takeView(): CameraOptions | null {
  const view = left;
  left = null;
  return view;
}
