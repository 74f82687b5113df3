import type { TrackerProtocol } from '@milepost/contract';
import type { DecodedMessage } from '@milepost/decoders';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';

/** Frames that no decoder could read, kept for seven days so that they can be reported. */
export interface UnknownFrames {
  seen(from: FrameSource, frame: Uint8Array, why: { readonly code: string; readonly at: number }): void;
  stop(): Promise<void>;
}

export interface FrameSource {
  readonly protocol: TrackerProtocol;
  readonly imei: string | null;
  readonly address: string | null;
}

/** Anybody may send nonsense: what that can write is bounded in rows, in bytes and in rate. */
const MAX_KEPT = 1000;
const MAX_WAITING = 100;
const MAX_OF_ONE_SENDER = 10;
const MAX_BYTES = 2048;
const WRITE_EVERY_MS = 5000;
const FORGET_EVERY_MS = 3_600_000;
const KEPT_DAYS = 7;

export function watchUnknownFrames(db: Kysely<Database>, log: Logger): UnknownFrames {
  let waiting: (FrameSource & { frame: Buffer; length: number; code: string; at: number })[] = [];
  let ofSender = new Map<string, number>();

  const write = async (): Promise<void> => {
    const written = waiting;
    waiting = [];
    ofSender = new Map();
    if (written.length === 0) return;
    try {
      await db
        .insertInto('unknown_frame')
        .values(written.map(({ address, ...row }) => ({ ...row, remote_address: address })))
        .execute();
      await forgetOldest(db);
    } catch (error) {
      log.warn({ err: error }, 'Could not save unreadable frames');
    }
  };
  /** Their days end even when nothing new comes. */
  const forget = (): Promise<void> =>
    forgetOldest(db).catch((error: unknown) => log.warn({ err: error }, 'Could not remove old unreadable frames'));
  let writing = forget();
  const after = (work: () => Promise<void>) => (): void => {
    writing = writing.then(work);
  };
  const timers = [
    setInterval(after(write), WRITE_EVERY_MS).unref(),
    setInterval(after(forget), FORGET_EVERY_MS).unref(),
  ];

  return {
    seen: (from, frame, { code, at }) => {
      const sender = from.imei ?? from.address ?? '';
      const before = ofSender.get(sender) ?? 0;
      if (waiting.length >= MAX_WAITING || before >= MAX_OF_ONE_SENDER) return;
      ofSender.set(sender, before + 1);
      // A copy: the bytes stand in the buffer of a connection.
      waiting.push({ ...from, frame: Buffer.from(frame.slice(0, MAX_BYTES)), length: frame.length, code, at });
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** Those of the last days, and of those the newest. */
async function forgetOldest(db: Kysely<Database>): Promise<void> {
  await sql`delete from unknown_frame where received_at < now() - make_interval(days => ${KEPT_DAYS}) or id in
    (select id from unknown_frame order by received_at desc, id desc offset ${MAX_KEPT})`.execute(db);
}

/** A tracker that is not signed in is no riddle. */
const EXPLAINED = new Set(['not-signed-in']);

/** Keeps a frame for the first error in what it was read as. */
export function keepUnread(
  frames: Pick<UnknownFrames, 'seen'>,
  from: FrameSource,
  frame: Uint8Array,
  messages: readonly DecodedMessage[],
): void {
  const error = messages.find(message => message.kind === 'error');
  if (error && !EXPLAINED.has(error.code)) frames.seen(from, frame, error);
}
