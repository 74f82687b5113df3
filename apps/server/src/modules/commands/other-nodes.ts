import type { Context } from '../../context.ts';
import type { Ways } from '../../ingest/gateways/ways.ts';
import type { SignalMap } from '../../lifecycle/signals.ts';

/** Who had a vehicle's commands until now. */
export type Sender = SignalMap['commands-gained']['sender'];

export interface FollowedCommands {
  readonly ways: Ways;
  /** Commands that have something to come, by vehicle, and how many steps each has taken; without IDs, of all vehicles
   * that no other running node has. */
  unfinished(
    vehicleIds: readonly number[] | null,
  ): Promise<ReadonlyMap<number, readonly { readonly id: string; readonly steps: number }[]>>;
  isKnown(vehicleId: number, commandId: string, steps: number): boolean;
  /** Reads a vehicle's commands again. Null: this node had them before. */
  read(vehicleId: number, sender: Sender | null): Promise<void>;
  /** Another node has them. */
  drop(vehicleId: number): void;
}

export interface FollowCommands {
  start(): void;
  /** Resolves when what this node has taken over until now has been read. */
  loaded(): Promise<void>;
  stop(): void;
}

const NOBODY: FollowCommands = { start: () => {}, loaded: async () => {}, stop: () => {} };
/** How soon the commands of a node that is gone are taken up, and what no message has told is noticed. */
const LOOK_EVERY_MS = 2000;

/**
 * What other nodes do with commands. They write it down; the change feed tells it to the node that has the vehicle's
 * commands, with the bus or without. Every few seconds each node takes those that no running node has.
 */
export function followCommands(
  { bus, feed, log, signals }: Pick<Context, 'bus' | 'feed' | 'log' | 'signals'>,
  { drop, isKnown, read, unfinished, ways }: FollowedCommands,
): FollowCommands {
  if (!ways.isShared) return NOBODY;
  let loading: Promise<void> = Promise.resolve();
  let isLooking = false;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  const failed = (error: unknown): void => {
    if (!isStopped) log.warn({ err: error }, 'Could not read the commands of vehicles; trying again');
  };

  const look = async (): Promise<void> => {
    const known = await unfinished(null);
    // Those that nobody has, or a node that is gone, are taken.
    const mine = await ways.hold([...known.keys()]);
    await loading;
    for (const [vehicleId, commands] of known) {
      if (!mine.has(vehicleId) || isStopped) continue;
      if (commands.some(({ id, steps }) => !isKnown(vehicleId, id, steps))) await read(vehicleId, null);
    }
  };
  const lookOnce = (): void => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(failed)
      .finally(() => {
        isLooking = false;
      });
  };

  const ends = [
    signals.on('commands-gained', ({ vehicleIds, sender }) => {
      const earlier = loading;
      loading = (async () => {
        await earlier;
        const known = await unfinished(vehicleIds);
        await Promise.all([...known.keys()].map(vehicleId => read(vehicleId, sender)));
      })().catch(failed);
    }),
    signals.on('commands-lost', ({ vehicleIds }) => {
      for (const vehicleId of vehicleIds) drop(vehicleId);
    }),
    feed.follow('after', changes => {
      const of = changes.flatMap(({ kind, vehicleId }) =>
        kind === 'command' && vehicleId !== null ? [vehicleId] : [],
      );
      for (const vehicleId of new Set(of)) if (ways.isMine(vehicleId)) void read(vehicleId, null);
    }),
    bus.listen('commands.changed', (_, from) => {
      if (from !== bus.nodeId) feed.settled().catch(failed);
    }),
  ];

  return {
    start: () => {
      timer = setInterval(lookOnce, LOOK_EVERY_MS).unref();
    },
    loaded: () => loading,
    stop: () => {
      isStopped = true;
      if (timer) clearInterval(timer);
      for (const end of ends) end();
    },
  };
}
