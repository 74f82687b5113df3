/** A process of `npm run bench -- bus`: one node that publishes or listens. */
import { type BusClient, type EngineName, monotonicMs, openClient } from './client.ts';

export type ToPeer =
  | { readonly type: 'open'; readonly engine: EngineName; readonly urls: readonly string[]; readonly listens: boolean }
  /** Publishes at this rate, in messages a second; 0 stops. */
  | { readonly type: 'rate'; readonly rate: number }
  | { readonly type: 'count' };

export interface FromPeer {
  /** Messages sent or received since the last count. */
  readonly messages: number;
  /** Of those received, from publishing to receiving. */
  readonly latenciesMs: readonly number[];
  /** Processor time of this process so far, in seconds. */
  readonly processorSeconds: number;
  readonly reconnected: readonly number[];
  /** The longest time between two messages. */
  readonly longestGapMs: number;
  readonly longestCallMs: number;
}

/** As large as a position report with its additions. */
const FILLER = 'x'.repeat(380);
/** A batch of the pipeline commits about as often. */
const TICK_MS = 10;

let client: BusClient;
let messages = 0;
let latenciesMs: number[] = [];
let lastAt = 0;
let longestGapMs = 0;
let longestCallMs = 0;
let timer: NodeJS.Timeout | null = null;
let number = 0;

process.on('message', async (message: ToPeer) => {
  if (message.type === 'open') {
    client = await openClient(message.engine, message.urls, message.listens ? receive : undefined);
    answer();
  } else if (message.type === 'rate') {
    publishAt(message.rate);
  } else {
    answer();
  }
});
process.on('disconnect', () => process.exit(0));

function receive(payload: string): void {
  const now = monotonicMs();
  latenciesMs.push(now - Number(payload.slice(0, payload.indexOf(' '))));
  if (lastAt > 0) longestGapMs = Math.max(longestGapMs, now - lastAt);
  lastAt = now;
  messages++;
}

function publishAt(rate: number): void {
  if (timer) clearInterval(timer);
  timer = null;
  if (rate === 0) return;
  const began = monotonicMs();
  let sent = 0;
  timer = setInterval(() => {
    const now = monotonicMs();
    const due = Math.floor(((now - began) * rate) / 1000) - sent;
    sent += due;
    client.publish(Array.from({ length: due }, () => `${monotonicMs()} ${++number} ${FILLER}`));
    longestCallMs = Math.max(longestCallMs, monotonicMs() - now);
    messages += due;
  }, TICK_MS);
}

function answer(): void {
  const { user, system } = process.cpuUsage();
  const { reconnected } = client;
  const said: FromPeer = {
    messages,
    latenciesMs,
    processorSeconds: (user + system) / 1e6,
    reconnected,
    longestGapMs,
    longestCallMs,
  };
  process.send?.(said);
  messages = 0;
  latenciesMs = [];
  longestGapMs = 0;
  longestCallMs = 0;
}
