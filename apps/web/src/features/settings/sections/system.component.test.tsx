import { listJobs, listNodes, listRepeatedJobs, listUnknownFrames, type Node, readBackup } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/accessible.ts';
import { sent, when } from '../../../../testing/answers.ts';
import { open } from '../../../../testing/app.tsx';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const node = (id: string, fields: Partial<Node>): Node => ({
  id: `${id}-0000-7000-8000-000000000000`,
  name: `server-${id}`,
  version: '1.2.0',
  address: 'http://localhost:8080',
  startedAt: ago(90),
  seenAt: ago(0),
  isRunning: true,
  isThis: false,
  leads: false,
  vehicles: 0,
  trackers: 0,
  busAwaySince: null,
  clockAheadMs: 0,
  ...fields,
});

const openSystem = (nodes: readonly Node[]) =>
  open('/settings/system', [
    when(listNodes, [...nodes]),
    when(listJobs, []),
    when(listRepeatedJobs, []),
    when(listUnknownFrames, []),
    when(readBackup, {
      ...{ settings: null, database: 'own', trouble: null, running: null, last: null, through: null, from: null },
      ...{ storedBytes: null, verified: null, failures: { copy: null, journal: null, verify: null } },
    }),
  ]);

it('lists the servers: which one leads, what each owns, and what is wrong with one', async () => {
  await openSystem([
    node('0199c001', { isThis: true, leads: true, vehicles: 1, trackers: 2 }),
    node('0199c002', { busAwaySince: ago(5), clockAheadMs: -4000, vehicles: 40, trackers: 31 }),
    node('0199c003', { isRunning: false, seenAt: ago(12) }),
  ]);
  await expect.element(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: `server-${name}` });
  const texts = [
    ['0199c001', 'Running'],
    ['0199c001', 'Leads'],
    ['0199c001', 'This server'],
    ['0199c001', '1 vehicle, 2 connected · Live bus: connected'],
    ['0199c002', '40 vehicles, 31 connected · Live bus: disconnected for 5'],
    ['0199c002', 'Its clock is'],
    ['0199c003', 'Not responding'],
    ['0199c003', 'It ended unexpectedly, or can’t reach the database'],
  ] as const;
  for (const [name, text] of texts) await expect.element(row(name).getByText(text)).toBeVisible();
  expect(row('0199c003').getByText('connected').elements()).toEqual([]);
  await expectAccessible();
});

it('says nothing of servers where there is only one', async () => {
  await openSystem([]);
  await expect.element(page.getByRole('heading', { name: 'Recurring work' })).toBeVisible();
  await expect.poll(() => sent(listNodes).length).toBeGreaterThan(0);
  expect(page.getByRole('heading', { name: 'Servers' }).elements()).toEqual([]);
});
