import { onSessionEnd } from '../../base/session/session.ts';

/** IDs of recently chosen items, newest first. Cleared at sign-out, as all data that names vehicles is. */
const KEY = 'recentSearches';
const KEPT = 6;

export function readRecent(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(id => typeof id === 'string').slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function keepRecent(id: string): void {
  const ids = [id, ...readRecent().filter(one => one !== id)].slice(0, KEPT);
  localStorage.setItem(KEY, JSON.stringify(ids));
}

onSessionEnd(() => localStorage.removeItem(KEY));
