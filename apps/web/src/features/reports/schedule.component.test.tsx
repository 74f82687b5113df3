import {
  DEFAULT_SETTINGS,
  listFolders,
  listReportRuns,
  listReportSchedules,
  listReports,
  listVehicles,
  listViews,
  type ReportPage,
  readMyUsers,
  readSettings,
  runReport,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';
import { user } from '../../../testing/people.ts';

const EMPTY: ReportPage = {
  ...{ key: 'trips', title: 'Trips', columns: [], zone: 'America/Chicago', currency: 'USD' },
  ...{ period: { from: '2026-11-18', to: '2026-11-19' }, previousPeriod: null, until: '2026-11-20T06:00:00Z' },
  ...{ isOfPositions: false, vehicles: 0, behind: 0, passing: 0, total: 0, totals: [], previous: null },
  ...{ late: { count: 0, vehicles: [] }, silent: { count: 0, vehicles: [] }, groups: [], rows: [] },
};

it('[R2.04] a schedule says who of those it is for has no address to send it to', async () => {
  await open(
    '/reports/trips',
    [
      when(readSettings, { settings: DEFAULT_SETTINGS }),
      when(listReports, [
        {
          ...{ key: 'trips', section: 'movement', title: 'Trips', text: 'Trips', groupings: [], opensBy: null },
          ...{ looksAhead: false, chart: null, options: [], columns: [] },
        },
      ]),
      when(runReport, EMPTY),
      when(readMyUsers, [user('Gus Kline'), user('Dana Whitlock', { email: 'dana@example.com' })]),
      when(listReportRuns, []),
      when(listReportSchedules, []),
      when(listViews, []),
      when(listVehicles, []),
      when(listFolders, []),
    ],
    { me: someone({ email: 'nora@example.com' }) },
  );
  await page.getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('checkbox', { name: 'Dana Whitlock' }).click();
  expect(page.getByText(/No email address/).elements()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Gus Kline' }).click();
  await expect.element(page.getByText('No email address for Gus Kline.')).toBeVisible();
});
