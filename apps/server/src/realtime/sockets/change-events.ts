import {
  CHANGE_KINDS,
  type ChangeRule,
  type Changes,
  type SocketNamespace,
  type Change as ToldChange,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Change } from '../../feed/change-feed.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { watchSight } from '../watch-sight.ts';
import type { AskHandlers } from './ask.ts';
import { createAudience } from './change-audience.ts';
import { PendingChanges } from './pending-changes.ts';
import type { SocketClient, SocketClients } from './socket-clients.ts';

export interface ChangeEventParts extends Pick<Organisation, 'directory' | 'roster' | 'visibility'> {
  readonly clients: SocketClients;
}

const NAMESPACE: SocketNamespace = '/eld';
/** Told at once, and then no sooner than this: a thousand changes a second are ten events a second. */
const GATHER_MS = 100;

interface Following {
  readonly pending: PendingChanges;
  /** Vehicles that someone with a scope saw last; null for who sees all. */
  seen: ReadonlySet<number> | null;
}

/** That a vehicle has left someone's sight is told by the look at what they see, which may have been before this. */
const unlessItLeft = (known: ToldChange | undefined): ToldChange | undefined =>
  known?.kind === 'vehicle' && !known.gone ? undefined : known;

/** The event `changes` of `/eld`: followers receive the changes that they can see. */
export function serveChangeEvents(
  context: Context,
  parts: ChangeEventParts,
): Pick<AskHandlers<'/eld'>, 'follow_changes'> {
  const { feed, log, signals } = context;
  const { clients, directory, roster, visibility } = parts;
  const audience = createAudience(parts);
  const following = new WeakMap<SocketClient, Following>();
  const due = new Set<SocketClient>();
  let timer: NodeJS.Timeout | null = null;
  let sentAt = 0;
  let number = feed.number;

  const isToldHere = ({ kind }: Change): boolean => (CHANGE_KINDS[kind] as ChangeRule).told === undefined;
  const seenBy = (session: Session): ReadonlySet<number> | null =>
    visibility.seesAll(session) ? null : new Set(visibility.vehicles(session).map(({ id }) => id));

  function* followersOf(accountId: number): Iterable<[SocketClient, Following]> {
    for (const client of clients.of(NAMESPACE, accountId)) {
      const known = following.get(client);
      if (known) yield [client, known];
    }
  }

  const send = (): void => {
    timer = null;
    sentAt = performance.now();
    for (const client of due) {
      const pending = following.get(client)?.pending;
      if (pending) client.outbox.offerGathered('changes', 'changes', () => pending.take(number));
    }
    due.clear();
  };
  const sendSoon = (client: SocketClient): void => {
    due.add(client);
    if (timer === null) timer = setTimeout(send, Math.max(0, sentAt + GATHER_MS - performance.now())).unref();
  };

  /** What they knew of before: a vehicle that leaves their sight is news to them, and so is one that is gone. */
  const knownBefore = new Map<SocketClient, Map<Change, ToldChange>>();
  feed.follow('before', changes => {
    knownBefore.clear();
    for (const change of changes.filter(isToldHere)) {
      for (const [client, { seen }] of followersOf(change.accountId)) {
        const told = seen === null ? null : audience.told(client.session, change);
        if (told === null) continue;
        const known = knownBefore.get(client) ?? new Map<Change, ToldChange>();
        knownBefore.set(client, known.set(change, told));
      }
    }
  });
  feed.follow('after', changes => {
    for (const change of changes.filter(isToldHere)) {
      for (const [client, { pending }] of followersOf(change.accountId)) {
        const told = audience.told(client.session, change) ?? unlessItLeft(knownBefore.get(client)?.get(change));
        if (!told) continue;
        pending.add(told);
        sendSoon(client);
      }
    }
    knownBefore.clear();
    // In one step with the telling: who follows from here on hears what comes after this.
    number = changes.at(-1)?.number ?? number;
  });

  /** Cards and folders move vehicles into sight, and out of it, without a change of the vehicle. */
  const lookAtSight = async (accountId: number): Promise<void> => {
    for (const [client, known] of [...followersOf(accountId)]) {
      const { seen: before } = known;
      if (before === null) continue;
      const now = seenBy(client.session) ?? new Set<number>();
      const others = [...[...before].filter(id => !now.has(id)), ...[...now].filter(id => !before.has(id))];
      known.seen = now;
      if (others.length > 0) {
        for (const id of others) known.pending.add({ kind: 'vehicle', id: String(id), gone: !now.has(id) });
        // Who drives them, and the folders that hold them, came or went with them.
        for (const kind of ['driver', 'folder', 'department'] as const) {
          if (audience.mayKnow(client.session, kind)) known.pending.add({ kind, id: null, gone: false });
        }
        sendSoon(client);
      }
      // Thousands of vehicles were looked at: others may go first.
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  watchSight(signals, log, [directory, roster], accountId => {
    lookAtSight(accountId).catch((error: unknown) =>
      log.error({ err: error }, 'Could not recheck what a user can see'),
    );
  });

  const missed = async ({ session }: SocketClient, since: number, until: number): Promise<Changes['changes']> => {
    if (since === until) return [];
    // What a limited one saw meanwhile, and sees no longer, is known to nobody.
    if (!visibility.seesAll(session)) return 'everything';
    const changes = await feed.missed(session.accountId, since, until);
    if (changes === null) return 'everything';
    if (changes.some(({ kind, userId }) => kind === 'rights' && userId === session.userId)) return 'everything';
    const pending = new PendingChanges();
    for (const change of changes) {
      const told = audience.told(session, change);
      if (told) pending.add(told);
    }
    return pending.take(until).changes;
  };

  return {
    follow_changes: async (client, { since }) => {
      const until = number;
      following.set(client, { pending: new PendingChanges(), seen: seenBy(client.session) });
      return { number: until, changes: since === null ? [] : await missed(client, since, until) };
    },
  };
}
