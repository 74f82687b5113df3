import {
  listFolders,
  listReportRuns,
  listReportSchedules,
  listReports,
  listVehicles,
  listViews,
  type ReportPage,
  type RouteAnswer,
  runReport,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';

const COLUMNS: ReportPage['columns'] = [
  { key: 'vehicle', title: 'Vehicle', type: 'vehicle', hasTotal: false },
  { key: 'readings', title: 'Readings', type: 'count', hasTotal: true },
];
const COLD: RouteAnswer<typeof listReports>[number] = {
  ...{
    key: 'cold-chain',
    section: 'fleet',
    title: 'Cold chain',
    text: 'Each hour',
    opensBy: 'vehicle',
    looksAhead: false,
  },
  ...{ isOfPositions: true, groupings: ['vehicle'], chart: null, options: [], columns: COLUMNS },
};
const READINGS = { 'R-701': 35, 'R-702': 0, 'R-703': 12, 4101: null, 4102: null };
const of = Object.entries(READINGS).map(([label, readings]) => ({ label, cells: [label, readings] }));
const PAGE: ReportPage = {
  ...{ key: 'cold-chain', title: 'Cold chain', columns: COLUMNS, zone: 'America/Chicago', currency: 'USD' },
  ...{ period: { from: '2026-11-18', to: '2026-11-19' }, previousPeriod: null, until: '2026-11-20T06:00:00Z' },
  ...{ isOfPositions: true, vehicles: 5, behind: 0, passing: 0 },
  ...{ late: { count: 0, vehicles: [] }, silent: { count: 0, vehicles: [] } },
  ...{ total: of.length, totals: [null, 47], previous: null },
  groups: of.map(({ label, cells }) => ({ key: label, label, total: 1, totals: cells, folderMean: null })),
  rows: of.map(({ label, cells }) => ({
    ...{ id: label, group: label, deviceId: null, imei: null, evidence: null, isUnderWay: false, cells },
  })),
};

it('[R2.04] a chart has a bar for zero, and none for what nothing is known of', async () => {
  await open('/reports/cold-chain?from=2026-11-18&to=2026-11-19&group=vehicle', [
    when(listReports, [COLD]),
    when(runReport, PAGE),
    when(listReportRuns, []),
    when(listReportSchedules, []),
    when(listViews, []),
    when(listVehicles, []),
    when(listFolders, []),
  ]);
  const chart = page.getByRole('img', { name: /Readings/ });
  await expect.element(chart).toBeVisible();
  const bars = [...chart.element().children].map(bar => bar.getAttribute('title'));
  expect(bars).toEqual(['R-701: 35', 'R-702: 0', 'R-703: 12']);
});
