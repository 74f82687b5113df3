import type { TrackerProtocol } from '@milepost/contract';
import type { DecodedMessage } from '@milepost/decoders';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema.ts';

/** Frames that no decoder could read, kept for seven days so users can report them. */
export interface UnknownFrames {
  seen(from: FrameSource, frame: Uint8Array, why: { readonly code: string; readonly at: number }): void;
  stop(): Promise<void>;
}

export interface FrameSource {
  readonly protocol: TrackerProtocol;
  readonly imei: string | null;
  readonly address: string | null;
}

/** Anyone can send garbage, so rows, bytes and rate are limited. */
const MAX_KEPT = 1000;
const MAX_WAITING = 100;
const MAX_OF_ONE_SENDER = 10;
const MAX_BYTES = 2048;
const WRITE_EVERY_MS = 5000;
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
      await forgetUnknownFrames(db);
    } catch (error) {
      log.warn({ err: error }, 'Could not save unreadable frames');
    }
  };
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, WRITE_EVERY_MS).unref();

  return {
    seen: (from, frame, { code, at }) => {
      const sender = from.imei ?? from.address ?? '';
      const before = ofSender.get(sender) ?? 0;
      if (waiting.length >= MAX_WAITING || before >= MAX_OF_ONE_SENDER) return;
      ofSender.set(sender, before + 1);
      // A copy, because the bytes are in a connection's buffer.
      waiting.push({ ...from, frame: Buffer.from(frame.slice(0, MAX_BYTES)), length: frame.length, code, at });
    },
    stop: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** Keeps the newest of the last seven days; a job does it even when nothing new comes. */
export async function forgetUnknownFrames(db: Kysely<Database>): Promise<void> {
  await sql`delete from unknown_frame where received_at < now() - make_interval(days => ${KEPT_DAYS}) or id in
    (select id from unknown_frame order by received_at desc, id desc offset ${MAX_KEPT})`.execute(db);
}

/** A tracker that is not signed in is no riddle. */
const EXPLAINED = new Set(['not-signed-in']);

/** Keeps a frame for the first error in what it was read as, or for a status that says that it was not read. */
export function keepUnread(
  frames: Pick<UnknownFrames, 'seen'>,
  from: FrameSource,
  frame: Uint8Array,
  messages: readonly DecodedMessage[],
): void {
  for (const message of messages) {
    const why = whyUnread(message);
    if (why === null) continue;
    if (!EXPLAINED.has(why.code)) frames.seen(from, frame, why);
    return;
  }
}

function whyUnread(message: DecodedMessage): { readonly code: string; readonly at: number } | null {
  if (message.kind === 'error') return message;
  if (message.kind !== 'status' || message.attributes.unread === undefined) return null;
  return { code: String(message.attributes.unread), at: 0 };
}
