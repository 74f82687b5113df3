import { QueryObserver } from '@tanstack/react-query';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OpenAlerts } from './alert-lists.ts';
import { anAlert } from './testing/alert.ts';

// The session is read from the browser's storage.
beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', { addEventListener: () => {} });
});
afterAll(() => void vi.unstubAllGlobals());

it('an alert that comes while they are read for the first time is not lost to an answer from before', async () => {
  const [{ queryClient }, { applyAlert, openAlertsQuery }] = await Promise.all([
    import('../base/queries.ts'),
    import('./open-alerts.ts'),
  ]);
  const answers: ((answer: OpenAlerts) => void)[] = [];
  const queryFn = () => new Promise<OpenAlerts>(answer => answers.push(answer));
  const observer = new QueryObserver(queryClient, { ...openAlertsQuery, queryFn });
  const stop = observer.subscribe(() => {});
  await expect.poll(() => answers).toHaveLength(1);

  const alert = anAlert('a');
  applyAlert(alert);
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.({ alerts: [alert], unacknowledged: { critical: 1, warning: 0, info: 0 } });
  answers[0]?.({ alerts: [], unacknowledged: { critical: 0, warning: 0, info: 0 } });
  await expect.poll(() => observer.getCurrentResult().data?.alerts).toEqual([alert]);
  stop();
});
