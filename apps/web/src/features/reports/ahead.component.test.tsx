import {
  DEFAULT_SETTINGS,
  listFolders,
  listReportRuns,
  listReportSchedules,
  listReports,
  listVehicles,
  listViews,
  type ReportPage,
  type RouteAnswer,
  readSettings,
  runReport,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { shifted } from '../../figures/period.ts';
import { isoDateOf } from '../../format/date.ts';

type Listed = RouteAnswer<typeof listReports>[number];
const report = (key: string, title: string, looksAhead: boolean): Listed => ({
  ...{ key, section: 'fleet', title, text: title, groupings: [], opensBy: null, looksAhead },
  ...{ chart: null, options: [], columns: [] },
});
const EMPTY: ReportPage = {
  ...{ key: 'due', title: 'Documents due', columns: [], zone: 'America/Chicago', currency: 'USD' },
  ...{ period: { from: '2026-11-18', to: '2026-11-19' }, previousPeriod: null, until: '2026-11-20T06:00:00Z' },
  ...{ isOfPositions: false, vehicles: 0, behind: 0, passing: 0, total: 0, totals: [], previous: null },
  ...{ late: { count: 0, vehicles: [] }, silent: { count: 0, vehicles: [] }, groups: [], rows: [] },
};

it('[R2.04] a report about days to come opens with the next 30 days, and the one after it with those that passed', async () => {
  await open('/reports/due', [
    when(readSettings, { settings: DEFAULT_SETTINGS }),
    when(listReports, [report('due', 'Documents due', true), report('trips', 'Trips', false)]),
    when(runReport, EMPTY),
    when(listReportRuns, []),
    when(listReportSchedules, []),
    when(listViews, []),
    when(listVehicles, []),
    when(listFolders, []),
  ]);
  const today = isoDateOf(Date.now(), DEFAULT_SETTINGS.timeZone);
  const asked = () => sent(runReport).map(({ params, query }) => [params.key, query.from, query.to]);
  await expect.poll(asked).toEqual([['due', today, shifted(today, 30)]]);
  await expect.element(page.getByRole('combobox', { name: 'Period' })).toHaveDisplayValue('Next 30 days');
  await page.getByRole('link', { name: 'Trips' }).click();
  await expect.poll(asked).toContainEqual(['trips', shifted(today, -6), today]);
});
