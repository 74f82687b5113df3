import {
  type Carrier,
  listLogDays,
  listProposals,
  type RouteAnswer,
  readBoard,
  readCarrier,
  readLogDay,
} from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../../testing/accessible.ts';
import { when } from '../../../../testing/answers.ts';
import { open as openPage, someone } from '../../../../testing/app.tsx';

type Shown = RouteAnswer<typeof readLogDay>;

const TOTALS = { OFF: 86_400, SB: 0, D: 0, ON: 0 };
const DAY: Omit<Shown, 'changeRefused'> = {
  ...{ driverId: '1', date: '2026-11-26', timeZone: 'America/Chicago', totals: TOTALS, distanceKm: null },
  ...{ from: '2026-11-26T06:00:00Z', to: '2026-11-27T06:00:00Z', through: '2026-11-27T06:00:00Z' },
  segments: [{ status: 'OFF', from: '2026-11-26T06:00:00Z', to: '2026-11-27T06:00:00Z', record: null }],
  ...{ records: [], violations: [], vehicles: [], drives: [], trailers: [], shippingDocuments: [] },
  certification: { count: 0, lastAt: null, changedSince: false },
  ...{ formErrors: [], proposals: 0, missing: [], clocks: null, exempt: null, standing: null, declarations: [] },
  driver: { name: 'Dana Whitlock', licence: 'IL W412', terminal: 'Chicago' },
  recap: { usedS: 0, leftS: 252_000, days: [] },
};
const CARRIER: Carrier = {
  ...{ name: 'Rockfish Freight', usdotNumber: '1234567', ruleSet: 'US_PROPERTY_70_8', personalUse: false },
  ...{ yardMoves: false, personalUseLimitKm: null, vehicleChoice: 'folders' },
  terminals: [{ id: 'elgin', name: 'Elgin', timeZone: 'America/Chicago', startOfDay: '00:00', address: null }],
};

const open = (
  changeRefused: Shown['changeRefused'],
  role: 'admin' | 'viewer' = 'admin',
  changes: Partial<Shown> = {},
) => {
  const { records: _, ...listed } = DAY;
  const unidentified = { segments: 0, vehicles: 0, minutes: 0 };
  return openPage(
    '/eld/drivers/1?date=2026-11-26',
    [
      when(readLogDay, { ...DAY, changeRefused, ...changes }),
      when(listLogDays, [listed]),
      when(listProposals, []),
      when(readCarrier, CARRIER),
      when(readBoard, () => ({ rows: [], unidentified, at: new Date().toISOString() })),
    ],
    { me: someone({ role }) },
  );
};

describe('[R2.14] proposing a change of a day', () => {
  const propose = page.getByRole('button', { name: 'Propose a change' });
  const ask = page.getByRole('button', { name: 'Ask to certify' });

  it.each([
    ['not-certified', 'A change can be proposed once the driver has certified the day.', true],
    ['no-log', /keeps no log here anymore/, false],
    ['out-of-scope', /not in your departments/, false],
  ] as const)('is off and says why where the server refuses it: %s', async (refused, why, mayAsk) => {
    await open(refused);
    await expect.element(page.getByText(why)).toBeVisible();
    await expect.element(propose).toHaveAttribute('aria-disabled', 'true');
    await expect.element(propose).toHaveAccessibleDescription(why);
    await propose.click({ force: true });
    expect(page.getByRole('dialog').query()).toBeNull();
    // Nor is the driver asked to certify, where that would be refused, too.
    expect(ask.query() !== null).toBe(mayAsk);
    await expectAccessibleInBoth();
  });

  it('is on for a day that the server would take', async () => {
    await open(null);
    await expect.element(propose).not.toHaveAttribute('aria-disabled');
  });

  it('is not offered to those who only read', async () => {
    await open('not-certified', 'viewer');
    await expect.element(page.getByRole('heading', { name: 'Dana Whitlock' })).toBeVisible();
    expect(propose.query()).toBeNull();
    expect(page.getByText('A change can be proposed').query()).toBeNull();
  });
});

it('a record has the miles driven when it was made: none where the engine has just started', async () => {
  const record = {
    ...{
      id: 'aee51857-f9ce-49a3-9dba-ea8269abcd38',
      type: 1,
      code: 4,
      status: 'ON',
      state: 'active',
      origin: 'driver',
    },
    ...{ at: '2026-11-26T20:35:00Z', recordedAt: '2026-11-26T20:35:01Z', by: 'Dana Whitlock', sequence: 'B0' },
    ...{
      replaces: null,
      vehicle: '4101',
      vin: '3AKJHHDRXPZ900101',
      trailers: '',
      shippingDocument: '',
      miles: 0,
      hours: null,
    },
    ...{ lat: '41.84', lon: '-87.67', place: '1mi SW IL Chicago', note: '', fault: null, malfunction: false },
    ...{ diagnostic: false, isLocked: false },
  } satisfies Shown['records'][number];
  await open(null, 'admin', { records: [record] });
  const row = page.getByRole('row').filter({ hasText: '1 mi SW of Chicago, IL' });
  await expect.element(row.getByRole('cell', { name: /^0\smi$/ })).toBeVisible();
});
