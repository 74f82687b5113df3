import { DEFAULT_NOTIFICATION_SETTINGS, type Rule } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { startMailServer } from '../../../testing/mail-server.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { person } from '../../../testing/people.ts';
import { east, HOUR, MINUTE, ruleFleet, stands, tour, YARD } from '../../../testing/rule-fleet.ts';
import { spreadNotices } from '../notifications/spread.ts';
import { escalateAlerts } from './escalations.ts';

/** What rules are about, or go to, changes or goes away while they alert. */

vi.setConfig({ testTimeout: 60_000 });
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, close } = await startMailServer());
});
afterAll(() => close());
const fleet = () => ruleFleet(server);

describe('[R2.08] a rule about what is gone', () => {
  it('is for nobody once its last folder or vehicle is deleted, and its alerts end', async () => {
    const it = await fleet();
    const now = Date.now();
    const { id: folder } = (await it.call('POST', '/folder', { name: 'South' })).body as { id: string };
    const { system } = server.context.db;
    await system
      .updateTable('vehicle')
      .set({ folder_id: Number(folder) })
      .where('id', '=', it.vehicleId)
      .execute();
    await server.context.feed.settled();
    await it.fence(YARD);
    await it.store(stands(now - 3 * HOUR, now, 0));
    const rule = await it.rule({
      trigger: { kind: 'stay', minutes: 30 },
      vehicles: { folderIds: [folder], deviceIds: [] },
    });
    await it.watch();
    expect(await it.alerts()).toMatchObject([{ closedAt: null, rule: { id: rule.id } }]);
    await system.updateTable('vehicle').set({ folder_id: null }).where('id', '=', it.vehicleId).execute();
    expect((await it.call('DELETE', `/folder/${folder}`)).status).toBe(200);
    await it.watch();
    expect(await it.alerts()).toMatchObject([{ closedAt: expect.any(String) }]);
    // It did not become a rule for everyone.
    await it.store(stands(now + MINUTE - 30 * MINUTE, now, 0));
    await it.watch();
    expect(await it.alerts()).toHaveLength(1);
    expect((await it.call('GET', '/alert-rule')).body).toMatchObject([{ vehicles: { folderIds: [], deviceIds: [] } }]);
  });

  it('ends its alert with the geofence, and never alerts again', async () => {
    const it = await fleet();
    const now = Date.now();
    const yard = await it.fence(YARD);
    await it.store(stands(now - 3 * HOUR, now - HOUR, 0));
    await it.rule({ trigger: { kind: 'stay', minutes: 30 }, geofenceIds: [yard] });
    await it.watch();
    expect(await it.alerts()).toMatchObject([{ closedAt: null }]);
    expect((await it.call('DELETE', `/geofence/${yard}`)).status).toBe(200);
    await it.store(stands(now - HOUR, now, 0));
    await it.watch();
    expect(await it.alerts()).toMatchObject([{ closedAt: expect.any(String), rule: { geofence: 'Place 1' } }]);
  });

  it('goes on for the others when a vehicle is deleted, whose alerts go with it', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(YARD);
    await it.rule({ trigger: { kind: 'stay', minutes: 30 } });
    await it.store(stands(now - 3 * HOUR, now, 0));
    await it.watch();
    expect(await it.alerts()).toHaveLength(1);
    expect((await it.call('DELETE', `/device/${it.vehicleId}`)).status).toBe(200);
    await it.watch();
    expect(await it.alerts()).toEqual([]);
    const rows = await server.context.db.system
      .selectFrom('rule_fold')
      .selectAll()
      .where('vehicle_id', '=', it.vehicleId)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('[R2.08] a rule that is edited', () => {
  it('by two people at once keeps what each of them changed', async () => {
    const it = await fleet();
    const rule = await it.rule({ trigger: { kind: 'drive' } });
    const edits = [{ name: 'Night drives' }, { severity: 'critical' }, { action: 'Call.' }, { repeatMinutes: 60 }];
    const answers = await Promise.all(edits.map(edit => it.call('PATCH', `/alert-rule/${rule.id}`, edit)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await it.call('GET', '/alert-rule')).body).toMatchObject([Object.assign({}, ...edits)]);
  });

  it('while late reports come in alerts nobody about the past, and nothing twice', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(YARD);
    const all = tour(now - 4 * HOUR);
    const isAway = ({ lon }: { readonly lon: number | null }) => lon !== east(0);
    const rule = await it.rule({ trigger: { kind: 'cross' } });
    await it.store([...all.filter(position => !isAway(position)), ...stands(now - 2 * HOUR, now, 0)]);
    await it.watch();
    const away = all.filter(isAway);
    for (const [nth, half] of [away.slice(0, away.length / 2), away.slice(away.length / 2)].entries()) {
      await Promise.all([
        it.store(half),
        it.call('PATCH', `/alert-rule/${rule.id}`, { repeatMinutes: nth, name: `Crossing ${nth}` }),
        it.watch(),
      ]);
    }
    await it.watch();
    const alerts = await it.alerts();
    expect(alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null)).toEqual([]);
    const moments = alerts.map(({ openedAt }) => openedAt);
    expect(new Set(moments).size).toBe(moments.length);
  });

  it('off and on again ends the alert that lasted, once, and does not alert about what lasts', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(YARD);
    await it.store(stands(now - 3 * HOUR, now - HOUR, 0));
    const rule = await it.rule({ trigger: { kind: 'stay', minutes: 30 } });
    await it.watch();
    const turn = (isOn: boolean) => it.call('PATCH', `/alert-rule/${rule.id}`, { isOn });
    await Promise.all([turn(false), it.watch()]);
    await it.watch();
    const [ended] = await it.alerts();
    expect(ended).toMatchObject({ closedAt: expect.any(String) });
    await turn(true);
    await it.store(stands(now - HOUR, now, 0));
    await it.watch();
    expect(await it.alerts()).toEqual([ended]);
  });
});

describe('[R2.08] a rule whose people are gone, or may not see any more', () => {
  it('sends nothing to them, nothing to everyone instead, and says that nobody got what was to be sent on', async () => {
    const owner = await person(server);
    const { accountId } = owner;
    const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: ['rule'] };
    await owner.call('PUT', 'notification_settings', settings);
    const [leaves, far] = [
      await person(server, { accountId, role: 'dispatcher' }),
      await person(server, { accountId, role: 'viewer' }),
    ];
    const vehicle = await addNamedVehicle(server, accountId, '4127');
    const to = [leaves.userId, far.userId];
    const { body } = await owner.call('POST', 'alert-rule', {
      ...{ name: 'Drives', trigger: { kind: 'drive' }, mailTo: to, pushTo: to, escalation: { minutes: 1, to } },
    });
    const rule = body as Rule;
    const { system } = server.context.db;
    const alertId = await addAlert(server, accountId, Number(vehicle.id), {
      ...{ kind: 'rule', severity: 'warning', event: null, rule_id: Number(rule.id) },
      ...{ rule: JSON.stringify({ name: rule.name, action: null, geofence: null }) as never },
      escalate_at: new Date(Date.now() - MINUTE),
    });
    await system.deleteFrom('app_user').where('id', '=', leaves.userId).execute();
    const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
    await limit(server.context, far, { folders: [folder] });
    const now = new Date();
    await spreadNotices(server.context, server.organisation, now);
    await escalateAlerts(server.context, server.organisation, now);
    expect(await system.selectFrom('alert_mail').select('user_id').where('alert_id', '=', alertId).execute()).toEqual(
      [],
    );
    const { escalate_at, escalation } = await system
      .selectFrom('alert')
      .select(['escalate_at', 'escalation'])
      .where('id', '=', alertId)
      .executeTakeFirstOrThrow();
    expect([escalate_at, escalation]).toEqual([null, { at: now.toISOString(), to: [] }]);
    // It can still be changed, without its old people.
    expect((await owner.call('PATCH', `alert-rule/${rule.id}`, { name: 'Still drives' })).status).toBe(200);
  });
});
