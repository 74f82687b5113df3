import { expect, it, vi } from 'vitest';
import { createHealth } from './health.ts';

it('is ok if every check is ok', async () => {
  const health = createHealth();
  health.register('database', () => null);
  health.register('broker', async () => null);
  expect(await health.report()).toEqual({ status: 'ok', checks: { database: 'ok', broker: 'ok' } });
});

it('says which check fails and why, whether it answers, throws or hangs', async () => {
  vi.useFakeTimers();
  const health = createHealth();
  health.register('fine', () => null);
  health.register('answers', () => 'The disk is full.');
  health.register('throws', () => {
    throw new Error('no route to host');
  });
  health.register('silent', () => new Promise(() => {}));
  const report = health.report();
  await vi.advanceTimersByTimeAsync(2000);
  expect(await report).toEqual({
    status: 'failing',
    checks: {
      fine: 'ok',
      answers: 'The disk is full.',
      throws: 'no route to host',
      silent: 'No answer within 2 seconds.',
    },
  });
  vi.useRealTimers();
});

it('stays ok if only a warning check fails', async () => {
  const health = createHealth();
  health.register('database', () => null);
  health.register('mail', () => 'The mail server is away.', 'warning');
  expect(await health.report()).toEqual({
    status: 'ok',
    checks: { database: 'ok', mail: 'The mail server is away.' },
  });
});

it('says nothing of what there is nothing to check of', async () => {
  const health = createHealth();
  health.register('database', () => null);
  health.register('backup', () => undefined, 'warning');
  expect(await health.report()).toEqual({ status: 'ok', checks: { database: 'ok' } });
});

it('refuses a second check of the same name', () => {
  const health = createHealth();
  health.register('database', () => null);
  expect(() => health.register('database', () => null)).toThrow(/database/);
});
