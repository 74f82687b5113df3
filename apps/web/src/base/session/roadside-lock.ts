/**
 * While an officer has the phone, only the driver's log opens. Stored in the browser so that a reload doesn't unlock
 * it.
 */
const KEY = 'roadside';

export const roadsideMode = (): string | null => localStorage.getItem(KEY);

export function setRoadsideMode(mode: 'inspection' | 'practice' | null): void {
  if (mode === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, mode);
}
