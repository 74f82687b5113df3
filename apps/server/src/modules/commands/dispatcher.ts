import { Gauge } from 'prom-client';
import type { Context } from '../../context.ts';
import { type Author, systemAuthor } from '../audit/audit.ts';
import { CommandQueue } from './command-queue.ts';
import { createOutcomes } from './outcomes.ts';
import type { CommandRecord } from './record.ts';
import { createRelease, type ReleaseParts } from './release.ts';
import { readHolders } from './senders.ts';
import { createSteps, type StepOptions } from './steps.ts';
import { readOpen } from './store.ts';
import { isBeforeSending, isOpen } from './transitions.ts';

export type DispatcherParts = ReleaseParts;

/** Takes commands that are written down to their trackers, and what becomes of them back. */
export interface Dispatcher {
  /** Those that were open when the server ended. Once, before anything else. */
  takeUp(): Promise<void>;
  /** A new one, after its row is committed. Resolves when it has left, or waits, or has ended. */
  add(record: CommandRecord, author: Author): Promise<CommandRecord>;
  /** The command after its second person has decided, and it has left if it may; null where it waits for none. */
  decide(record: CommandRecord, event: 'agreed' | 'declined', options: StepOptions): Promise<CommandRecord | null>;
  /** The command after it was cancelled; null where it has left or ended. */
  cancel(record: CommandRecord, author: Author): Promise<CommandRecord | null>;
  /** How many of a vehicle are open. */
  openOf(vehicleId: number): number;
  /** Looks at the clock; done every second while there is anything to look at. */
  tick(): Promise<void>;
  /** Resolves when all that has come up until now is done. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1000;
/** Rights change in bursts, and are read again once for all. */
const RIGHTS_AFTER_MS = 200;

/** What a newer command makes pointless: the same once more, or the opposite. */
const OPPOSITES: Readonly<Partial<Record<CommandRecord['action'], CommandRecord['action']>>> = {
  engineStop: 'engineResume',
  engineResume: 'engineStop',
  outputOn: 'outputOff',
  outputOff: 'outputOn',
  lockDoors: 'unlockDoors',
  unlockDoors: 'lockDoors',
  alarmArm: 'alarmDisarm',
  alarmDisarm: 'alarmArm',
};

function isPointless(older: CommandRecord, newer: CommandRecord): boolean {
  if (older.id === newer.id || !isBeforeSending(older.state)) return false;
  // What waits for a second person may never come to pass: until then it makes nothing pointless but its like.
  if (newer.state === 'awaiting-second' && older.state !== 'awaiting-second') return false;
  if (older.action !== newer.action && OPPOSITES[newer.action] !== older.action) return false;
  return older.params.output === newer.params.output && older.params.number === newer.params.number;
}

export function createDispatcher(context: Context, parts: DispatcherParts): Dispatcher {
  const { db, log, metrics, signals } = context;
  const { directory, now } = parts;
  const steps = createSteps(context, parts);
  const release = createRelease(context, parts, steps);
  const outcomes = createOutcomes(context, steps, now);
  const lines = new Map<number, CommandQueue>();
  let timer: NodeJS.Timeout | null = null;
  let rightsTimer: NodeJS.Timeout | null = null;
  let passing: Promise<void> | null = null;
  let isStopped = false;

  new Gauge({
    name: 'milepost_commands_open',
    help: 'Commands that are not at their end',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const line of lines.values()) {
        for (const { state } of line.all()) if (isOpen(state)) this.inc({ state });
      }
    },
  });

  const lineOf = (vehicleId: number): CommandQueue => {
    const known = lines.get(vehicleId);
    if (known) return known;
    const line = new CommandQueue(vehicleId, error =>
      log.error({ err: error, vehicleId }, 'Could not continue a command'),
    );
    lines.set(vehicleId, line);
    if (!isStopped) timer ??= setInterval(() => void dispatcher.tick(), TICK_MS).unref();
    return line;
  };

  /** Does something with the commands of a vehicle, and then looks what may leave now. */
  const then = (line: CommandQueue, work: () => Promise<void>): Promise<void> =>
    line.inTurn(async () => {
      await work();
      await release.look(line);
    });

  /** A command is to leave: it ends those that it makes pointless, and leaves if it may. */
  const settle = async (line: CommandQueue, record: CommandRecord, author: Author): Promise<void> => {
    for (const older of line.all()) {
      if (isPointless(older, record)) await steps.take(line, older, 'superseded', { by: author.userName, author });
    }
    await release.look(line);
  };

  const pass = async (line: CommandQueue): Promise<void> => {
    await outcomes.clock(line);
    line.forgetDone(now());
    if (line.size === 0 && lines.get(line.vehicleId) === line) lines.delete(line.vehicleId);
    else await release.look(line);
  };

  const passAll = async (): Promise<void> => {
    await Promise.all([...lines.values()].map(line => line.inTurn(() => pass(line))));
    if (lines.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  };

  /** Users or sight have changed. */
  const recheckSoon = (): void => {
    if (lines.size === 0) return;
    rightsTimer ??= setTimeout(() => {
      rightsTimer = null;
      const holders = readHolders(db.system);
      for (const line of lines.values()) void line.inTurn(() => release.recheck(line, holders));
    }, RIGHTS_AFTER_MS).unref();
  };

  const usersChanged = (): void => {
    release.rightsChanged();
    recheckSoon();
  };

  const unsubscribe = [
    // On the hot path: nothing is looked at while no command is open, and one lookup a vehicle otherwise.
    signals.on('positions-committed', ({ changes }) => {
      if (lines.size === 0) return;
      for (const change of changes) {
        const line = lines.get(change.vehicle.id);
        if (line) void then(line, () => outcomes.reported(line, change));
      }
    }),
    signals.on('tracker-replied', ({ vehicleId, reply }) => {
      const line = lines.get(vehicleId);
      // The tracker is free for the next.
      if (line) void then(line, () => outcomes.answered(line, reply));
    }),
    signals.on('tracker-reachable', ({ vehicleId }) => {
      const line = lines.get(vehicleId);
      if (line) void then(line, () => release.repeat(line));
    }),
    signals.on('tracker-contradicted', ({ vehicleId, conflict }) => {
      // What others say holds commands until their tracker has spoken again; nobody else can end one.
      const line = conflict.cause === 'itself' ? lines.get(vehicleId) : undefined;
      if (line) void line.inTurn(() => release.contradicted(line));
    }),
    signals.on('command-delivered', ({ vehicleId, reference }) => {
      const line = lines.get(vehicleId);
      if (line) void line.inTurn(() => outcomes.delivered(line, reference));
    }),
    signals.on('vehicle-changed', ({ vehicleId }) => {
      const line = lines.get(vehicleId);
      if (!line) return;
      void line.inTurn(async () => {
        await directory.settled();
        if (directory.findById(vehicleId) === null) await steps.vehicleGone(line);
        else await release.look(line);
      });
    }),
    signals.on('users-changed', usersChanged),
    // Whoever is deactivated or deleted is signed out.
    signals.on('sessions-ended', usersChanged),
    signals.on('vehicles-arranged', recheckSoon),
    signals.on('organisation-changed', recheckSoon),
    signals.on('driver-changed', recheckSoon),
  ];

  const dispatcher: Dispatcher = {
    takeUp: async () => {
      for (const record of await readOpen(db.system)) {
        const line = lineOf(record.vehicleId);
        line.put(record);
        if (isOpen(record.state)) void line.inTurn(async () => void (await steps.take(line, record, 'restarted')));
      }
      await dispatcher.settled();
    },
    add: async (record, author) => {
      const line = lineOf(record.vehicleId);
      // In the same turn: a line that has nothing is forgotten.
      steps.asked(line, record);
      await line.inTurn(() => settle(line, record, author));
      return line.find(record.id) ?? record;
    },
    decide: async (record, event, options) => {
      const line = lines.get(record.vehicleId);
      return (
        line?.answerInTurn(async () => {
          // Its time may be over although no tick has come by since.
          await outcomes.clock(line);
          const current = line.find(record.id);
          const next = current && (await steps.take(line, current, event, options));
          if (!next) return null;
          if (isOpen(next.state)) await settle(line, next, options.author ?? systemAuthor(record.accountId));
          return line.find(record.id) ?? next;
        }) ?? null
      );
    },
    cancel: async (record, author) => {
      const line = lines.get(record.vehicleId);
      let cancelled: CommandRecord | null = null;
      await line?.inTurn(async () => {
        const current = line.find(record.id);
        if (current) cancelled = await steps.take(line, current, 'cancelled', { by: author.userName, author });
      });
      return cancelled;
    },
    openOf: vehicleId =>
      lines
        .get(vehicleId)
        ?.all()
        .filter(({ state }) => isOpen(state)).length ?? 0,
    tick: () => {
      // A database that does not answer must not gather one pass a second.
      passing ??= passAll().finally(() => {
        passing = null;
      });
      return passing;
    },
    settled: async () => {
      await Promise.all([...lines.values()].map(line => line.inTurn(async () => {})));
    },
    stop: async () => {
      isStopped = true;
      release.stop();
      for (const end of unsubscribe) end();
      if (timer) clearInterval(timer);
      if (rightsTimer) clearTimeout(rightsTimer);
      await dispatcher.settled();
    },
  };
  return dispatcher;
}
