import { latestPositions, readMe } from '@milepost/contract';
import { agedBy } from '@milepost/geo';
import { QueryObserver } from '@tanstack/react-query';
import { accountSettingsQuery } from '../base/account-settings.ts';
import { call } from '../base/api.ts';
import { queryClient } from '../base/queries.ts';
import { useSession } from '../base/session/session.ts';
import { useConnection } from './connection.ts';
import { LiveSource } from './live-source.ts';
import { Messaging } from './messaging/messaging.ts';
import { PositionStore } from './position-store.ts';
import { ServerClock } from './server-clock.ts';
import type { PositionSink } from './source.ts';
import { watchStatuses } from './status-clock.ts';
import { readVehicleList } from './vehicle-list.ts';

export const serverClock = new ServerClock();

/** The vehicles and positions of the signed-in user. */
export const positions = new PositionStore(() => serverClock.now());

const messaging: Messaging = new Messaging(
  async () => {
    const { token } = useSession.getState();
    if (token === null) return null;
    // Shares the request with other code that reads the user at the same moment, but never takes an older response.
    const me = await queryClient.fetchQuery({ queryKey: ['me', token], queryFn: () => call(readMe), staleTime: 1000 });
    return me.messaging;
  },
  {
    phase: phase => {
      useConnection.setState({ phase, sinceMs: serverClock.now() });
      liveSource.phase(phase);
    },
    subscribed: () => liveSource.subscribed(),
    batch: batch => liveSource.batch(batch),
  },
);

export const liveSource: LiveSource = new LiveSource({
  topics: messaging,
  readVehicles: readVehicleList,
  readLatest: () => call(latestPositions),
  report: error => useConnection.setState(error === null ? { error, updatedMs: serverClock.now() } : { error }),
});

const sink: PositionSink = {
  vehicles: list => positions.applyVehicles(list),
  snapshot: reports => positions.applySnapshot(reports),
  batch: batch => {
    // One is enough: everything in one frame was sent at almost the same time.
    const heard = batch.states.at(-1)?.[1].heardAt;
    if (heard) serverClock.observe(Date.parse(heard));
    positions.applyBatch(batch);
  },
  disconnected: () => positions.clearNewPositions(),
};

/**
 * When the user goes from one live page to another, the next one appears within this time, even if its code must load
 * first.
 */
const HANDED_OVER_WITHIN_MS = 1000;
let pages = 0;
let endShow: (() => void) | null = null;
let handOver: ReturnType<typeof setTimeout> | undefined;

/**
 * Call when a page with live positions is shown; call the returned function when the page is left. Topics stay
 * subscribed between live pages. If no live page follows, all are dropped [R4.13].
 */
export function showLivePositions(): () => void {
  pages++;
  clearTimeout(handOver);
  endShow ??= startShow();
  return () => {
    pages--;
    if (pages === 0) handOver = setTimeout(hideLivePositions, HANDED_OVER_WITHIN_MS);
  };
}

function startShow(): () => void {
  const closeSource = liveSource.open(sink);
  const endWatch = watchStatuses(positions);
  const endSettings = new QueryObserver(queryClient, accountSettingsQuery).subscribe(({ data }) => {
    if (data) positions.judgeBy(agedBy(data.settings));
  });
  useConnection.setState({ shown: true });
  return () => {
    useConnection.setState({ shown: false });
    endSettings();
    endWatch();
    closeSource();
  };
}

function hideLivePositions(): void {
  clearTimeout(handOver);
  endShow?.();
  endShow = null;
}

/**
 * Ties live messaging to the session: it connects at sign-in [R4.06] and after a reload [R4.11]. When the session ends,
 * it disconnects and drops all data [R4.10].
 */
export function followSession(): void {
  const follow = (token: string | null): void => {
    if (token !== null) {
      messaging.connect();
      if (pages > 0) endShow ??= startShow();
    } else {
      hideLivePositions();
      messaging.disconnect();
      positions.clear();
      useConnection.setState({ updatedMs: null, error: null });
    }
  };
  follow(useSession.getState().token);
  useSession.subscribe((now, before) => {
    if (now.token === before.token) return;
    if (before.token !== null) follow(null);
    if (now.token !== null) follow(now.token);
  });
  window.addEventListener('online', () => messaging.wake());
}
