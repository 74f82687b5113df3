/**
 * `npm run bench -- floods`: how long the server's thread is kept from other work while one caller, signed in or not,
 * sends as many requests as they can. The 99th percentile of the event loop's delay is the server's own figure, from
 * `/metrics`.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mqttPacket from 'mqtt-packet';
import { WebSocket } from 'ws';
import { testImei } from '../apps/server/testing/imei.ts';
import { type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { table } from './table.ts';

const VEHICLES = 5000;
const FLOOD_MS = 6000;

interface Flood {
  readonly name: string;
  readonly callers: number;
  /** One request of one caller, repeated until the time is over. */
  go(server: ServerUnderTest, caller: number): Promise<void>;
}

/** Answers other than the expected one. */
let refused = 0;
/** Each flood has its own session, because calls per session are limited by the minute. */
let session = 0;

const call = async (server: ServerUnderTest, path: string, options: RequestInit = {}): Promise<void> => {
  const token = server.browsers[session]?.token ?? '';
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip', ...options.headers };
  const response = await fetch(server.url + path, { ...options, headers });
  if (!response.ok) refused++;
  await response.arrayBuffer();
};
const json = (body: string): RequestInit => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });

const QUARTER_MS = 900_000;
const LONG_LOG = JSON.stringify({
  ruleset: 'US_PROPERTY_70_8',
  timezone: 'America/Chicago',
  segments: Array.from({ length: 2500 }, (_, i) => ({
    status: ['D', 'ON', 'OFF', 'SB'][i % 4],
    start: 1.77e12 + i * QUARTER_MS,
    end: 1.77e12 + (i + 1) * QUARTER_MS,
  })),
  asOf: 1.77e12 + 2500 * QUARTER_MS,
});
const DEEP = `{"name":${'['.repeat(120_000)}${']'.repeat(120_000)}}`;

/** A file of new vehicles, to be validated only. */
const NEW_VEHICLES = [
  'imei,deviceName',
  ...Array.from({ length: VEHICLES }, (_, i) => `${testImei(900_000 + i)},New ${i}`),
].join('\n');
const CSV: RequestInit = { method: 'POST', body: NEW_VEHICLES, headers: { 'content-type': 'text/csv' } };
const LAST_WEEK = [7, 1].map(days => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));

const CONNECT = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 } as const;

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

let guess = 0;
async function guessMqtt({ ports }: ServerUnderTest): Promise<void> {
  const socket = await open(ports.mqtt ?? 0);
  const clientId = String(990_000_000_000_000 + ++guess);
  socket.write(mqttPacket.generate({ ...CONNECT, clientId, username: clientId, password: Buffer.from('guess') }));
  socket.resume();
  await Promise.race([once(socket, 'close'), sleep(1000)]);
  socket.destroy();
}

const SUBSCRIPTIONS = Array.from({ length: 4000 }, (_, i) => ({
  topic: `device/${990_000_000_000_000 + i}`,
  qos: 0 as const,
}));
async function subscribeToOthers({ browsers, url }: ServerUnderTest, caller: number): Promise<void> {
  const browser = browsers[caller];
  if (!browser) return;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/mqtt`, 'mqtt');
  socket.on('error', () => {});
  socket.setMaxListeners(0);
  await once(socket, 'open');
  const { clientId, userName: username, password } = browser;
  socket.send(mqttPacket.generate({ ...CONNECT, clientId, username, password: Buffer.from(password) }));
  await once(socket, 'message');
  for (let messageId = 1; messageId <= 10; messageId++) {
    socket.send(mqttPacket.generate({ cmd: 'subscribe', messageId, subscriptions: SUBSCRIPTIONS }));
    await Promise.race([once(socket, 'message'), once(socket, 'close')]);
  }
  socket.terminate();
}

async function enterDefaultNamespace({ url }: ServerUnderTest): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  socket.on('error', () => {});
  socket.on('open', () => socket.send('40'));
  await Promise.race([once(socket, 'close'), sleep(200)]);
  socket.terminate();
}

const FLOODS: readonly Flood[] = [
  { name: 'nobody', callers: 1, go: () => sleep(100) },
  {
    name: 'one driver evaluates long duty logs',
    callers: 12,
    go: s => call(s, '/api/v1/eld/evaluate', json(LONG_LOG)),
  },
  { name: `one user reads ${VEHICLES} vehicles`, callers: 8, go: s => call(s, '/api/v1/device') },
  { name: 'one user exports them as CSV', callers: 4, go: s => call(s, '/api/v1/device/export') },
  { name: 'one user checks a file of 5,000 vehicles', callers: 4, go: s => call(s, '/api/v1/device/import', CSV) },
  { name: 'one user reads all latest positions', callers: 8, go: s => call(s, '/api/v1/position/latest') },
  { name: 'one user reads the fleet’s day', callers: 8, go: s => call(s, '/api/v1/fleet/day') },
  {
    name: 'one user reads the overview of a week',
    callers: 8,
    go: s => call(s, `/api/v1/overview?from=${LAST_WEEK[0]}&to=${LAST_WEEK[1]}`),
  },
  { name: 'one user exports the account', callers: 4, go: s => call(s, '/api/v1/data/export', json('{}')) },
  { name: 'one user sends JSON 120,000 deep', callers: 4, go: s => call(s, '/api/v1/driver', json(DEEP)) },
  { name: 'an anonymous caller requests missing routes', callers: 50, go: s => call(s, `/api/v1/nothing-${++guess}`) },
  {
    name: 'an anonymous caller tries tokens',
    callers: 50,
    go: s => call(s, '/api/v1/read_me', { headers: { authorization: `Bearer x${++guess}` } }),
  },
  { name: 'an anonymous caller guesses device keys over MQTT', callers: 50, go: guessMqtt },
  { name: 'a user subscribes to others’ vehicles', callers: 4, go: subscribeToOthers },
  { name: 'an anonymous caller enters Socket.IO’s default namespace', callers: 100, go: enterDefaultNamespace },
];

export async function run(names: readonly string[]): Promise<void> {
  const server = await startServer({ vehicles: VEHICLES, browsers: FLOODS.length + 1 });
  const figures: {
    flood: string;
    goes: number;
    refused: number;
    p50: number;
    p99: number;
    max: number;
    processor: number;
  }[] = [];
  try {
    for (const flood of FLOODS) {
      if (names.length > 0 && !names.some(name => flood.name.includes(name))) continue;
      await call(server, '/metrics').catch(() => {});
      const before = server.processorTime().server;
      const end = Date.now() + FLOOD_MS;
      let goes = 0;
      refused = 0;
      session++;
      const caller = async (index: number): Promise<void> => {
        for (; Date.now() < end; goes++) await flood.go(server, index).catch(() => sleep(10));
      };
      await Promise.all(Array.from({ length: flood.callers }, (_, index) => caller(index)));
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const lag = (name: string): number => {
        const seconds = Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e-]+)`, 'm').exec(text)?.[1]);
        return Math.round(seconds * 10_000) / 10;
      };
      const processor = Math.round((server.processorTime().server - before) * 1000);
      figures.push({ flood: flood.name, goes, refused, p50: lag('p50'), p99: lag('p99'), max: lag('max'), processor });
    }
  } finally {
    await server.stop();
  }
  const rows = figures.map(({ flood, goes, refused, p50, p99, max, processor }) => [
    flood,
    String(goes),
    String(refused),
    `${p50} ms`,
    `${p99} ms`,
    `${max} ms`,
    `${processor} ms`,
  ]);
  process.stdout.write(table(['Flood', 'goes', 'refused', 'p50', 'p99', 'longest', 'processor'], rows));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
