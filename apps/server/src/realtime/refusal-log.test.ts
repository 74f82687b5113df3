import { Writable } from 'node:stream';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { RefusalLog } from './refusal-log.ts';

const logged: string[] = [];
const log = pino(new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) }));

it('writes little, whatever is refused, and counts it all', async () => {
  const metrics = new Registry();
  const refusals = new RefusalLog(log, metrics);
  const long = 'x'.repeat(60_000);
  for (let i = 0; i < 5000; i++) {
    refusals.note('connection', `stranger ${i} ${long}`, `a will on another topic ${long}`);
    refusals.note('sign-in', `stranger ${i}`, 'unknown, or another key');
    refusals.note('subscription', 'the same', 'no such topic', `${i}/${long}`);
    refusals.note('publish', 'the same', 'no such topic', long);
  }
  expect(logged).toHaveLength(100 + 100 + 1 + 1);
  expect(Math.max(...logged.map(line => line.length))).toBeLessThan(500);
  expect(await metrics.metrics()).toMatch(/what="subscription"} 5000/);
});
