import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { AT_PARAMETER } from '../paths.ts';

/** An address that a page has written itself leads to nothing else on it. */
const WRITTEN = { writtenByDashboard: true, writtenByFleet: true } as const;

/** The moment in an address; null if there is none, or it is none. */
export function momentOf(parameters: URLSearchParams): number | null {
  const ms = Date.parse(parameters.get(AT_PARAMETER) ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000) * 1000;
}

/** The moment of the past that the page shows, and what shows another, or, for null, the present. */
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
        // Back leads from the past to the present, not through every moment that was looked at.
        { replace: isPast && next !== null, state: WRITTEN },
      ),
    [setParameters, isPast],
  );
  return [atMs, show];
}
