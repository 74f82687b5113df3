import type { AccountTransaction } from '../../db/database.ts';

/** The part of a tracker's connection that is needed here. */
export interface Way {
  readonly imei: string;
  readonly vehicleId: number;
  close(reason: string): void;
}

/** Of which vehicles this node sends the commands. One node at a time does, for each vehicle. */
export interface Ways {
  /** Other nodes may have them. */
  readonly isShared: boolean;
  /** Synchronous, and true for a moment only: another node takes none over before this one says false. */
  isMine(vehicleId: number): boolean;
  /** Whether they are this node's; takes those that no running node has. */
  hold(vehicleIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** The running node that has a vehicle's commands; null if none has, or this one. */
  nodeOf(vehicleId: number): Promise<string | null>;
  /**
   * In the transaction that says a command is sent: it fails with `NotOurs` unless the commands are this node's and,
   * with `andReports`, so is what was reported last. Until the transaction ends, no other node takes either.
   */
  fence(trx: AccountTransaction, vehicleId: number, andReports: boolean): Promise<void>;
  /** The first connection of a tracker to this node. True if it has the vehicle's commands right now. */
  connected(connection: Way): boolean;
  disconnected(connection: Way): void;
  stop(): Promise<void>;
}

/** Another node has a vehicle's commands, or has heard its tracker last. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
  readonly what: 'commands' | 'reports';

  constructor(what: NotOurs['what']) {
    super(`Another server has this vehicle's ${what}`);
    this.what = what;
  }
}

/** Of the only node. */
export const ONLY_WAYS: Ways = {
  isShared: false,
  isMine: () => true,
  hold: async vehicleIds => new Set(vehicleIds),
  nodeOf: async () => null,
  fence: async () => {},
  connected: () => true,
  disconnected: () => {},
  stop: async () => {},
};
