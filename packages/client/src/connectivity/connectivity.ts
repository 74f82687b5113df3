import { CONNECTIVITY_POLL_MS, checkInternetStatus } from '@milepost/contract';
import { NetworkError, ProblemError } from '../http/errors.ts';
import type { HttpClient } from '../http/http-client.ts';
import { browserPage, type PageSignals } from './page-signals.ts';

/**
 * Why a check failed. `network`: the browser has no network, or a captive portal answered instead of the server.
 * `server`: the network may be up, but the server does not answer or fails. `signed-out`: the network requires a
 * sign-in first.
 */
export type OfflineCause = 'network' | 'server' | 'signed-out';

interface Checked {
  readonly lastOkAt: number | null;
  /** When the next check is due; null during a check, and while the page is hidden and does not check. */
  readonly nextCheckAt: number | null;
}

/** Online until a check fails [R4.14, R8.01]. Times in epoch milliseconds. */
export type Connectivity = Checked &
  (
    | { readonly status: 'online' }
    | {
        readonly status: 'offline';
        readonly cause: OfflineCause;
        readonly since: number;
        /** Consecutive failed checks. */
        readonly failures: number;
      }
  );

export interface ConnectivityMonitor {
  /** The state after the latest check. */
  readonly now: Connectivity;
  /** Checks at once and then every 5000 ms [R9.01]. */
  start(): void;
  stop(): void;
  checkNow(): void;
}

export interface ConnectivityOptions {
  readonly http: HttpClient;
  /** Called when a check begins and when it has ended. */
  readonly onChange: (connectivity: Connectivity) => void;
  readonly page?: PageSignals;
}

/**
 * The polling of `check_internet_status` [R7.13]. One check at a time, and none takes longer than the polling interval,
 * so an interruption shows within 10 s. A hidden page does not poll; any page checks at once when it is shown again, or
 * when its network comes or goes.
 */
export function createConnectivityMonitor(options: ConnectivityOptions): ConnectivityMonitor {
  const { http, onChange, page = browserPage() } = options;
  let now: Connectivity = { status: 'online', lastOkAt: null, nextCheckAt: null };
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopListening: (() => void) | null = null;

  const set = (next: Connectivity) => {
    now = next;
    onChange(now);
  };

  function checkNow(): void {
    end();
    const current = new AbortController();
    running = current;
    const nextCheckAt = Date.now() + CONNECTIVITY_POLL_MS;
    timer = setTimeout(() => current.abort(), CONNECTIVITY_POLL_MS);
    const finish = (failed: OfflineCause | null) => {
      if (running !== current) return;
      running = null;
      clearTimeout(timer);
      timer = setTimeout(follow, nextCheckAt - Date.now());
      set(after(now, failed, nextCheckAt));
    };
    http.call(checkInternetStatus, {}, { signal: current.signal }).then(
      () => finish(null),
      (error: unknown) => finish(page.hasNetwork() ? causeOf(error) : 'network'),
    );
    set({ ...now, nextCheckAt: null });
  }

  function end(): void {
    clearTimeout(timer);
    const ended = running;
    running = null;
    ended?.abort();
  }

  /** Polls while the page is visible; waits otherwise. */
  function follow(): void {
    if (page.isHidden()) {
      end();
      if (now.nextCheckAt !== null) set({ ...now, nextCheckAt: null });
    } else checkNow();
  }

  return {
    get now() {
      return now;
    },
    start() {
      stopListening ??= page.onChange(follow);
      follow();
    },
    stop() {
      stopListening?.();
      stopListening = null;
      end();
    },
    checkNow,
  };
}

function after(before: Connectivity, failed: OfflineCause | null, nextCheckAt: number): Connectivity {
  const { lastOkAt } = before;
  if (failed === null) return { status: 'online', lastOkAt: Date.now(), nextCheckAt };
  if (before.status === 'offline') return { ...before, cause: failed, failures: before.failures + 1, nextCheckAt };
  return { status: 'offline', cause: failed, since: Date.now(), failures: 1, lastOkAt, nextCheckAt };
}

/** 511: a captive portal identifies itself (RFC 6585 section 6). */
const PORTAL_STATUS = 511;
const SIGN_IN_STATUSES: ReadonlySet<number | null> = new Set([401, 403]);

function causeOf(error: unknown): OfflineCause {
  if (error instanceof ProblemError) return SIGN_IN_STATUSES.has(error.status) ? 'signed-out' : 'server';
  if (!(error instanceof NetworkError) || error.reason === 'unreachable') return 'server';
  if (SIGN_IN_STATUSES.has(error.status)) return 'signed-out';
  const isPortal = error.status === PORTAL_STATUS || (error.status ?? 0) < 400;
  return isPortal ? 'network' : 'server';
}
