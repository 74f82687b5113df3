import { readFileSync } from 'node:fs';
import { EVALUATIONS_A_MINUTE, hoursEvaluationSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';

const PATH = '/api/v1/eld/evaluate';
const LOG = {
  id: 'a-day',
  ruleset: 'US_PROPERTY_70_8',
  timezone: 'America/Chicago',
  homeTerminalStartOfDay: '00:00',
  segments: [
    { status: 'OFF', start: '2026-01-31T00:00:00-06:00', end: '2026-02-02T06:00:00-06:00' },
    { status: 'ON', start: '2026-02-02T06:00:00-06:00', end: '2026-02-02T07:00:00-06:00' },
    { status: 'D', start: '2026-02-02T07:00:00-06:00', end: '2026-02-02T14:00:00-06:00' },
    { status: 'OFF', start: '2026-02-02T14:00:00-06:00', end: '2026-02-02T14:30:00-06:00' },
    { status: 'D', start: '2026-02-02T14:30:00-06:00', end: '2026-02-02T19:00:00-06:00' },
  ],
  asOf: '2026-02-02T19:00:00-06:00',
};

let server: TestHttpServer;
let someone: SignedIn;

beforeAll(async () => {
  server = await startHttpServer();
  someone = await signedIn(server);
});
afterAll(() => server.close());

const evaluate = (body: unknown, token = someone.token) => server.call('POST', PATH, { token, body });

describe('POST /api/v1/eld/evaluate', () => {
  it('returns clocks and violations of a duty log', async () => {
    const { status, body } = await evaluate(LOG);
    expect(status).toBe(200);
    // Eleven hours of driving are reached at 18:30, with half an hour more driven.
    expect(hoursEvaluationSchema.parse(body)).toMatchObject({
      id: 'a-day',
      driveRemainingMin: 0,
      windowRemainingMin: 60,
      breakRemainingMin: 210,
      cycleRemainingMin: 3450,
      mustStopBy: null,
      violations: [
        { rule: 'US_11H', clause: '49 CFR 395.3(a)(3)(i)', startsAt: '2026-02-02T18:30:00-06:00', overMin: 30 },
      ],
    });
  });

  it('is for every signed-in user, including the demo’s visitor', async () => {
    expect(await server.call('POST', PATH, { body: LOG })).toMatchObject({ status: 401 });
    for (const role of ['driver', 'viewer'] as const) {
      const { token } = await signedIn(server, { role, readOnly: role === 'viewer' });
      expect(await evaluate(LOG, token)).toMatchObject({ status: 200 });
    }
  });

  it.each<[string, object, readonly object[]]>([
    [
      'rule set',
      { ruleset: 'US_SPACE' },
      [{ field: 'ruleset', code: 'unknown-rule-set', message: 'Unknown rule set.' }],
    ],
    ['zone', { timezone: 'Mars/Olympus' }, [{ field: 'timezone', code: 'unknown-time-zone' }]],
    ['moment', { asOf: '2026-02-02T19:00:00' }, [{ field: 'asOf', code: 'bad-time' }]],
    [
      'status',
      { segments: [{ ...LOG.segments[0], status: 'NAP' }] },
      [{ field: 'segments.0.status', code: 'unknown-status' }],
    ],
    ['gap', { segments: [LOG.segments[0], LOG.segments[2]] }, [{ code: 'gap' }]],
    ['nothing', { segments: [] }, [{ field: 'segments', code: 'no-segments' }]],
    ['shape', { segments: 'none' }, [{ field: 'segments' }]],
  ])('says what is wrong with the %s', async (_, change, errors) => {
    expect(await evaluate({ ...LOG, ...change })).toMatchObject({
      status: 400,
      body: { code: 'invalid-input', errors },
    });
  });

  it('has a largest log and a largest body', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        status: i % 2 ? 'D' : 'ON',
        start: start + i * 60_000,
        end: start + (i + 1) * 60_000,
      }));
    expect(await evaluate({ ...LOG, segments: many(3000), asOf: start + 3000 * 60_000 })).toMatchObject({
      status: 200,
    });
    expect(await evaluate({ ...LOG, segments: many(10_000) })).toMatchObject({ status: 413 });
  });

  it('limits calls per minute', { timeout: 60_000 }, async () => {
    const { token } = await signedIn(server);
    const wrong = { ...LOG, segments: [] };
    let refused = 0;
    // A few at a time: more would be refused because they wait for a worker.
    for (let sent = 0; sent < EVALUATIONS_A_MINUTE + 20; sent += 5) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => evaluate(wrong, token)));
      refused += answers.filter(({ status }) => status === 429).length;
    }
    // On a slow machine, time passes while requests run, and the limit lets a few more through.
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(20);
    expect(await evaluate(LOG)).toMatchObject({ status: 200 });
  });

  it('stores nothing', () => {
    const source = readFileSync(new URL('routes.ts', import.meta.url), 'utf8');
    expect(source).not.toMatch(/asAccount|system\b/);
  });
});
