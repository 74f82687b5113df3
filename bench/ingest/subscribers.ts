/**
 * A process of subscribers that stand for browsers: MQTT over WebSocket, each subscribed to every vehicle. They count
 * messages, and the first of them measures the age of reports by the odometer that the load has set.
 */
import { once } from 'node:events';
import { deviceTopic } from '@milepost/contract';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { WebSocket } from 'ws';

export interface SubscribersPlan {
  readonly url: string;
  readonly browsers: readonly { readonly clientId: string; readonly userName: string; readonly password: string }[];
  readonly imeis: readonly string[];
  /** Reports' odometers count milliseconds since this moment. */
  readonly epochMs: number;
}

export type ToSubscribers =
  | { readonly type: 'plan'; readonly plan: SubscribersPlan }
  | { readonly type: 'count' }
  /** The last `browsers` browsers stop reading; 0: all read again. */
  | { readonly type: 'pause'; readonly browsers: number };
export interface FromSubscribers {
  readonly type: 'ready' | 'counted';
  readonly messages: number;
  /** Messages to the browsers that stopped reading at some time. */
  readonly slowMessages: number;
  /** Of the first subscriber. */
  readonly latencies: readonly number[];
}

/** Odometers above the milliseconds of a day are real ones, from other load. */
const DAY_MS = 86_400_000;
const SUBSCRIBE_AT_ONCE = 500;
const PUBLISH = 3;

const sockets: WebSocket[] = [];
let slow = new Set<WebSocket>();
let messages = 0;
let slowMessages = 0;
let latencies: number[] = [];
const tell = (type: FromSubscribers['type']): void => {
  process.send?.({ type, messages, slowMessages, latencies } satisfies FromSubscribers);
  messages = 0;
  slowMessages = 0;
  latencies = [];
};

process.on('message', async (message: ToSubscribers) => {
  if (message.type === 'count') return tell('counted');
  if (message.type === 'pause') return pause(message.browsers);
  const { plan } = message;
  await Promise.all(plan.browsers.map((_, index) => subscribe(plan, index)));
  tell('ready');
});
process.on('disconnect', () => process.exit(0));

function pause(browsers: number): void {
  if (browsers === 0) for (const socket of slow) socket.resume();
  else slow = new Set(sockets.slice(-browsers));
  if (browsers > 0) for (const socket of slow) socket.pause();
}

async function subscribe(plan: SubscribersPlan, index: number): Promise<void> {
  const browser = plan.browsers[index];
  if (!browser) return;
  const socket = new WebSocket(plan.url, 'mqtt');
  await once(socket, 'open');
  socket.send(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: browser.clientId,
      keepalive: 60,
      username: browser.userName,
      password: Buffer.from(browser.password),
    }),
  );
  // Control packets may arrive in pieces; live messages are complete, several to a frame.
  const parser = mqttPacket.parser();
  const parse = (bytes: Buffer): void => void parser.parse(bytes);
  socket.on('message', parse);
  const [connack] = (await once(parser, 'packet')) as [Packet];
  if (connack.cmd !== 'connack' || connack.returnCode !== 0) throw new Error('The server refused a subscriber');
  for (let at = 0; at < plan.imeis.length; at += SUBSCRIBE_AT_ONCE) {
    const subscriptions = plan.imeis
      .slice(at, at + SUBSCRIBE_AT_ONCE)
      .map(imei => ({ topic: deviceTopic(imei), qos: 0 as const }));
    socket.send(mqttPacket.generate({ cmd: 'subscribe', messageId: (at % 65_535) + 1, subscriptions }));
    await once(parser, 'packet');
  }
  socket.off('message', parse);
  sockets.push(socket);
  socket.on('message', (bytes: Buffer) => {
    const before = messages;
    count(bytes, index === 0 ? plan.epochMs : null);
    if (slow.has(socket)) slowMessages += messages - before;
  });
  const pings = setInterval(() => socket.send(mqttPacket.generate({ cmd: 'pingreq' })), 30_000);
  socket.on('close', () => clearInterval(pings));
}

/** Reads only packet headers; a real browser would parse everything, but on its own machine. */
function count(bytes: Buffer, epochMs: number | null): void {
  for (let at = 0; at < bytes.length; ) {
    const type = (bytes[at] ?? 0) >> 4;
    let length = 0;
    let shift = 0;
    let body = at + 1;
    for (let byte = 0x80; byte & 0x80; shift += 7) {
      byte = bytes[body++] ?? 0;
      length |= (byte & 0x7f) << shift;
    }
    if (type === PUBLISH) {
      messages++;
      if (epochMs !== null) measure(bytes.subarray(body + 2 + bytes.readUInt16BE(body), body + length), epochMs);
    }
    at = body + length;
  }
}

function measure(payload: Buffer, epochMs: number): void {
  const match = /"mileage":([\d.]+)/.exec(payload.toString('latin1'));
  if (!match) return;
  const age = Date.now() - epochMs - Number(match[1]) * 1000;
  if (Number(match[1]) * 1000 < DAY_MS) latencies.push(age);
}
