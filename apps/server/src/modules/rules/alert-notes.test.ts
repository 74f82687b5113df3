import type { Alert, AuditEntry, Rule } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { noteDueDates } from './due-dates.ts';
import { writePast } from './write-alerts.ts';

let server: TestHttpServer;
let owner: Person;
let truck: number;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await person(server);
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
});

const DAY = 24 * 3_600_000;
const alerts = async (by = owner) => ((await by.call('GET', 'alert')).body as { alerts: Alert[] }).alerts;
const acknowledge = (ids: readonly string[], note?: unknown) =>
  owner.call('POST', 'alert/acknowledge', { ids, ...(note !== undefined && { note }) });
async function addRule(name: string, trigger: object): Promise<Rule> {
  const fields = { name, isOn: true, action: 'Ask the customer.', needsNote: true, trigger };
  const answer = await owner.call('POST', 'alert-rule', fields);
  expect(answer.body).toMatchObject({ needsNote: true });
  return answer.body as Rule;
}

describe('[R2.08] alerts of a rule that asks for a note', () => {
  it('are not acknowledged without one, all of them or none, and keep the first', async () => {
    expect((await owner.call('PATCH', 'built-in-rule/tow', { needsNote: true })).body).toMatchObject({
      needsNote: true,
    });
    const [towed, opened] = [
      await addAlert(server, owner.accountId, truck, { kind: 'tow' }),
      await addAlert(server, owner.accountId, truck, { kind: 'doorOpen' }),
    ];
    // It was so when they began: the rule asks for none any more, and they still do.
    await owner.call('PATCH', 'built-in-rule/tow', { needsNote: false });
    for (const note of [undefined, null]) {
      expect(await acknowledge([towed, opened], note)).toMatchObject({
        ...{ status: 409, body: { type: '/problems/alert-needs-note' } },
      });
    }
    for (const note of ['', '  ', 'x'.repeat(501), 7]) expect((await acknowledge([towed], note)).status).toBe(400);
    expect((await alerts()).map(({ acknowledgedAt, note }) => [acknowledgedAt, note])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect((await acknowledge([towed, opened], ' Towed by our own garage. ')).status).toBe(200);
    expect((await alerts()).map(({ note, rule }) => [note, rule?.needsNote ?? null])).toEqual(
      expect.arrayContaining([
        ['Towed by our own garage.', true],
        ['Towed by our own garage.', null],
      ]),
    );
    // Whoever comes second needs none, and changes nothing.
    expect((await acknowledge([towed])).status).toBe(200);
    expect((await acknowledge([towed], 'Me, too')).status).toBe(200);
    expect(new Set((await alerts()).map(({ note }) => note))).toEqual(new Set(['Towed by our own garage.']));
    const { entries } = (await owner.call('GET', 'audit?action=alert.acknowledged')).body as { entries: AuditEntry[] };
    expect(entries.map(({ changes }) => changes?.find(({ field }) => field === 'note')?.to)).toEqual([
      'Towed by our own garage.',
      'Towed by our own garage.',
    ]);
  });

  it('are those of dates and of positions, too; others take a note as well', async () => {
    const { id } = await addRule('Subscription', { kind: 'subscription', withinDays: 14 });
    await noteDueDates(server.context, server.organisation, new Date(Date.now() + 355 * DAY));
    const drives = await addRule('Drives', { kind: 'drive' });
    const at = new Date(Date.now() - DAY).toISOString();
    const event = { at, beganAt: at, endedAt: at, lat: 41.9, lon: -87.6, figures: null, crossing: null };
    await server.context.db.asAccount(owner.accountId, trx =>
      writePast(
        trx,
        { vehicleId: truck, accountId: owner.accountId, driverId: null, nowMs: Date.now() },
        Number(drives.id),
        [{ ...event, deviceId: String(truck), setting: 0, geofenceId: null, expectedId: null, otherId: null }],
      ),
    );
    const all = await alerts();
    expect(new Map(all.map(({ rule }) => [rule?.id, rule?.needsNote]))).toEqual(
      new Map([
        [id, true],
        [drives.id, true],
      ]),
    );
    const other = await addAlert(server, owner.accountId, truck, { kind: 'doorOpen' });
    expect((await acknowledge([other], 'Unloading')).body).toMatchObject({ alerts: [{ note: 'Unloading' }] });
  });
});
