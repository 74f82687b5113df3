import { QueryObserver } from '@tanstack/react-query';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { OpenAlerts } from './alert-lists.ts';
import { anAlert } from './testing/alert.ts';

// The session is read from the browser's storage.
beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', { addEventListener: () => {} });
});
afterAll(() => void vi.unstubAllGlobals());

const nothing: OpenAlerts = { alerts: [], unacknowledged: { critical: 0, warning: 0, info: 0 } };

/** The open alerts as a page shows them, whose requests are answered by the test. */
async function reading() {
  const [{ queryClient }, { applyAlert, openAlertsQuery }] = await Promise.all([
    import('../base/queries.ts'),
    import('./open-alerts.ts'),
  ]);
  queryClient.clear();
  const answers: ((answer: OpenAlerts) => void)[] = [];
  const queryFn = () => new Promise<OpenAlerts>(answer => answers.push(answer));
  const observer = new QueryObserver(queryClient, { ...openAlertsQuery, queryFn });
  onTestFinished(observer.subscribe(() => {}));
  await expect.poll(() => answers).toHaveLength(1);
  return { answers, applyAlert, shown: () => observer.getCurrentResult().data?.alerts };
}

it('an alert that comes while they are read for the first time is not lost to an answer from before', async () => {
  const { answers, applyAlert, shown } = await reading();
  const alert = anAlert('a');
  applyAlert(alert);
  answers[0]?.(nothing);
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.({ alerts: [alert], unacknowledged: { critical: 1, warning: 0, info: 0 } });
  await expect.poll(shown).toEqual([alert]);
});

it('[R7.36] alerts that come one after the other while they are read are one request, and what is known shows', async () => {
  const { answers, applyAlert, shown } = await reading();
  for (const id of ['a', 'b', 'c']) applyAlert(anAlert(id));
  answers[0]?.(nothing);
  await expect.poll(shown).toEqual([]);
  await expect.poll(() => answers).toHaveLength(2);
  for (const id of ['d', 'e', 'f']) applyAlert(anAlert(id));
  expect(shown()?.map(({ id }) => id)).toEqual(['f', 'e', 'd']);
  await new Promise(resolve => setTimeout(resolve, 600));
  expect(answers).toHaveLength(2);
  answers[1]?.(nothing);
  await expect.poll(() => answers).toHaveLength(3);
});
