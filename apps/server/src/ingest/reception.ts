import type { TrackerProtocol } from '@milepost/contract';
import type { DecodedMessage, PositionMessage } from '@milepost/decoders';
import type { EpochMs } from '@milepost/units';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import type { AlertConflict } from '../db/alert-schema.ts';
import type { Directory, DirectoryEntry } from '../fleet/directory.ts';
import type { LiveStates } from '../fleet/live.ts';
import type { PrivateTime } from '../fleet/private-time.ts';
import { LogThrottle } from '../limits/log-throttle.ts';
import type { StoredPosition } from '../tracks/stored-position.ts';
import { isAllowedAddress } from './allowed-addresses.ts';
import type { DeviceConnection } from './gateways/device-connections.ts';
import { IdentityGuesses } from './identity-guesses.ts';
import { NotStored } from './lane.ts';
import { learnProtocols } from './learned-protocols.ts';
import type { IngestMetrics } from './metrics.ts';
import type { Pipeline } from './pipeline.ts';
import type { RawFrame, RecentFrames } from './recent-frames.ts';
import type { RefusedReport } from './refused-frames.ts';
import type { RefusedReports } from './refused-reports.ts';
import { statusAsPosition } from './status-position.ts';
import type { TrackerReply } from './tracker-reply.ts';
import type { UnknownTrackers } from './unknown-trackers.ts';
import type { Witness } from './witness.ts';

/** Where every gateway, and the broker, hands in what trackers say. */
export interface Reception {
  /** The vehicle of a tracker that names itself; null, and noted, when it belongs to none or is none of its own. */
  admit(
    identity: string,
    protocol: TrackerProtocol,
    address: string | null,
    /** With what it named itself. */
    said?: { readonly messages: readonly DecodedMessage[]; readonly bytes: Uint8Array },
  ): DirectoryEntry | null;
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
    /** What a command would go back over; where there is no way back, the address. */
    via?: DeviceConnection | string | null,
  ): Promise<void> | null;
  /** A tracker answered a command. */
  replied(vehicle: DirectoryEntry, reply: TrackerReply): void;
  /** Another node has stored a newer fix of this vehicle. */
  heardElsewhere(vehicle: DirectoryEntry, newest: StoredPosition): void;
}

export interface ReceptionParts {
  readonly context: Pick<Context, 'bus' | 'db' | 'feed' | 'signals'>;
  readonly log: Logger;
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly metrics: IngestMetrics;
  readonly pipeline: Pipeline;
  readonly unknownTrackers: UnknownTrackers;
  readonly refusedReports: Pick<RefusedReports, 'seen'>;
  readonly witness: Witness;
  readonly recentFrames: RecentFrames;
  readonly privateTime: Pick<PrivateTime, 'hides' | 'isUsed'>;
}

/** A tracker, or who knows its number, may answer as often as it likes: that must not fill the log. */
const LOGGED_EVERY_MS = 60_000;
const LINES = 100;

export function openReception(parts: ReceptionParts): Reception {
  const { directory, live, log, metrics, pipeline, recentFrames, refusedReports, unknownTrackers, witness } = parts;
  const { signals } = parts.context;
  const { privateTime } = parts;
  /** A frame has the place in it: none is kept that says where a vehicle is in private time. */
  const isPrivate = (vehicle: DirectoryEntry, messages: readonly DecodedMessage[]): boolean =>
    privateTime.isUsed(vehicle.accountId) &&
    (privateTime.hides(vehicle, Date.now(), null) ||
      messages.some(message => message.kind === 'position' && privateTime.hides(vehicle, message.time, message.rfid)));
  const { bus } = parts.context;
  const guesses = new IdentityGuesses((key, identity) => {
    if (bus.isShared) bus.publish('guess', JSON.stringify([key, identity]));
  });
  bus.listen('guess', (payload, from) => {
    if (from === bus.nodeId) return;
    const [key, identity] = JSON.parse(payload) as [string, string];
    guesses.count(key, identity, Date.now());
  });
  const answers = new LogThrottle(LOGGED_EVERY_MS, LINES);
  const protocols = learnProtocols(parts.context, log);
  signals.on('vehicle-changed', ({ vehicleId }) => {
    const known = directory.findById(vehicleId);
    if (known === null) witness.forget(vehicleId);
    if (known?.protocol !== null) protocols.forget(vehicleId);
  });

  const isItsOwn = (vehicle: DirectoryEntry, protocol: TrackerProtocol): boolean =>
    (protocols.of(vehicle) ?? protocol) === protocol;
  const tell = ({ accountId, id: vehicleId }: DirectoryEntry, conflict: AlertConflict): void =>
    signals.emit('tracker-contradicted', { accountId, vehicleId, conflict });
  const refuse = (report: RefusedReport, said: Parameters<Reception['admit']>[3]): void => {
    const { vehicle, protocol, cause, address } = report;
    metrics.refusedReports.inc({ protocol });
    refusedReports.seen(
      report,
      said && isReport(said.messages) && !isPrivate(vehicle, said.messages) ? said.bytes : null,
    );
    witness.warned(vehicle.id, Date.now());
    tell(vehicle, { cause, protocol, address, own: protocols.of(vehicle), speeds: null, metres: null });
  };

  const replied = (vehicle: DirectoryEntry, reply: TrackerReply): void => {
    metrics.replies.inc({ protocol: reply.protocol });
    // Not its words: a tracker may answer with its passwords.
    if (answers.allows(vehicle.imei))
      log.info({ imei: vehicle.imei, reference: reply.reference }, 'A tracker answered');
    parts.context.signals.emit('tracker-replied', { vehicleId: vehicle.id, reply });
  };

  return {
    replied,
    heardElsewhere: (vehicle, newest) => {
      const { fixAt: time, protocol, receivedAt } = newest;
      const found = witness.heardElsewhere(vehicle.id, { ...newest, time }, receivedAt);
      if (!found) return;
      const { by: cause, speeds, metres } = found;
      tell(vehicle, { cause, protocol, address: null, own: protocol, speeds, metres });
    },
    admit: (identity, protocol, address, said) => {
      const vehicle = directory.findByIdentity(identity);
      const now = Date.now();
      if (!vehicle) {
        guesses.missed(address, identity, now);
        unknownTrackers.seen(identity, protocol, address);
        return null;
      }
      if (!guesses.allows(address, vehicle.id, now)) return null;
      const cause = isItsOwn(vehicle, protocol) ? 'address' : 'protocol';
      if (cause === 'address' && isAllowedAddress(vehicle.trackerAddresses, address)) return vehicle;
      refuse({ vehicle, protocol, cause, address }, said);
      return null;
    },
    take: (vehicle, messages, protocol, receivedAt, frame, via = null) => {
      const current = directory.findById(vehicle.id) ?? vehicle;
      if (!isItsOwn(current, protocol)) {
        refuse({ vehicle: current, protocol, cause: 'protocol', address: addressOf(via) }, { messages, ...frame });
        return Promise.reject(new NotStored('other-protocol'));
      }
      if (isReport(messages) && !isPrivate(current, messages))
        recentFrames.keep(vehicle.id, frame, protocol, receivedAt);
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
      if (messages.some(({ kind }) => kind !== 'login' && kind !== 'error')) protocols.learn(current, protocol);
      const found = witness.heard(vehicle.id, via, positions, receivedAt);
      if (found) {
        const { by: cause, speeds, metres } = found;
        tell(vehicle, { cause, protocol, address: addressOf(via), own: protocol, speeds, metres });
      }
      if (positions.length > 0) return pipeline.accept(current, positions, protocol, receivedAt);
      if (messages.some(message => message.kind !== 'error')) pipeline.heard(vehicle, receivedAt);
      return null;
    },
  };
}

const addressOf = (via: DeviceConnection | string | null): string | null =>
  typeof via === 'object' ? (via?.address ?? null) : via;

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

declare module '../lifecycle/signals.ts' {
  interface SignalMap {
    /** Something contradicts a vehicle's tracker, or the tracker contradicts itself. */
    'tracker-contradicted': {
      readonly accountId: number;
      readonly vehicleId: number;
      readonly conflict: AlertConflict;
    };
  }
}
