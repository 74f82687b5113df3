import type { CommandAction, TrackerProtocol } from '@milepost/contract';

/** A tracker's answer to a command. */
export interface TrackerReply {
  readonly protocol: TrackerProtocol;
  /** The tracker's own text; empty if there is none. */
  readonly text: string;
  /** Of the command, where the protocol carries one. */
  readonly reference: number | null;
  /** Which command it is and whether it was refused, if the protocol says so; otherwise the text decides. */
  readonly action?: CommandAction;
  readonly refused?: boolean;
}

declare module '../lifecycle/signals.ts' {
  interface SignalMap {
    /** A tracker answered a command. */
    'tracker-replied': { readonly vehicleId: number; readonly reply: TrackerReply };
  }
}
