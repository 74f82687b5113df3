import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamType } from '@milepost/contract';
import { Gauge } from 'prom-client';
import { tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { arrivalsFromNow } from '../../db/arrivals.ts';
import type { Session } from '../../http/session.ts';
import type { Listening } from '../../realtime/broker-clients.ts';
import { type StreamCursor, writeEventId } from './cursor.ts';
import { type NextEventParts, nextEvents, type StreamEvent } from './next-events.ts';

export const STREAM_LIMITS = {
  /** Of one session or API token. */
  ofSession: 5,
  ofAccount: 50,
  /** A line that says nothing, so that both ends know that the other is there. */
  heartbeatMs: 15_000,
  /** How long a reader may take to read what it was sent before its connection is closed with a reason. */
  slowMs: 30_000,
  /** How often to look for what is new. */
  lookEveryMs: 500,
} as const;

/** How soon a program should come back, in ms. */
const RETRY_MS = 2000;
/** For the last event to be read. */
const LAST_WORDS_MS = 1000;
const RETRY_TOO_MANY_MS = 10_000;

type EndReason = 'access-changed' | 'slow' | 'server-stops';

interface Open {
  readonly session: Session;
  readonly types: ReadonlySet<StreamType>;
  readonly end: (reason: EndReason) => void;
}

export interface EventStreams {
  /** A stream of events from a cursor on, or from now on. */
  open(
    session: Session,
    types: ReadonlySet<StreamType>,
    from: StreamCursor | null,
    isFollowing: boolean,
  ): Promise<PassThrough>;
  /** Who gets live positions now, and of what. */
  listening(): Iterable<Listening>;
  stop(): void;
}

export function createEventStreams(
  context: Context,
  parts: NextEventParts,
  limits: { readonly [K in keyof typeof STREAM_LIMITS]: number } = STREAM_LIMITS,
): EventStreams {
  const { db, feed, log, metrics, signals } = context;
  const open = new Set<Open>();
  new Gauge({
    name: 'milepost_event_streams',
    help: 'Open streams of server-sent events',
    registers: [metrics],
    collect() {
      this.set(open.size);
    },
  });
  const endAll = (is: (session: Session) => boolean, reason: EndReason): void => {
    for (const stream of [...open]) if (is(stream.session)) stream.end(reason);
  };
  signals.on('sessions-ended', ({ sessionIds }) => {
    const ended = new Set(sessionIds);
    endAll(({ sessionId }) => ended.has(sessionId), 'access-changed');
  });
  // They come back, and are looked at again.
  signals.on('users-changed', ({ userIds }) => {
    const changed = new Set(userIds);
    endAll(({ userId }) => changed.has(userId), 'access-changed');
  });

  const refuseTooMany = ({ accountId, sessionId }: Session): void => {
    const sessions = [...open].map(({ session }) => session);
    const own = sessions.filter(session => session.sessionId === sessionId).length;
    const all = sessions.filter(session => session.accountId === accountId).length;
    if (own >= limits.ofSession || all >= limits.ofAccount) throw tooMany('too-many-requests', RETRY_TOO_MANY_MS);
  };

  return {
    listening: function* () {
      for (const { session, types } of open) {
        if (types.has('positions')) {
          yield { session, imeis: parts.visibility.vehicles(session).map(({ imei }) => imei) };
        }
      }
    },
    stop: () => endAll(() => true, 'server-stops'),
    open: async (session, types, from, isFollowing) => {
      refuseTooMany(session);
      const body = new PassThrough();
      const ended = new AbortController();
      const stream: Open = {
        session,
        types,
        end: reason => {
          if (!open.delete(stream)) return;
          ended.abort();
          if (body.destroyed) return;
          body.end(textOf({ name: 'end', data: { reason } }));
          setTimeout(() => body.destroy(), LAST_WORDS_MS).unref();
        },
      };
      open.add(stream);
      body.once('close', () => {
        open.delete(stream);
        ended.abort();
      });
      const first = from ?? {
        number: feed.number,
        arrivals: await db.asAccount(session.accountId, trx => arrivalsFromNow(trx, Date.now())),
      };
      run(stream, first).catch((error: unknown) => {
        if (!ended.signal.aborted) log.error({ err: error }, 'A stream of events failed');
        open.delete(stream);
        body.destroy();
      });
      return body;

      async function run(of: Open, begin: StreamCursor): Promise<void> {
        let cursor = begin;
        let isResumed = from !== null;
        let heardAt = performance.now();
        const write = async (text: string): Promise<void> => {
          if (ended.signal.aborted) return;
          heardAt = performance.now();
          if (body.write(text)) return;
          if (!(await isRead())) of.end('slow');
        };
        const isRead = async (): Promise<boolean> => {
          const done = new AbortController();
          const drained = new Promise<boolean>(resolve => body.once('drain', () => resolve(true)));
          const stop = sleep(limits.slowMs, false, { signal: AbortSignal.any([done.signal, ended.signal]) });
          const read = await Promise.race([drained, stop.catch(() => true)]);
          done.abort();
          return read;
        };
        await write(`retry: ${RETRY_MS}\n${textOf({ name: 'ready', data: { types: [...types] } }, cursor)}`);
        while (!ended.signal.aborted) {
          const { events, hasMore, next } = await nextEvents(context, session, cursor, types, isResumed, parts);
          for (const { at, event } of events) await write(textOf(event, at));
          cursor = next;
          isResumed &&= hasMore;
          if (hasMore) continue;
          if (!isFollowing) {
            open.delete(of);
            body.end();
            return;
          }
          if (performance.now() - heardAt >= limits.heartbeatMs) await write(': \n\n');
          await sleep(limits.lookEveryMs, undefined, { signal: ended.signal }).catch(() => {});
        }
      }
    },
  };
}

/** One event, as the HTML standard has it (section 9.2.6). JSON has no line ends. */
const textOf = (
  event: StreamEvent | { readonly name: 'ready' | 'end'; readonly data: unknown },
  at?: StreamCursor,
): string => `event: ${event.name}\n${at ? `id: ${writeEventId(at)}\n` : ''}data: ${JSON.stringify(event.data)}\n\n`;
