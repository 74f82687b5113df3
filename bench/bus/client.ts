import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectNats } from '@nats-io/transport-node';
import { Client } from 'pg';

export type EngineName = 'nats' | 'redis' | 'postgres';

/** What a node needs of a live bus. */
export interface BusClient {
  /** Hands over what one turn of the loop has gathered; what can't be sent at once is lost. */
  publish(payloads: readonly string[]): void;
  /** Times at which a connection was there again after a loss, by the monotonic clock. */
  readonly reconnected: readonly number[];
}

const SUBJECT = 'live.1';
/** Each of the three tries as often. */
const RETRY_MS = 100;

/** A node that publishes, or, with `receive`, one that listens. */
export function openClient(name: EngineName, urls: readonly string[], receive?: (payload: string) => void) {
  return { nats: openNats, redis: openRedis, postgres: openPostgres }[name](urls, receive);
}

type Receive = ((payload: string) => void) | undefined;

async function openNats(urls: readonly string[], receive: Receive): Promise<BusClient> {
  const connection = await connectNats({
    servers: [...urls],
    noRandomize: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: 0,
  });
  const reconnected: number[] = [];
  let isConnected = true;
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') isConnected = false;
      if (type !== 'reconnect') continue;
      isConnected = true;
      reconnected.push(monotonicMs());
    }
  })();
  if (receive) {
    connection.subscribe('live.>', { callback: (_, message) => receive(message.string()) });
    await connection.flush();
  }
  return {
    reconnected,
    publish: payloads => {
      if (isConnected) for (const payload of payloads) connection.publish(SUBJECT, payload);
    },
  };
}

/** The few words of Redis's protocol (RESP) that publishing and listening need. */
async function openRedis([url = '']: readonly string[], receive: Receive): Promise<BusClient> {
  const { hostname, port } = new URL(url);
  const reconnected: number[] = [];
  let socket: Socket | null = null;
  const open = async (): Promise<boolean> => {
    const next = connectSocket({ host: hostname, port: Number(port), noDelay: true });
    const isOpen = await once(next, 'connect').then(
      () => true,
      () => false,
    );
    if (!isOpen) return false;
    next.on('error', () => {});
    next.once('close', () => void again());
    if (receive) {
      next.write('PSUBSCRIBE live.*\r\n');
      let rest = '';
      next.setEncoding('utf8').on('data', (text: string) => {
        rest = takeMessages(rest + text, receive);
      });
    } else {
      next.resume();
    }
    socket = next;
    return true;
  };
  const again = async (): Promise<void> => {
    socket = null;
    while (!(await open())) await sleep(RETRY_MS);
    reconnected.push(monotonicMs());
  };
  await open();
  return {
    reconnected,
    publish: payloads => {
      socket?.write(
        payloads
          .map(each => `*3\r\n$7\r\nPUBLISH\r\n$${SUBJECT.length}\r\n${SUBJECT}\r\n$${each.length}\r\n${each}\r\n`)
          .join(''),
      );
    },
  };
}

/** Payloads are ASCII here, so lengths in characters are lengths in bytes. Returns what is not whole yet. */
function takeMessages(text: string, receive: (payload: string) => void): string {
  let at = 0;
  for (;;) {
    // *4 pmessage pattern channel payload: each with a line of its length before it.
    const parts: string[] = [];
    let next = text.indexOf('\r\n', at) + 2;
    if (next < 2) return text.slice(at);
    for (let n = 0; n < (text.startsWith('*4', at) ? 4 : 3); n++) {
      const end = text.indexOf('\r\n', next);
      if (end < 0) return text.slice(at);
      const isText = text[next] === '$';
      const length = isText ? Number(text.slice(next + 1, end)) : 0;
      const whole = isText ? end + 2 + length + 2 : end + 2;
      if (whole > text.length) return text.slice(at);
      parts.push(isText ? text.slice(end + 2, end + 2 + length) : '');
      next = whole;
    }
    if (parts[0] === 'pmessage') receive(parts[3] ?? '');
    at = next;
  }
}

/** The payloads of a turn in one statement, which is the cheapest way; identical ones would be merged. */
async function openPostgres([url = '']: readonly string[], receive: Receive): Promise<BusClient> {
  const reconnected: number[] = [];
  let client: Client | null = null;
  let isBusy = false;
  let waiting: string[] = [];
  const open = async (): Promise<boolean> => {
    const next = new Client({ connectionString: url });
    next.on('error', () => {});
    try {
      await next.connect();
      if (receive) {
        next.on('notification', ({ payload }) => receive(payload ?? ''));
        await next.query('listen live');
      }
    } catch {
      return false;
    }
    next.once('end', () => void again());
    client = next;
    return true;
  };
  const again = async (): Promise<void> => {
    client = null;
    waiting = [];
    while (!(await open())) await sleep(RETRY_MS);
    reconnected.push(monotonicMs());
  };
  const send = async (): Promise<void> => {
    isBusy = true;
    while (client && waiting.length > 0) {
      const payloads = waiting;
      waiting = [];
      await client
        .query({
          name: 'notify',
          text: "select pg_notify('live', payload) from unnest($1::text[]) payload",
          values: [payloads],
        })
        .catch(() => {});
    }
    isBusy = false;
  };
  await open();
  return {
    reconnected,
    publish: payloads => {
      if (!client) return;
      waiting.push(...payloads);
      if (!isBusy) void send();
    },
  };
}

/** The same clock in every process of the machine. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
