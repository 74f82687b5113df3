import type { BoardRow, ShownStatus } from '@milepost/contract';

/** When the clocks of test rows are right. */
export const TEST_NOW = Date.parse('2026-11-19T18:00:00Z');
/** A driver of the board for tests, with these minutes left on the clocks. */
export const newRow = (
  name: string,
  status: ShownStatus,
  minutes: Partial<Record<'drive' | 'window' | 'break' | 'cycle', number>>,
): BoardRow => ({
  driverId: name,
  name,
  departmentId: null,
  ruleSet: 'US_PROPERTY_70_8',
  status,
  since: null,
  vehicle: { id: '1', imei: '356307042441013', deviceName: `unit of ${name}` },
  here: null,
  place: null,
  clocks: {
    drive: { limitS: 39_600, leftS: 60 * (minutes.drive ?? 600) },
    window: { limitS: 50_400, leftS: 60 * (minutes.window ?? 700) },
    onDuty: null,
    break: { limitS: 28_800, leftS: 60 * (minutes.break ?? 480) },
    cycle: { limitS: 252_000, leftS: 60 * (minutes.cycle ?? 4000) },
  },
  at: new Date(TEST_NOW).toISOString(),
  mustStopBy: null,
  mayDriveAgainAt: null,
  binds: null,
  exempt: null,
  violations: [],
  uncertifiedDays: 0,
  certificationAskedAt: null,
  timeZone: 'America/Chicago',
  proposals: 0,
  faults: [],
  standing: null,
  reportAt: null,
  syncAt: null,
});
