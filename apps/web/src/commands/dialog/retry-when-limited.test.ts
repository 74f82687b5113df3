import { ProblemError } from '@milepost/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PAUSE_MS, retryWhenLimited } from './retry-when-limited.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const code = 'too-many-requests';
const busy = () => new ProblemError({ type: `/problems/${code}`, title: 'Wait a moment.', status: 429, code });

it('asks a busy server again after a pause', async () => {
  const send = vi.fn().mockRejectedValueOnce(busy()).mockResolvedValueOnce('sent');
  const sent = retryWhenLimited(new AbortController().signal, send);
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await sent).toBe('sent');
});

it('sends nothing more once it was stopped, be it during the pause', async () => {
  const controller = new AbortController();
  const send = vi.fn().mockRejectedValue(busy());
  const sent = expect(retryWhenLimited(controller.signal, send)).rejects.toMatchObject({ code: 'too-many-requests' });
  await vi.advanceTimersByTimeAsync(PAUSE_MS / 2);
  controller.abort();
  await sent;
  await vi.runAllTimersAsync();
  expect(send).toHaveBeenCalledTimes(1);
});

it('throws every other refusal at once', async () => {
  const send = vi.fn().mockRejectedValue(new Error('no line'));
  await expect(retryWhenLimited(new AbortController().signal, send)).rejects.toThrow('no line');
});
