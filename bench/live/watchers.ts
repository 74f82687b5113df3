/**
 * A process of browsers that watch geofences as pages do: each registers all vehicles on the socket, follows the
 * account's changes, and reads who is inside now of the vehicles whose visits changed, with the page's pauses.
 */
import { createSockets } from '@milepost/client';

export interface WatchersPlan {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly imeis: readonly string[];
}

export type ToWatchers = { readonly type: 'plan'; readonly plan: WatchersPlan } | { readonly type: 'count' };
/** Since the last count. */
export interface FromWatchers {
  /** Crossings that were announced. */
  readonly alerts: number;
  /** Reads of who is inside, and those of them that were refused. */
  readonly reads: number;
  readonly refused: number;
  /** From the report that made a crossing certain to the first browser, in milliseconds. */
  readonly delays: readonly number[];
}

/** As `apps/web/src/changes`: what came meanwhile is read together, and more vehicles than this with all others. */
const PAUSE_MS = 400;
const NAMED_MAX = 50;

let counted: { alerts: number; reads: number; refused: number; delays: number[] };
const forget = (): void => {
  counted = { alerts: 0, reads: 0, refused: 0, delays: [] };
};
forget();

process.on('message', async (message: ToWatchers) => {
  if (message.type === 'plan') await Promise.all(message.plan.tokens.map((_, nth) => watch(message.plan, nth)));
  process.send?.(counted satisfies FromWatchers);
  forget();
});
process.on('disconnect', () => process.exit(0));

async function watch({ imeis, tokens, url }: WatchersPlan, nth: number): Promise<void> {
  const token = tokens[nth] ?? '';
  const waiting = new Set<string | null>();
  let isReading = false;
  const read = async (): Promise<void> => {
    isReading = true;
    while (waiting.size > 0) {
      const ids = [...waiting];
      waiting.clear();
      const isNamed = ids.length <= NAMED_MAX && ids.every(Boolean);
      const query = isNamed ? `?vehicles=${ids.join(',')}` : '';
      const answer = await fetch(`${url}/api/v1/visit/inside${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      counted.reads++;
      if (!answer.ok) counted.refused++;
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
    isReading = false;
  };
  const { promise: isConnected, resolve: connected } = Promise.withResolvers<void>();
  const states = new Map<string, string>();
  const sockets = createSockets({
    origin: url,
    getToken: () => token,
    onEvent: (namespace, event, payload) => {
      if (event === 'geofence_alert') {
        counted.alerts++;
        const { receivedAt } = payload as { readonly receivedAt: string };
        if (nth === 0) counted.delays.push(Date.now() - Date.parse(receivedAt));
      }
      if (namespace !== '/eld' || event !== 'changes') return;
      const { changes } = payload as {
        readonly changes: 'everything' | readonly { kind: string; id: string | null }[];
      };
      if (changes === 'everything') waiting.add(null);
      else for (const { id, kind } of changes) if (kind === 'visit') waiting.add(id);
      if (!isReading) void read();
    },
    onState: (namespace, state) => {
      states.set(namespace, state);
      if (state === 'refused') throw new Error('The server refused a watcher');
      if ([...states.values()].filter(one => one === 'connected').length === 2) connected();
    },
  });
  sockets.connect();
  await isConnected;
  await sockets.ask('/eld', 'follow_changes', { since: null });
  const { registered } = await sockets.ask('/geofence', 'register_vehicles', {
    vehicles: imeis.map(imei => ({ imei })),
  });
  if (registered !== imeis.length) throw new Error(`Only ${registered} vehicles are registered`);
}
