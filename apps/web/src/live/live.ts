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
import { vehicleListQuery } from './vehicle-list.ts';

export const serverClock = new ServerClock();

/** The vehicles and positions of the signed-in user. */
export const positions = new PositionStore(() => serverClock.now());

const messaging: Messaging = new Messaging(
  async () => {
    const { token } = useSession.getState();
    if (token === null) return null;
    // Shared with everyone else who asks who is signed in at this moment; never an answer from an earlier try.
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
  readVehicles: () => queryClient.fetchQuery({ ...vehicleListQuery, staleTime: 0 }),
  readLatest: () => call(latestPositions),
  report: error => useConnection.setState(error === null ? { error, updatedMs: serverClock.now() } : { error }),
});

const sink: PositionSink = {
  vehicles: list => positions.applyVehicles(list),
  snapshot: reports => positions.applySnapshot(reports),
  batch: batch => {
    // One is enough: what came in one frame was sent in one moment.
    const heard = batch.states.at(-1)?.[1].heardAt;
    if (heard) serverClock.observe(Date.parse(heard));
    positions.applyBatch(batch);
  },
  disconnected: () => positions.clearNewPositions(),
};

/** A live page that follows another one comes within this time: its code may have to be fetched first. */
const HANDED_OVER_WITHIN_MS = 1000;
let pages = 0;
let endShow: (() => void) | null = null;
let handOver: ReturnType<typeof setTimeout> | undefined;

/**
 * What a live page does while it is shown; returns what it does when it is left. From one live page to the next the
 * topics stay; when none follows, all of them are dropped [R4.13].
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
 * Live messaging belongs to the session: connected on authentication [R4.06], also after a reload [R4.11], and torn
 * down when it ends, with all that it brought [R4.10].
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
