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
  type Vehicle,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { vehicle } from '../../../testing/fleet.ts';

const TRIPS: RouteAnswer<typeof listReports>[number] = {
  ...{ key: 'trips', section: 'movement', title: 'Trips', text: 'Trips', groupings: [], opensBy: null },
  ...{ looksAhead: false, chart: null, options: [], columns: [] },
};
const EMPTY: ReportPage = {
  ...{ key: 'trips', title: 'Trips', columns: [], zone: 'America/Chicago', currency: 'USD' },
  ...{ period: { from: '2026-11-18', to: '2026-11-19' }, previousPeriod: null, until: '2026-11-20T06:00:00Z' },
  ...{ isOfPositions: true, vehicles: 0, behind: 0, passing: 0, total: 0, totals: [], previous: null },
  ...{ late: { count: 0, vehicles: [] }, silent: { count: 0, vehicles: [] }, groups: [], rows: [] },
};
const openOf = (vehicles: readonly Vehicle[], answer: ReportPage = EMPTY): Promise<void> =>
  open('/reports/trips', [
    when(readSettings, { settings: DEFAULT_SETTINGS }),
    when(listReports, [TRIPS]),
    when(runReport, answer),
    when(listReportRuns, []),
    when(listReportSchedules, []),
    when(listViews, []),
    when(listVehicles, [...vehicles]),
    when(listFolders, []),
  ]);

it('a report of an account without vehicles leads to them, and does not ask for other vehicles', async () => {
  await openOf([]);
  await expect.element(page.getByRole('heading', { name: 'No vehicles yet' })).toBeVisible();
  await expect.element(page.getByText('Choose others.')).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Go to vehicles' })).toHaveAttribute('href', '/assets');
});

it('a report about vehicles that someone does not see asks for others', async () => {
  await openOf([vehicle('4127')]);
  await expect.element(page.getByText('You see none of the chosen vehicles. Choose others.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Go to vehicles' })).not.toBeInTheDocument();
});

it('a report of someone who sees vehicles only through their drivers says so, and does not ask for others', async () => {
  await openOf([vehicle('4127')], { ...EMPTY, passing: 1 });
  await expect.element(page.getByRole('heading', { name: 'No vehicles in your folders' })).toBeVisible();
  expect(page.getByText('Choose others.').elements()).toEqual([]);
});
