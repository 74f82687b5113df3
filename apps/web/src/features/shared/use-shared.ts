import { ProblemError } from '@milepost/client';
import { readShared, type Shared, visitShared } from '@milepost/contract';
import { useEffect, useMemo, useState } from 'react';
import { createSharedClient, type SharedClient } from './shared-client.ts';
import { isVisitDue, keepVisit } from './visit.ts';
export interface SharedView {
  readonly client: SharedClient;
  /** What the link shows; null until loaded. */
  readonly shared: Shared | null;
  /** The link has ended or never existed. */
  readonly over: boolean;
  /** The last request failed; it retries automatically. */
  readonly troubled: boolean;
}

const EVERY_MS = 5000;
const RETRY_MS = 20_000;

/** A link's content, reloaded while the page is visible; the server answers 304 if nothing changed. */
export function useShared(token: string): SharedView {
  const client = useMemo(() => createSharedClient(token), [token]);
  const [state, setState] = useState<Omit<SharedView, 'client'>>(NOTHING);

  useEffect(() => {
    let etag: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Shared | null = null;
    const ended = new AbortController();
    setState(NOTHING);

    const look = async (): Promise<void> => {
      let waitMs = EVERY_MS;
      try {
        const found = await client.callIfChanged(readShared, etag, {}, { signal: ended.signal });
        if (found) {
          etag = found.etag;
          current = found.answer.shared;
        }
        setState({ shared: current, over: false, troubled: false });
        if (current && isVisitDue(current)) {
          keepVisit(current);
          await client.call(visitShared, {}, { signal: ended.signal });
        }
      } catch (error) {
        if (ended.signal.aborted) return;
        if (isOver(error)) {
          setState({ shared: null, over: true, troubled: false });
          return;
        }
        setState(before => ({ ...before, troubled: true }));
        if (error instanceof ProblemError) waitMs = RETRY_MS;
      }
      // Reload on time when the link ends.
      const leftMs = current === null ? waitMs : Date.parse(current.expiresAt) - client.clock.now();
      timer = setTimeout(lookWhenSeen, Math.max(500, Math.min(waitMs, leftMs)));
    };
    const lookWhenSeen = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') void look();
    };

    lookWhenSeen();
    document.addEventListener('visibilitychange', lookWhenSeen);
    return () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookWhenSeen);
    };
  }, [client]);

  return { client, ...state };
}

const NOTHING = { shared: null, over: false, troubled: false };

/** The server gives this same error for links that have ended, were revoked or never existed. */
export const isOver = (error: unknown): boolean => error instanceof ProblemError && error.code === 'share-over';
