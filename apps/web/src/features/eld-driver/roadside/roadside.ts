import { create } from 'zustand';
import { roadsideMode, setRoadsideMode } from '../../../base/session/roadside-lock.ts';
import { onSessionEnd } from '../../../base/session/session.ts';

export type RoadsideMode = 'inspection' | 'practice';
const REHEARSED = 'roadsideRehearsed';

const readMode = (): RoadsideMode | null => {
  const mode = roadsideMode();
  return mode === 'inspection' || mode === 'practice' ? mode : null;
};

/** Whether the phone shows only the officer's screens. */
export const useRoadside = create<{ readonly mode: RoadsideMode | null; readonly sinceMs: number }>(() => ({
  mode: readMode(),
  sinceMs: Date.now(),
}));

export function startRoadside(mode: RoadsideMode): void {
  setRoadsideMode(mode);
  useRoadside.setState({ mode, sinceMs: Date.now() });
}

export function leaveRoadside(): void {
  setRoadsideMode(null);
  useRoadside.setState({ mode: null });
}

/** Whether this driver has finished a practice inspection on this phone. */
export const hasRehearsed = (owner: string): boolean => localStorage.getItem(REHEARSED) === owner;
export const noteRehearsal = (owner: string): void => localStorage.setItem(REHEARSED, owner);

onSessionEnd(leaveRoadside);
