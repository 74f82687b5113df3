import {
  type BoardRow,
  type Carrier,
  listInspections,
  listMalfunctions,
  listProposals,
  listUnidentified,
  readBoard,
  readCarrier,
} from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../../testing/accessible.ts';
import { when } from '../../../../testing/answers.ts';
import { open as openPage } from '../../../../testing/app.tsx';

const row = (driverId: string, name: string, changes: Partial<BoardRow> = {}): BoardRow => ({
  ...{ driverId, name, departmentId: null, ruleSet: 'US_PROPERTY_70_8', timeZone: 'America/Chicago', status: 'OFF' },
  ...{ since: null, vehicle: null, place: null, at: new Date().toISOString(), mustStopBy: null, mayDriveAgainAt: null },
  clocks: {
    drive: { limitS: 39_600, leftS: 39_600 },
    window: { limitS: 50_400, leftS: 50_400 },
    onDuty: null,
    break: { limitS: 28_800, leftS: 28_800 },
    cycle: { limitS: 252_000, leftS: 252_000 },
  },
  ...{ binds: null, exempt: null, violations: [], uncertifiedDays: 0, proposals: 0, faults: [], standing: null },
  ...{ reportAt: null, syncAt: null },
  ...changes,
});

const CARRIER: Carrier = {
  ...{ name: 'Rockfish Freight', usdotNumber: '1234567', ruleSet: 'US_PROPERTY_70_8', personalUse: false },
  ...{ yardMoves: false, personalUseLimitKm: null, vehicleChoice: 'folders' },
  terminals: [{ id: 'elgin', name: 'Elgin', timeZone: 'America/Chicago', startOfDay: '00:00', address: null }],
};

const open = (rows: readonly BoardRow[], path = '/eld') =>
  openPage(path, [
    when(readBoard, () => ({
      rows: [...rows],
      unidentified: { segments: 0, vehicles: 0, minutes: 0 },
      at: new Date().toISOString(),
    })),
    when(readCarrier, CARRIER),
    when(listUnidentified, []),
    when(listProposals, []),
    when(listMalfunctions, []),
    when(listInspections, []),
  ]);

describe('[R2.14] the desk', () => {
  it('says for whom nothing is recorded, since when and why', async () => {
    const since = '2026-11-26T20:02:00Z';
    await open([
      row('1', 'Dana Whitlock', { standing: { since, why: 'own-log' } }),
      row('2', 'Joel Hostetter', { standing: { since, why: 'error' } }),
      row('3', 'Gary Rexrode'),
    ]);
    await expect
      .element(page.getByText(/^Dana Whitlock: not recorded since .*14:02\. An entry of this log contradicts/))
      .toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'Open log' }).first())
      .toHaveAttribute('href', '/eld/drivers/1');
    await expect
      .element(page.getByText(/^Joel Hostetter: not recorded since .*What tracker and phone send meanwhile is kept/))
      .toBeVisible();
    expect(page.getByText(/^Gary Rexrode: not/).query()).toBeNull();
    await expect.element(page.getByRole('row', { name: 'Dana Whitlock' }).getByText('not recorded')).toBeVisible();
    await expectAccessibleInBoth();
  });
});
