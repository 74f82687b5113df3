/** Sent by the server to the launcher that started it, over their IPC channel. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly url: string;
  readonly demo: null | {
    /** Null if nobody can sign in to the demo (DEMO=public). */
    readonly signIn: {
      readonly userName: string;
      readonly password: string;
      /** Other users with the same password. */
      readonly others: readonly string[];
    } | null;
    /** A session token of the demo's owner, for the simulator that drives the demo fleet. */
    readonly simulatorToken: string;
    /** The vehicles that belong to the demo; those that a user adds have trackers of their own. */
    readonly fleet: readonly { readonly imei: string; readonly name: string }[];
  };
  /** Creates the owner of an installation that has none, once. Null if there is one, and in a demo. */
  readonly ownerLink: string | null;
  /** Ports for trackers, by protocol, including `mqtt`; those turned off are missing. */
  readonly trackerPorts: Readonly<Record<string, number>>;
}

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

/** Notifies the launcher, if there is one. */
export function notifyLauncher(message: ReadyMessage): void {
  process.send?.(message);
}
