import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { onEveryNode } from '../../bus/every-node.ts';
import type { Context } from '../../context.ts';
import type { Change } from '../../ingest/change.ts';
import { type Author, systemAuthor } from '../audit/audit.ts';
import { CommandQueue } from './command-queue.ts';
import { followCommands, type Sender } from './other-nodes.ts';
import { createOutcomes } from './outcomes.ts';
import type { CommandRecord } from './record.ts';
import { createRelease, type ReleaseParts } from './release.ts';
import { readHolders } from './senders.ts';
import { createSteps, type StepOptions } from './steps.ts';
import { findRecord, readOfVehicle, readOpen, readUnfinished } from './store.ts';
import { isAwaitingAnswer, isBeforeSending, isOpen, PATIENCE } from './transitions.ts';

export type DispatcherParts = ReleaseParts;

/** Delivers stored commands to their trackers and records the outcome. */
export interface Dispatcher {
  /** Resumes commands that were open when the server stopped. Once, before anything else. */
  takeUp(): Promise<void>;
  /** A new command, after its row is committed. Resolves when it is sent, waits, or has ended. */
  add(record: CommandRecord, author: Author): Promise<CommandRecord>;
  /** The command after the second person's decision, sent if confirmed; null if it isn't waiting for one. */
  decide(record: CommandRecord, event: 'agreed' | 'declined', options: StepOptions): Promise<CommandRecord | null>;
  /** The command after it was canceled; null if it was already sent or has ended. */
  cancel(record: CommandRecord, author: Author): Promise<CommandRecord | null>;
  /** How many commands of a vehicle are open. */
  openOf(vehicleId: number): number;
  /** Checks deadlines; runs every second while there are any. */
  tick(): Promise<void>;
  /** Resolves when all work so far is done. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1000;
/** Rights change in bursts, so they are read once per burst. */
const RIGHTS_AFTER_MS = 200;
/** How long a request waits for the node that has the vehicle's commands to look at them. */
const LOOKED_AT_WITHIN_MS = 1000;

/** What a newer command replaces: the same command, or its opposite. */
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
  const { bus, db, log, metrics, signals } = context;
  const { directory, now, ways } = parts;
  const steps = createSteps(context, parts);
  const release = createRelease(context, parts, steps);
  const outcomes = createOutcomes(context, steps, now);
  const queues = new Map<number, CommandQueue>();
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
      for (const queue of queues.values()) {
        for (const { state } of queue.all()) if (isOpen(state)) this.inc({ state });
      }
    },
  });

  const queueOf = (vehicleId: number): CommandQueue => {
    const known = queues.get(vehicleId);
    if (known) return known;
    const queue = new CommandQueue(vehicleId, error =>
      log.error({ err: error, vehicleId }, 'Could not continue a command'),
    );
    queues.set(vehicleId, queue);
    if (!isStopped) timer ??= setInterval(() => void dispatcher.tick(), TICK_MS).unref();
    return queue;
  };

  /**
   * What another node has, as it is in the database, for one piece of work: whatever is written of it, the database lets
   * through what fits the command as it is, and the node that has it hears of it from the change feed.
   */
  const borrowed = async (vehicleId: number): Promise<CommandQueue> => {
    const queue = new CommandQueue(vehicleId, error =>
      log.error({ err: error, vehicleId }, 'Could not continue a command that another server has'),
    );
    for (const record of await readOfVehicle(db.system, vehicleId, answerableSince())) queue.put(record);
    return queue;
  };
  const answerableSince = (): number => now() - PATIENCE.answerMs - PATIENCE.lateAnswerMs;
  /** A vehicle's queue; null if it has none. */
  const find = async (vehicleId: number): Promise<CommandQueue | null> => {
    if (!ways.isShared) return queues.get(vehicleId) ?? null;
    const isMine = await holds(vehicleId);
    return (isMine ? queues.get(vehicleId) : null) ?? borrowed(vehicleId);
  };
  /** Whether this node has a vehicle's commands now; takes them if no running node has them. */
  const holds = async (vehicleId: number): Promise<boolean> => {
    const held = await ways.hold([vehicleId]).catch((error: unknown) => {
      log.warn({ err: error, vehicleId }, 'Could not take over the commands of a vehicle; trying again');
      return new Set<number>();
    });
    await others.loaded();
    return held.has(vehicleId);
  };

  /** Takes over what the database says of a vehicle's commands. True if it is news. */
  const readAgain = async (queue: CommandQueue, sender: Sender | null): Promise<boolean> => {
    const records = await readOfVehicle(db.system, queue.vehicleId, answerableSince());
    let isNews = false;
    for (const record of records) {
      if (queue.find(record.id)?.steps.length === record.steps.length) continue;
      queue.put(record);
      isNews = true;
    }
    const ids = new Set(records.map(({ id }) => id));
    for (const known of queue.all()) {
      if (ids.has(known.id) || !isOpen(known.state)) continue;
      await steps.readAgain(queue, known);
      isNews = true;
    }
    for (const record of queue.all()) {
      // What was sent by a server on its own, before there were several, nobody knows either.
      const isUnsure = sender === 'gone' ? isOpen(record.state) : sender === 'nobody' && isAwaitingAnswer(record.state);
      if (isUnsure && (await steps.take(queue, record, 'restarted'))) isNews = true;
    }
    return isNews;
  };

  /** What another node has added or decided is looked at by the node that has the vehicle's commands: here it is seen. */
  const lookedAt = async (record: CommandRecord): Promise<CommandRecord> => {
    bus.publish('commands.changed', '');
    for (let delayMs = 20; delayMs < LOOKED_AT_WITHIN_MS; delayMs *= 2) {
      await sleep(delayMs);
      const current = await db.asAccount(record.accountId, trx => findRecord(trx, record.id));
      if (!current || current.steps.length > record.steps.length) return current ?? record;
    }
    return record;
  };

  /** Does something with the commands of a vehicle, and then looks what may leave now. */
  const then = (queue: CommandQueue, work: () => Promise<void>): Promise<void> =>
    queue.inTurn(async () => {
      await work();
      await release.look(queue);
    });

  /** A command is to leave: it ends those that it makes pointless, and leaves if it may. */
  const settle = async (queue: CommandQueue, record: CommandRecord, author: Author): Promise<void> => {
    for (const older of queue.all()) {
      if (isPointless(older, record)) await steps.take(queue, older, 'superseded', { by: author.userName, author });
    }
    await release.look(queue);
  };

  const pass = async (queue: CommandQueue): Promise<void> => {
    await outcomes.clock(queue);
    queue.forgetDone(now());
    if (queue.size === 0 && queues.get(queue.vehicleId) === queue) queues.delete(queue.vehicleId);
    else await release.look(queue);
  };

  /** Of the vehicle's queue, or of what another node has in its own: what a tracker says to this node counts all the same. */
  const said = (vehicleId: number, work: (queue: CommandQueue) => Promise<void>): void => {
    const queue = queues.get(vehicleId);
    // The tracker is free for the next.
    if (queue) return void then(queue, () => work(queue));
    if (!ways.isShared) return;
    borrowed(vehicleId)
      .then(async other => {
        if (other.size > 0) await other.inTurn(() => work(other));
      })
      .catch((error: unknown) => log.error({ err: error, vehicleId }, 'Could not save what a tracker answered'));
  };

  const passAll = async (): Promise<void> => {
    await Promise.all([...queues.values()].map(queue => queue.inTurn(() => pass(queue))));
    if (queues.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  };

  /** Users or sight have changed. */
  const recheckSoon = (): void => {
    if (queues.size === 0) return;
    rightsTimer ??= setTimeout(() => {
      rightsTimer = null;
      const holders = readHolders(db.system);
      for (const queue of queues.values()) void queue.inTurn(() => release.recheck(queue, holders));
    }, RIGHTS_AFTER_MS).unref();
  };

  const usersChanged = (): void => {
    release.rightsChanged();
    recheckSoon();
  };

  const reported = (changes: readonly Change[]): void => {
    if (queues.size === 0) return;
    for (const change of changes) {
      const queue = queues.get(change.vehicle.id);
      if (queue) void then(queue, () => outcomes.reported(queue, change));
    }
  };

  const others = followCommands(context, {
    ways,
    unfinished: vehicleIds => readUnfinished(db.system, bus.nodeId, vehicleIds),
    isKnown: (vehicleId, id, count) => queues.get(vehicleId)?.find(id)?.steps.length === count,
    read: (vehicleId, sender) => {
      const queue = queueOf(vehicleId);
      return queue.inTurn(async () => {
        if (!(await readAgain(queue, sender))) return;
        if (sender !== null) await release.repeat(queue);
        await release.look(queue);
      });
    },
    drop: vehicleId => {
      const queue = queues.get(vehicleId);
      if (!queue) return;
      queues.delete(vehicleId);
      // Whatever still waits for its turn has nothing to do.
      for (const { id } of queue.all()) queue.drop(id);
    },
  });

  const unsubscribe = [
    // On the hot path: nothing is looked at while no command is open, and one lookup a vehicle otherwise.
    signals.on('positions-committed', ({ changes }) => reported(changes)),
    signals.on('positions-heard', ({ changes }) => reported(changes)),
    signals.on('tracker-replied', ({ vehicleId, reply }) => said(vehicleId, queue => outcomes.answered(queue, reply))),
    signals.on('tracker-reachable', ({ vehicleId }) => {
      const queue = queues.get(vehicleId);
      if (queue) void then(queue, () => release.repeat(queue));
    }),
    onEveryNode(context, 'tracker-contradicted', ({ vehicleId, conflict }) => {
      // What others say holds commands until their tracker has spoken again; nobody else can end one.
      const queue = conflict.cause === 'itself' ? queues.get(vehicleId) : undefined;
      if (queue) void queue.inTurn(() => release.contradicted(queue));
    }),
    signals.on('command-delivered', ({ vehicleId, reference }) =>
      said(vehicleId, queue => outcomes.delivered(queue, reference)),
    ),
    signals.on('vehicle-changed', ({ vehicleId }) => {
      const queue = queues.get(vehicleId);
      if (!queue) return;
      void queue.inTurn(async () => {
        await directory.settled();
        if (directory.findById(vehicleId) === null) await steps.vehicleGone(queue);
        else await release.look(queue);
      });
    }),
    signals.on('users-changed', usersChanged),
    // Deactivated and deleted users are signed out.
    signals.on('sessions-ended', usersChanged),
    signals.on('vehicles-arranged', recheckSoon),
    signals.on('organisation-changed', recheckSoon),
    signals.on('driver-changed', recheckSoon),
  ];

  const dispatcher: Dispatcher = {
    takeUp: async () => {
      // Of several, each takes up what no other has, again and again.
      if (ways.isShared) return others.start();
      for (const record of await readOpen(db.system)) {
        const queue = queueOf(record.vehicleId);
        queue.put(record);
        if (isOpen(record.state)) void queue.inTurn(async () => void (await steps.take(queue, record, 'restarted')));
      }
      await dispatcher.settled();
    },
    add: async (record, author) => {
      const isHere = await holds(record.vehicleId);
      const queue = isHere ? queueOf(record.vehicleId) : await borrowed(record.vehicleId);
      // In the same turn: a line that has nothing is forgotten.
      steps.asked(queue, record);
      await queue.inTurn(() => settle(queue, queue.find(record.id) ?? record, author));
      const next = queue.find(record.id) ?? record;
      return isHere ? next : lookedAt(next);
    },
    decide: async (record, event, options) => {
      const queue = await find(record.vehicleId);
      if (!queue) return null;
      const decided = await queue.answerInTurn(async () => {
        // Its time may be over although no tick has come by since.
        await outcomes.clock(queue);
        const current = queue.find(record.id);
        const next = current && (await steps.take(queue, current, event, options));
        if (!next) return null;
        if (isOpen(next.state)) await settle(queue, next, options.author ?? systemAuthor(record.accountId));
        return queue.find(record.id) ?? next;
      });
      const isElsewhere = queues.get(record.vehicleId) !== queue;
      return ways.isShared && decided && isElsewhere && isOpen(decided.state) ? lookedAt(decided) : decided;
    },
    cancel: async (record, author) => {
      const queue = await find(record.vehicleId);
      let cancelled: CommandRecord | null = null;
      await queue?.inTurn(async () => {
        const current = queue.find(record.id);
        if (current) cancelled = await steps.take(queue, current, 'cancelled', { by: author.userName, author });
      });
      return cancelled;
    },
    openOf: vehicleId =>
      queues
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
      await others.loaded();
      await Promise.all([...queues.values()].map(queue => queue.inTurn(async () => {})));
    },
    stop: async () => {
      isStopped = true;
      release.stop();
      others.stop();
      for (const end of unsubscribe) end();
      if (timer) clearInterval(timer);
      if (rightsTimer) clearTimeout(rightsTimer);
      await dispatcher.settled();
    },
  };
  return dispatcher;
}
