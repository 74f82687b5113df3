import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { addVehicle } from '../../testing/ingest.ts';
import { createAccount } from '../modules/accounts/accounts.ts';

interface Exported {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }[];
}

const spans: Exported[] = [];
let collector: Server;
let app: TestApp;
let accountId: number;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
    for (const resource of JSON.parse(body).resourceSpans)
      for (const scope of resource.scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  app = await startApp({ traces: { url: `http://127.0.0.1:${port}/v1/traces`, ratio: 1 } });
  accountId = await createAccount(app.context.db, { name: 'Traced' });
});
afterAll(async () => {
  await app.close();
  collector.close();
});

describe('traces of positions', () => {
  it('follow a message from the socket to the browsers, step by step, and name neither vehicle nor place', async () => {
    const vehicle = await addVehicle(app.context, accountId);
    const time = Math.floor(Date.now() / 1000);
    const query = new URLSearchParams({
      id: vehicle.imei,
      lat: '41.881',
      lon: '-87.6298',
      timestamp: String(time),
      speed: '12',
    });
    // The vehicle has to be known to the server first.
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${app.port('osmand')}/?${query}`)).status).toBe(200),
      5000,
    );
    await vi.waitFor(() => expect(spans.some(({ name }) => name === 'message')).toBe(true), 15_000);

    const whole = spans.find(({ name }) => name === 'message');
    const steps = spans.filter(
      ({ parentSpanId, traceId }) => traceId === whole?.traceId && parentSpanId === whole?.spanId,
    );
    expect(steps.map(({ name }) => name)).toEqual(['decode', 'wait', 'commit', 'publish']);
    // Each begins where the one before it ended, and together they are the whole.
    const ends = steps.map(({ endTimeUnixNano }) => BigInt(endTimeUnixNano));
    expect(steps.map(({ startTimeUnixNano }) => BigInt(startTimeUnixNano))).toEqual([
      BigInt(whole?.startTimeUnixNano ?? 0),
      ...ends.slice(0, -1),
    ]);
    expect(ends.at(-1)).toBe(BigInt(whole?.endTimeUnixNano ?? 0));
    expect(ends).toEqual(ends.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(
      Object.fromEntries(whole?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]) ?? []),
    ).toEqual({
      'milepost.protocol': 'osmand',
      'milepost.positions': 1,
    });
    const text = JSON.stringify(spans);
    for (const secret of [vehicle.imei, '41.88', '-87.62']) expect(text).not.toContain(secret);
  });
});

describe('without a collector that answers', () => {
  it('positions are stored and acknowledged all the same, and the server stops in time', async () => {
    const alone = await startApp({ traces: { url: 'http://127.0.0.1:9/v1/traces', ratio: 1 } });
    const account = await createAccount(alone.context.db, { name: 'Alone' });
    const vehicle = await addVehicle(alone.context, account);
    const query = new URLSearchParams({
      id: vehicle.imei,
      lat: '41.9',
      lon: '-87.6',
      timestamp: String(Math.floor(Date.now() / 1000)),
    });
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${alone.port('osmand')}/?${query}`)).status).toBe(200),
      5000,
    );
    const { rows } = await alone.context.db.pool.query(
      'select count(*)::int as count from position where vehicle_id = $1',
      [vehicle.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
    const health = (await (await fetch(`${alone.url}/health`)).json()) as { readonly status: string };
    expect(health.status).toBe('ok');
    await alone.close();
  });
});
