/** Remembers that a driver keeps no log, as the server last said, because the app then starts on another page. */
const KEY = 'keepsNoLog';

export const keepsNoLog = (): boolean => localStorage.getItem(KEY) !== null;

export function noteOwnLog(keeps: boolean): void {
  if (keeps) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, '1');
}
