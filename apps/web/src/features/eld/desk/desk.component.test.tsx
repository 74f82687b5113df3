import {
  type BoardRow,
  type Carrier,
  dismissSignIn,
  listInspections,
  listMalfunctions,
  listProposals,
  listUnidentified,
  type Proposal,
  readBoard,
  readCarrier,
  requestCertification,
} from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../../testing/accessible.ts';
import { sent, when } from '../../../../testing/answers.ts';
import { open as openPage } from '../../../../testing/app.tsx';

const row = (driverId: string, name: string, changes: Partial<BoardRow> = {}): BoardRow => ({
  ...{ driverId, name, departmentId: null, ruleSet: 'US_PROPERTY_70_8', timeZone: 'America/Chicago', status: 'OFF' },
  ...{ since: null, vehicle: null, here: null, place: null, at: new Date().toISOString() },
  ...{ mustStopBy: null, mayDriveAgainAt: null },
  clocks: {
    drive: { limitS: 39_600, leftS: 39_600 },
    window: { limitS: 50_400, leftS: 50_400 },
    onDuty: null,
    break: { limitS: 28_800, leftS: 28_800 },
    cycle: { limitS: 252_000, leftS: 252_000 },
  },
  ...{
    binds: null,
    exempt: null,
    violations: [],
    uncertifiedDays: 0,
    certificationAskedAt: null,
    proposals: 0,
    faults: [],
    standing: null,
  },
  ...{ reportAt: null, syncAt: null },
  ...changes,
});

const CARRIER: Carrier = {
  ...{ name: 'Rockfish Freight', usdotNumber: '1234567', ruleSet: 'US_PROPERTY_70_8', personalUse: false },
  ...{ yardMoves: false, personalUseLimitKm: null, vehicleChoice: 'folders' },
  terminals: [{ id: 'elgin', name: 'Elgin', timeZone: 'America/Chicago', startOfDay: '00:00', address: null }],
};

const open = (rows: readonly BoardRow[], path = '/eld', proposals: readonly Proposal[] = []) =>
  openPage(path, [
    when(readBoard, () => ({
      rows: [...rows],
      unidentified: { segments: 0, vehicles: 0, minutes: 0 },
      at: new Date().toISOString(),
    })),
    when(readCarrier, CARRIER),
    when(listUnidentified, []),
    when(listProposals, [...proposals]),
    when(listMalfunctions, []),
    when(listInspections, []),
    when(dismissSignIn, { done: true }),
    when(requestCertification, ({ body }) => ({
      at: new Date().toISOString(),
      asked: body.driverIds.map(driverId => ({ driverId, waiting: 1 })),
      skipped: [],
    })),
  ]);

describe('[R2.14] the desk', () => {
  it('says for whom nothing is recorded, since when and why', async () => {
    const since = '2026-11-26T20:02:00Z';
    await open([
      row('1', 'Dana Whitlock', { standing: { since, why: 'own-log', signIn: null } }),
      row('2', 'Joel Hostetter', { standing: { since, why: 'error', signIn: null } }),
      row('3', 'Gary Rexrode'),
    ]);
    await expect
      .element(page.getByText(/^Dana Whitlock: not recorded since .*14:02\. This log has conflicting entries/))
      .toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'Open log' }).first())
      .toHaveAttribute('href', '/eld/drivers/1');
    await expect
      .element(
        page.getByText(/^Joel Hostetter: not recorded since .*Everything the tracker and the phone send is saved/),
      )
      .toBeVisible();
    expect(page.getByText(/^Gary Rexrode: not/).query()).toBeNull();
    await expect.element(page.getByRole('row', { name: 'Dana Whitlock' }).getByText('not recorded')).toBeVisible();
    await expectAccessibleInBoth();
  });

  it('says where each vehicle is now, and marks what only the log says', async () => {
    await page.viewport(1440, 900);
    const logged = '3mi SSW IL Joliet';
    await open([
      row('1', 'Dana Whitlock', { here: { address: 'W 31st Pl, Chicago, IL', near: null }, place: logged }),
      row('2', 'Joel Hostetter', { place: logged }),
    ]);
    await expect.element(page.getByRole('cell', { name: 'W 31st Pl, Chicago, IL' })).toBeVisible();
    await expect
      .element(page.getByRole('cell', { name: '3 mi SSW of Joliet, IL Last place in the log' }))
      .toBeVisible();
    await expectAccessibleInBoth();
  });

  it('dismisses the waiting sign-in of a lost phone, with a reason', async () => {
    const standing = { since: '2026-11-26T20:02:00Z', why: 'error' as const, signIn: '4101' };
    await open([
      row('1', 'Dana Whitlock', { standing }),
      row('2', 'Joel Hostetter', { standing: { ...standing, signIn: null } }),
    ]);
    await expect.element(page.getByText(/^Dana Whitlock signed in to 4101/)).toBeVisible();
    expect(page.getByRole('button', { name: 'of Joel Hostetter' }).query()).toBeNull();
    await page.getByRole('button', { name: 'Dismiss Dana Whitlock’s waiting sign-in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss Dana Whitlock’s waiting sign-in?' });
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(dialog.getByText('Say why in 4 to 60 characters.')).toBeVisible();
    await expectAccessibleInBoth();
    await dialog.getByLabelText('Reason').fill('Phone lost in Joliet');
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(page.getByText('Dana Whitlock’s sign-in is dismissed.').first()).toBeVisible();
    expect(sent(dismissSignIn).at(-1)).toMatchObject({
      params: { driverId: '1' },
      body: { reason: 'Phone lost in Joliet' },
    });
  });

  it('asks the drivers of the list to certify their days, but nobody twice a day', async () => {
    const now = new Date().toISOString();
    await open([
      row('1', 'Dana Whitlock', { uncertifiedDays: 2 }),
      row('2', 'Joel Hostetter', { uncertifiedDays: 1, certificationAskedAt: '2026-01-05T15:00:00Z' }),
      row('3', 'Gary Rexrode', { uncertifiedDays: 3, certificationAskedAt: now }),
      row('4', 'Tasha Breeden'),
    ]);
    await page.getByRole('button', { name: 'Request certification' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request certification' });
    await expect.element(dialog.getByText(/^2 days$/)).toBeVisible();
    await expect.element(dialog.getByText(/^1 day · asked Mon, Jan 5/)).toBeVisible();
    await expect.element(dialog.getByText(/^3 days · asked today/)).toBeVisible();
    expect(dialog.getByText('Tasha Breeden').query()).toBeNull();
    await expectAccessibleInBoth();
    await dialog.getByRole('button', { name: 'Ask 2 drivers' }).click();
    await expect.element(page.getByText('2 drivers were asked to certify.').first()).toBeVisible();
    expect(sent(requestCertification).at(-1)?.body).toEqual({ driverIds: ['1', '2'] });
  });

  it('asks only those that the search has left', async () => {
    await open([row('1', 'Dana Whitlock', { uncertifiedDays: 2 }), row('2', 'Joel Hostetter')], '/eld?q=hostetter');
    await page.getByRole('button', { name: 'Request certification' }).click();
    await expect.element(page.getByText('No driver on this list has days to certify.')).toBeVisible();
    expect(page.getByRole('button', { name: /^Ask / }).query()).toBeNull();
  });

  it('shows times at the home terminal, whatever the clock of whoever looks, also in the lists', async () => {
    await page.viewport(1440, 900);
    const proposal = (driverId: string, driverName: string): Proposal => ({
      ...{ id: driverId, driverId, driverName, date: '2026-11-24', by: 'Robin Marsh', status: 'OFF', state: 'waiting' },
      ...{ at: '2026-11-25T03:37:00Z', replaces: null, reason: 'Waiting was off duty', answeredAt: null },
      proposedAt: '2026-11-25T18:23:00Z',
    });
    await open(
      [row('1', 'Dana Whitlock'), row('2', 'Joel Hostetter', { timeZone: 'America/Denver' })],
      '/eld?tab=proposals',
      [proposal('1', 'Dana Whitlock'), proposal('2', 'Joel Hostetter')],
    );
    const [dana, joel] = [page.getByRole('row', { name: 'Dana' }), page.getByRole('row', { name: 'Joel' })];
    await expect.element(dana.getByRole('cell', { name: /21:37$/ })).toBeVisible();
    await expect.element(dana.getByText('Wed, Nov 25 12:23')).toBeVisible();
    // The page names the zone of the carrier's first terminal; this driver's is another.
    await expect.element(joel.getByRole('cell', { name: /20:37 MST$/ })).toBeVisible();
  });
});
