import { type Command, commandKind, type Interlock } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Directory, DirectoryEntry } from '../../fleet/directory.ts';
import type { Visibility } from '../../fleet/visibility.ts';
import type { DeviceConnection } from '../../ingest/gateways/device-connections.ts';
import { NotOurs, type Ways } from '../../ingest/gateways/ways.ts';
import type { CommandQueue } from './command-queue.ts';
import type { CommandRecord } from './record.ts';
import { interlockOf, isFresh, type SafetyParts } from './safety.ts';
import { maskedText } from './secrets.ts';
import { type Holder, type Holders, maySendStill, readHolders } from './senders.ts';
import type { Steps } from './steps.ts';
import { isAwaitingAnswer, SENDS_AT_MOST } from './transitions.ts';
import { carriesReference, offerOf } from './words.ts';

export interface ReleaseParts extends SafetyParts {
  readonly directory: Directory;
  readonly roster: { settled(): Promise<void> };
  readonly visibility: Visibility;
  /** Whose commands this node sends. */
  readonly ways: Ways;
  /** Another node has heard the vehicle last. */
  readonly reportedElsewhere: (vehicleId: number) => void;
  /** Something that the vehicle said is not committed yet. */
  readonly isWaiting: (vehicleId: number) => boolean;
}

export interface Release {
  /** Looks whether the queued commands of a vehicle may leave, and lets go those that may. */
  look(queue: CommandQueue): Promise<void>;
  /** The tracker has dialled in again: what only asks or sets, and was not answered, is sent again. */
  repeat(queue: CommandQueue): Promise<void>;
  /** The tracker contradicts itself: commands that need a stopped vehicle are no longer sent. */
  contradicted(queue: CommandQueue): Promise<void>;
  /** What users may do was changed: whatever was found out about it until now holds no longer. */
  rightsChanged(): void;
  /** Cancels what its sender might not send any more. */
  recheck(queue: CommandQueue, holders: Holders): Promise<void>;
  /** From now on nothing leaves. */
  stop(): void;
}

/** What has to hold when the bytes leave. */
interface Clearance {
  readonly connection: DeviceConnection;
  readonly vehicle: DirectoryEntry;
  /** The user who asked, and the one who confirmed it if it needed two. */
  readonly senders: readonly Holder[];
  /** After how many changes of users' rights they were looked up. */
  readonly rights: number;
}

/**
 * The last hand on a command before its tracker (invariant I4). `published` is written before a byte leaves, so that a
 * crash in between leaves a command whose outcome is unknown and never one that is sent again unseen. Everything that
 * safety asks for is then looked at once more, in the same turn in which the bytes leave.
 */
export function createRelease({ db, log }: Pick<Context, 'db' | 'log'>, parts: ReleaseParts, steps: Steps): Release {
  const { connections, directory, now, ways } = parts;
  let rights = 0;
  let isStopped = false;
  /** The commands that each connection has carried, by id. */
  const givenTo = new WeakMap<DeviceConnection, Set<string>>();

  /** Nobody is believed but the connection that will carry the command. */
  const interlockFor = (record: CommandRecord): Interlock | null => {
    if (!commandKind(record.action).interlock) return null;
    return interlockOf(parts, { id: record.vehicleId, imei: record.imei }).interlock;
  };

  /** The sender and the second person, if both still have the permission; else null. */
  const sendersOf = async (
    { action, createdBy, needsSecond, secondBy, state }: CommandRecord,
    vehicle: DirectoryEntry,
    holders = readHolders(db.system),
  ): Promise<readonly Holder[] | null> => {
    await Promise.all([directory.settled(), parts.roster.settled()]);
    const ids = needsSecond && state !== 'awaiting-second' ? [createdBy, secondBy] : [createdBy];
    const found = await Promise.all(ids.map(id => (id === null ? null : holders(id))));
    const { category } = commandKind(action);
    const senders = found.filter(holder => maySendStill(holder, parts.visibility, vehicle, category));
    return senders.length === ids.length && new Set(ids).size === ids.length ? senders : null;
  };

  const reach = ({ imei, vehicleId }: CommandRecord): DeviceConnection | null => {
    const connection = connections.find(imei);
    return connection?.vehicleId === vehicleId ? connection : null;
  };

  const waitFor = async (
    queue: CommandQueue,
    record: CommandRecord,
    what: Command['waitingFor'],
    interlock?: Interlock,
  ) => {
    if (record.waitingFor === what) return;
    await steps.take(queue, record, what === 'tracker' ? 'asleep' : 'armed', interlock ? { interlock } : {});
  };

  /** Null when the vehicle stands safely; else it is written what that means for the command. */
  const stands = async (
    queue: CommandQueue,
    record: CommandRecord,
  ): Promise<{ readonly interlock: Interlock | null } | null> => {
    const interlock = interlockFor(record);
    if (interlock === null || interlock.holds) return { interlock };
    if (record.mode !== 'immediate') await waitFor(queue, record, 'safe-stop', interlock);
    // Without a fresh fix nobody knows: the tracker has dialled in, and its report is on its way.
    else if (isFresh(interlock)) await steps.take(queue, record, 'unsafe', { interlock });
    else await waitFor(queue, record, 'tracker', interlock);
    return null;
  };

  /** What has come in between since the command was judged; null when nothing has. */
  const obstacle = (
    record: CommandRecord,
    { connection, rights: then, senders, vehicle }: Clearance,
  ): string | null => {
    const { category } = commandKind(record.action);
    if (isStopped) return 'stopping';
    if (reach(record) !== connection) return 'connection';
    if (directory.findById(vehicle.id)?.imei !== record.imei) return 'vehicle';
    const mayStill = senders.every(sender => maySendStill(sender, parts.visibility, vehicle, category));
    if (then !== rights || !mayStill) return 'rights';
    if (record.expiresAt <= now()) return 'expiry';
    const interlock = interlockFor(record);
    if (interlock === null) return null;
    if (parts.isWaiting(record.vehicleId)) return 'report under way';
    return interlock.holds ? null : 'interlock';
  };

  /**
   * Null when the command is over, for the cause that came first in this order: without its vehicle or that vehicle's
   * tracker nobody's rights matter, and neither do they once its time is over. Else anyone who may send it.
   */
  const ended = async (
    queue: CommandQueue,
    record: CommandRecord,
    holders?: Holders,
  ): Promise<readonly Holder[] | null> => {
    await Promise.all([directory.settled(), parts.roster.settled()]);
    const vehicle = directory.findById(record.vehicleId);
    if (vehicle?.accountId !== record.accountId) return null;
    const senders = await sendersOf(record, vehicle, holders);
    const current = directory.findById(record.vehicleId);
    // `vehicleGone` reports its end.
    if (!current) return null;
    if (current.imei !== record.imei) await steps.take(queue, record, 'superseded');
    else if (record.expiresAt <= now()) await steps.take(queue, record, 'expired');
    else if (senders) return senders;
    else await steps.take(queue, record, 'rightsLost');
    return null;
  };

  const attempt = async (queue: CommandQueue, record: CommandRecord): Promise<void> => {
    const vehicle = directory.findById(record.vehicleId);
    if (vehicle?.accountId !== record.accountId || !ways.isMine(record.vehicleId)) return;
    if (vehicle.imei !== record.imei) return void (await steps.take(queue, record, 'superseded'));
    if (record.expiresAt <= now()) return void (await steps.take(queue, record, 'expired'));
    const connection = reach(record);
    if (!connection) return waitFor(queue, record, 'tracker');
    const protocol = connection.protocol;
    const text = offerOf(protocol, record.action)?.text({ ...record.params, ...record.secrets }) ?? null;
    if (text === null) return void (await steps.take(queue, record, 'unsupported'));
    if (!carriesReference(protocol) && queue.awaitingAnswer().length > 0) return;
    const safe = await stands(queue, record);
    // What is under way into the database may say that it moves: the commit brings us back.
    if (!safe || (safe.interlock && parts.isWaiting(record.vehicleId))) return;
    const then = rights;
    const senders = await ended(queue, record);
    if (!senders) return;
    await send(queue, record, { connection, vehicle, senders, rights: then }, text, safe.interlock);
  };

  /** Null where another node has the vehicle's commands, or has heard it last: nothing is sent, and nothing written. */
  const publish: Steps['take'] = async (queue, record, event, options) => {
    try {
      return await steps.take(queue, record, event, {
        ...options,
        first: trx => ways.fence(trx, record.vehicleId, commandKind(record.action).interlock),
      });
    } catch (error) {
      if (!(error instanceof NotOurs)) throw error;
      log.info(
        { command: record.id, what: error.what },
        'A command was not sent: another server has the commands or latest reports of the vehicle',
      );
      if (error.what === 'reports') parts.reportedElsewhere(record.vehicleId);
      return null;
    }
  };

  const send = async (
    queue: CommandQueue,
    record: CommandRecord,
    clearance: Clearance,
    text: string,
    interlock: Interlock | null = null,
  ): Promise<void> => {
    const { connection } = clearance;
    const reference = queue.nextReference();
    const bytes = connection.encode(text, reference);
    const change = {
      sent: record.sent + 1,
      publishedAt: now(),
      protocol: connection.protocol,
      reference,
      text: maskedText(text, record.secrets),
    };
    const event = record.state === 'queued' ? 'published' : 'publishedAgain';
    const published = await publish(queue, record, event, { change, interlock });
    if (!published) return;
    // From here to the bytes nothing waits: what is looked at now holds when they leave.
    const between = obstacle(published, clearance);
    if (between === null) {
      givenTo.set(connection, (givenTo.get(connection) ?? new Set()).add(record.id));
      return connection.send(bytes, reference);
    }
    log.info({ command: record.id, between }, 'A command was held back');
    if (event === 'publishedAgain' || isStopped) return;
    const back = { sent: record.sent, publishedAt: record.publishedAt, text: null, reference: null };
    const held = await steps.take(queue, published, 'heldBack', { change: back, interlock: interlockFor(record) });
    if (held) await attempt(queue, held);
  };

  const look = async (queue: CommandQueue): Promise<void> => {
    for (const record of queue.awaitingSecond()) {
      const vehicle = directory.findById(record.vehicleId);
      if (vehicle && vehicle.imei !== record.imei) await steps.take(queue, record, 'superseded');
    }
    for (const { id } of queue.queued()) {
      const record = queue.find(id);
      if (record?.state === 'queued' && !isStopped) await attempt(queue, record);
    }
  };

  return {
    look,
    recheck: async (queue, holders) => {
      for (const record of [...queue.awaitingSecond(), ...queue.queued()]) {
        await ended(queue, record, holders);
      }
      await look(queue);
    },
    contradicted: async queue => {
      for (const record of [...queue.awaitingSecond(), ...queue.queued()]) {
        if (commandKind(record.action).interlock) await steps.take(queue, record, 'contradicted');
      }
    },
    repeat: async queue => {
      for (const record of queue.awaitingAnswer()) {
        const vehicle = directory.findById(record.vehicleId);
        const connection = reach(record);
        // It had the connection before the news of it came.
        if (connection && givenTo.get(connection)?.has(record.id)) continue;
        if (commandKind(record.action).category === 'control' || record.sent >= SENDS_AT_MOST) continue;
        if (!vehicle || !connection || !isAwaitingAnswer(record.state) || record.expiresAt <= now()) continue;
        const text = offerOf(connection.protocol, record.action)?.text({ ...record.params, ...record.secrets }) ?? null;
        const then = rights;
        const senders = text === null ? null : await sendersOf(record, vehicle);
        if (text !== null && senders) await send(queue, record, { connection, vehicle, senders, rights: then }, text);
      }
    },
    rightsChanged: () => {
      rights++;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
