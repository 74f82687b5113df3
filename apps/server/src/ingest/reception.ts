import type { CommandAction, TrackerProtocol } from '@milepost/contract';
import type { DecodedMessage, PositionMessage } from '@milepost/decoders';
import type { EpochMs } from '@milepost/units';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import type { Directory, DirectoryEntry } from '../modules/vehicles/directory.ts';
import type { LiveStates } from './live.ts';
import type { IngestMetrics } from './metrics.ts';
import type { Pipeline } from './pipeline.ts';
import type { RawFrame, RecentFrames } from './recent-frames.ts';
import { statusAsPosition } from './status-position.ts';
import type { UnknownTrackers } from './unknown-trackers.ts';

/** What a tracker says to a command. */
export interface TrackerReply {
  readonly protocol: TrackerProtocol;
  /** The tracker's own words; empty where it has none. */
  readonly text: string;
  /** Of the command, where the protocol carries one. */
  readonly reference: number | null;
  /** Which command that is, and whether it was refused, where the protocol says so; else the words tell. */
  readonly action?: CommandAction;
  readonly refused?: boolean;
}

/** Where every gateway, and the broker, hands in what trackers say. */
export interface Reception {
  /** The vehicle of a tracker that names itself; null, and noted, when it belongs to none. */
  admit(identity: string, protocol: TrackerProtocol, address: string | null): DirectoryEntry | null;
  /**
   * Takes in what a tracker said. The promise resolves when every position is committed; null when there was nothing to
   * wait for. Errors among the messages are counted.
   */
  take(
    vehicle: DirectoryEntry,
    messages: readonly DecodedMessage[],
    protocol: TrackerProtocol,
    receivedAt: EpochMs,
    frame: RawFrame,
  ): Promise<void> | null;
  /** A tracker answered a command. */
  replied(vehicle: DirectoryEntry, reply: TrackerReply): void;
}

export interface ReceptionParts {
  readonly context: Pick<Context, 'db' | 'feed' | 'signals'>;
  readonly log: Logger;
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly metrics: IngestMetrics;
  readonly pipeline: Pipeline;
  readonly unknownTrackers: UnknownTrackers;
  readonly recentFrames: RecentFrames;
}

export function openReception(parts: ReceptionParts): Reception {
  const { directory, live, log, metrics, pipeline, recentFrames, unknownTrackers } = parts;
  const learned = new Set<number>();

  /** What the owner has not said, the first message says. */
  const learnProtocol = (vehicle: DirectoryEntry, protocol: TrackerProtocol): void => {
    if (vehicle.protocol !== null || learned.has(vehicle.id)) return;
    learned.add(vehicle.id);
    setProtocol(parts.context, vehicle, protocol).catch((error: unknown) => {
      learned.delete(vehicle.id);
      log.warn({ err: error, imei: vehicle.imei }, 'The protocol of a tracker could not be written down');
    });
  };

  const replied = (vehicle: DirectoryEntry, reply: TrackerReply): void => {
    metrics.replies.inc({ protocol: reply.protocol });
    // Not its words: a tracker may answer with its passwords.
    log.info({ imei: vehicle.imei, reference: reply.reference }, 'A tracker answered');
    parts.context.signals.emit('tracker-replied', { vehicleId: vehicle.id, reply });
  };

  return {
    replied,
    admit: (identity, protocol, address) => {
      const vehicle = directory.findByIdentity(identity);
      if (!vehicle) unknownTrackers.seen(identity, protocol, address);
      return vehicle;
    },
    take: (vehicle, messages, protocol, receivedAt, frame) => {
      if (isReport(messages)) recentFrames.keep(vehicle.id, frame, protocol, receivedAt);
      const positions: PositionMessage[] = [];
      for (const message of messages) {
        if (message.kind === 'position') {
          positions.push(message);
        } else if (message.kind === 'status') {
          const position = statusAsPosition(message, live.of(vehicle.id), receivedAt);
          if (position) positions.push(position);
        } else if (message.kind === 'reply') {
          replied(vehicle, { protocol, text: message.text, reference: message.reference });
        } else if (message.kind === 'error') {
          metrics.decodeErrors.inc({ protocol, code: message.code });
        }
      }
      learnProtocol(vehicle, protocol);
      if (positions.length > 0) return pipeline.accept(vehicle, positions, protocol, receivedAt);
      if (messages.some(message => message.kind !== 'error')) pipeline.heard(vehicle, receivedAt);
      return null;
    },
  };
}

/**
 * Whether a frame is kept to be looked at: one that brings a position or says how the tracker is. A login may carry a
 * password, and so may the answer to a command.
 */
function isReport(messages: readonly DecodedMessage[]): boolean {
  if (messages.some(({ kind }) => kind === 'position')) return true;
  return (
    messages.some(({ kind }) => kind === 'heartbeat' || kind === 'status') &&
    !messages.some(({ kind }) => kind === 'reply')
  );
}

async function setProtocol(
  { db, feed }: ReceptionParts['context'],
  { id }: DirectoryEntry,
  protocol: TrackerProtocol,
): Promise<void> {
  const changed = await db.system
    .updateTable('vehicle')
    .set({ protocol })
    .where('id', '=', id)
    .where('protocol', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (changed) await feed.settled();
}
