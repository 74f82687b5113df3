/** Instructions for a load process. Trackers send `perMessage` positions at once, and wait for the acknowledgement. */
export interface LoadPlan {
  readonly transport: 'teltonika' | 'mqtt';
  readonly port: number;
  readonly imeis: readonly string[];
  /** The key of every tracker, on MQTT. */
  readonly deviceKey: string;
  readonly perMessage: number;
  readonly messagesPerTracker: number;
  /** Messages per second of all trackers together; null: as fast as acknowledgements arrive. */
  readonly rate: number | null;
  /** Fix time of each tracker's first position; the following ones are one second apart. */
  readonly firstFixMs: number;
  /** If set, the odometer of a position is the time it was sent, in milliseconds since this moment. */
  readonly epochMs: number | null;
}

/** The load process's result. */
export interface LoadResult {
  readonly positions: number;
  readonly seconds: number;
  /** From sending to acknowledgement, for every message, in milliseconds. */
  readonly latencies: readonly number[];
}

export type ToLoad = { readonly type: 'plan'; readonly plan: LoadPlan } | { readonly type: 'go' };
export type FromLoad = { readonly type: 'ready' } | ({ readonly type: 'done' } & LoadResult);
