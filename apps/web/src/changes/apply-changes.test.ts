import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../base/queries.ts';
import { applyChanges } from './apply-changes.ts';

vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', new EventTarget());
});
vi.mock('../live/live.ts', () => ({ liveSource: { vehiclesChanged: () => {} } }));
vi.mock('../base/tenant/tenant.ts', () => ({ askTenant: async () => {} }));
vi.mock('../organisation/organisation.ts', () => ({ GROUP_KINDS: [], refreshGroups: async () => {} }));

afterEach(() => queryClient.clear());

it('[R7.36] reads everything again, also what is being read for the first time', async () => {
  const requests: ((task: string) => void)[] = [];
  const queryFn = () => new Promise<string>(resolve => requests.push(resolve));
  const end = new QueryObserver(queryClient, { queryKey: ['my-tasks'], queryFn }).subscribe(() => {});
  // The page was opened, and is told that much has changed since it asked.
  const done = applyChanges('everything');
  requests[0]?.('assigned');
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.('canceled');
  await done;
  expect(queryClient.getQueryData(['my-tasks'])).toBe('canceled');
  end();
});

it('[R7.36] asks a server that takes long more rarely', async () => {
  const [asked, answered]: [number[], number[]] = [[], []];
  const queryFn = async () => {
    asked.push(performance.now());
    await new Promise(resolve => setTimeout(resolve, 800));
    return answered.push(performance.now());
  };
  const end = new QueryObserver(queryClient, { queryKey: ['visits'], queryFn }).subscribe(() => {});
  await expect.poll(() => answered).toHaveLength(1);
  const visit = [{ kind: 'visit', id: '1', gone: false }] as const;
  await Promise.all([applyChanges(visit), applyChanges(visit)]);
  const [, second = 0] = answered;
  const [, , third = 0] = asked;
  expect(third - second).toBeGreaterThan(700);
  end();
});
