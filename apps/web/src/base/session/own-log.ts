/** What the server said last about the driver's log, for the next start: a driver without one begins elsewhere. */
const KEY = 'keepsNoLog';

export const keepsNoLog = (): boolean => localStorage.getItem(KEY) !== null;

export function noteOwnLog(keeps: boolean): void {
  if (keeps) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, '1');
}
