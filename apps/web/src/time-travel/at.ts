import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { AT_PARAMETER } from '../paths.ts';

/** Marks URL changes made by the page itself, so that the page doesn't react to them. */
const WRITTEN = { writtenByDashboard: true, writtenByFleet: true } as const;

/** The moment in the URL; null if there is none or it isn't valid. */
export function momentOf(parameters: URLSearchParams): number | null {
  const ms = Date.parse(parameters.get(AT_PARAMETER) ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000) * 1000;
}

/** The past moment that the page shows, and a function that changes it. Null is the present. */
export function useAt(): readonly [atMs: number | null, show: (atMs: number | null) => void] {
  const [parameters, setParameters] = useSearchParams();
  const atMs = momentOf(parameters);
  const isPast = atMs !== null;
  const show = useCallback(
    (next: number | null): void =>
      setParameters(
        before => {
          const after = new URLSearchParams(before);
          if (next === null) after.delete(AT_PARAMETER);
          else after.set(AT_PARAMETER, `${new Date(next).toISOString().slice(0, 19)}Z`);
          return after;
        },
        // Only the step into the past adds a history entry, so Back returns to the present at once.
        { replace: isPast && next !== null, state: WRITTEN },
      ),
    [setParameters, isPast],
  );
  return [atMs, show];
}
