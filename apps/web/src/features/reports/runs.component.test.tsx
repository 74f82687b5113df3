import {
  cancelReportRun,
  listFolders,
  listReportRuns,
  listReportSchedules,
  listReports,
  listVehicles,
  listViews,
  type ReportPage,
  type ReportRun,
  type RouteAnswer,
  repeatReportRun,
  runReport,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';

const ID = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
const DAY_MS = 86_400_000;
const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();

const pack = (nth: number, fields: Partial<ReportRun>): ReportRun => ({
  ...{ id: ID(nth), key: 'evidence', title: `Pack ${nth}`, format: 'pdf', state: 'waiting', done: 0, total: 4 },
  ...{ period: { from: '2026-11-18', to: '2026-11-19' }, problem: null, createdAt: hours(-nth), endedAt: null },
  ...{ isStopping: false, file: null },
  ...fields,
});
const file = (expiresAt: string) => ({
  ...{ name: 'evidence.pdf', bytes: 2_400_000, rows: 31, sha256: 'ab'.repeat(32), late: 0, expiresAt },
});
const problem = { type: '/problems/disk-full', title: 'x', status: 507, code: 'disk-full', instance: ID(9) };

const TRIPS: RouteAnswer<typeof listReports>[number] = {
  ...{ key: 'trips', section: 'movement', title: 'Trips', text: 'Each trip' },
  ...{ isOfPositions: true, groupings: [], opensBy: null, looksAhead: false, chart: null, options: [], columns: [] },
};

const EMPTY: ReportPage = {
  ...{ key: 'trips', title: 'Trips', columns: [], zone: 'America/Chicago', currency: 'USD', previousPeriod: null },
  ...{ period: { from: '2026-11-18', to: '2026-11-19' }, until: '2026-11-20T06:00:00Z', isOfPositions: true },
  ...{ vehicles: 0, behind: 0, passing: 0, late: { count: 0, vehicles: [] }, silent: { count: 0, vehicles: [] } },
  ...{ total: 0, totals: [], previous: null, groups: [], rows: [] },
};

const ALL = [
  pack(1, {}),
  pack(2, { state: 'running', done: 3 }),
  pack(3, { state: 'running', done: 3, isStopping: true }),
  pack(4, { state: 'cancelled', endedAt: hours(-1) }),
  pack(5, { state: 'failed', endedAt: hours(-1), problem: problem as never }),
  pack(6, { state: 'done', done: 4, endedAt: hours(-1), file: file(new Date(Date.now() + 29 * DAY_MS).toISOString()) }),
  pack(7, { state: 'done', done: 4, endedAt: hours(-721), file: file(hours(-1)) }),
];

async function openFiles(runs: readonly ReportRun[]): Promise<void> {
  let kept = runs;
  await open('/reports/trips?from=2026-11-18&to=2026-11-19', [
    when(listReports, [TRIPS]),
    when(runReport, EMPTY),
    when(listVehicles, []),
    when(listFolders, []),
    when(listViews, []),
    when(listReportSchedules, []),
    when(listReportRuns, () => [...kept]),
    when(repeatReportRun, () => {
      const again = pack(8, {});
      kept = [again, ...kept];
      return again;
    }),
    when(cancelReportRun, ({ params }) => {
      kept = kept.map(run => (run.id === params.id ? { ...run, isStopping: true } : run));
      return kept.find(run => run.id === params.id) as ReportRun;
    }),
  ]);
  const files = page.getByRole('button', { name: /^Files|in progress$/ });
  await expect.element(files).toBeVisible();
  await files.click();
}
const row = (nth: number) => page.getByRole('listitem').filter({ hasText: `Pack ${nth}` });
const says = (nth: number, text: string) =>
  expect.element(row(nth).getByText(text, { exact: false }).first()).toBeVisible();
const button = (nth: number, name: RegExp | string) => row(nth).getByRole('button', { name });

it('an evidence pack says in each state what it is and what can be done [R2.04]', async () => {
  await openFiles(ALL);
  await says(1, 'Waiting');
  await expect.element(button(1, 'Cancel')).toBeVisible();
  await says(2, '3 of 4 vehicles');
  await expect.element(row(2).getByRole('progressbar')).toHaveAttribute('value', '3');
  await expect.element(button(2, 'Cancel')).toBeVisible();
  await says(3, 'Stopping');
  await expect.element(button(3, 'Cancel')).not.toBeInTheDocument();
  await says(4, 'Canceled');
  await expect.element(button(4, /^Run again/)).toBeVisible();
  await says(5, 'disk is almost full');
  await expect.element(button(5, /^Run again/)).toBeVisible();
  await expect.element(button(5, 'Download')).not.toBeInTheDocument();
  await says(6, '31 rows');
  await says(6, 'kept until');
  await expect.element(button(6, 'Download')).toBeVisible();
  await expect.element(button(6, /^Run again/)).not.toBeInTheDocument();
  await says(7, 'Deleted');
  await expect.element(button(7, 'Download')).not.toBeInTheDocument();
  await expect.element(button(7, /^Run again/)).toBeVisible();
  await expectAccessible();
});

it('one that failed is asked for again, and one that is written can be canceled', async () => {
  await openFiles(ALL);
  await button(5, /^Run again/).click();
  await says(8, 'Waiting');
  expect(sent(repeatReportRun)).toMatchObject([{ params: { id: ID(5) } }]);
  await button(2, 'Cancel').click();
  await says(2, 'Stopping');
  expect(sent(cancelReportRun)).toMatchObject([{ params: { id: ID(2) } }]);
});

it('the outlines of the list and of the rows are there until the reports are', async () => {
  let arrive = (): void => {};
  const held = new Promise<RouteAnswer<typeof listReports>>(resolve => {
    arrive = () => resolve([TRIPS]);
  });
  await open('/reports/trips?from=2026-11-18&to=2026-11-19', [
    when(listReports, () => held),
    when(runReport, EMPTY),
    when(listVehicles, []),
    when(listFolders, []),
    when(listViews, []),
    when(listReportSchedules, []),
    when(listReportRuns, []),
  ]);
  const list = page.getByRole('status', { name: 'Loading', exact: true });
  const rows = page.getByRole('status', { name: 'Reading the report' });
  await expect.poll(() => list.element().childElementCount).toBe(16);
  await expect.poll(() => rows.element().childElementCount).toBe(10);
  arrive();
  await expect.element(page.getByRole('heading', { name: 'Trips' })).toBeVisible();
  await expect.element(rows).not.toBeInTheDocument();
  await expect.element(list).not.toBeInTheDocument();
});
