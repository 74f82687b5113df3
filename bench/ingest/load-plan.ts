/** What a load process is told to do. Trackers send at once what `perMessage` says, and wait for the acknowledgement. */
export interface LoadPlan {
  readonly transport: 'teltonika' | 'mqtt';
  readonly port: number;
  readonly imeis: readonly string[];
  /** Of every tracker, on MQTT. */
  readonly deviceKey: string;
  readonly perMessage: number;
  readonly messagesPerTracker: number;
  /** Messages a second of all trackers together; null: as fast as acknowledgements come. */
  readonly rate: number | null;
  /** Fix time of each tracker's first position; one a second from there. */
  readonly firstFixMs: number;
  /** The odometer of a position tells when it was sent, in milliseconds since this moment. */
  readonly epochMs: number | null;
}

/** What it answers. */
export interface LoadResult {
  readonly positions: number;
  readonly seconds: number;
  /** From sending to acknowledgement, of every message, in milliseconds. */
  readonly latencies: readonly number[];
}

export type ToLoad = { readonly type: 'plan'; readonly plan: LoadPlan } | { readonly type: 'go' };
export type FromLoad = { readonly type: 'ready' } | ({ readonly type: 'done' } & LoadResult);
