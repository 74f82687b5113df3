import {
  builtInDefaults,
  DEFAULT_GEOFENCE_EDGE,
  DEFAULT_SETTINGS,
  type Geofence,
  listBuiltInRules,
  listDrivers,
  listGeofenceGroups,
  listGeofences,
  listInside,
  listRules,
  listVehicles,
  listWebhooks,
  PERMISSIONS_OF_ROLE,
  type Rule,
  readBaseMap,
  readMyUsers,
  readSettings,
  updateRule,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';
import { user } from '../../../testing/people.ts';

const MOMENTS = { createdAt: '2026-11-20T08:00:00Z', createdBy: null, changedAt: '2026-11-20T08:00:00Z' };
const YARD: Geofence = {
  ...{ id: '5', name: 'Depot North', groupId: null, color: 'blue', isRestricted: true, isOn: true, note: null },
  shape: { kind: 'circle', center: [-78.88, 38.2], radiusM: 150 },
  ...{ edge: DEFAULT_GEOFENCE_EDGE, vehicles: null, detention: null, speedLimitKmh: null, ...MOMENTS },
};
const [NORA, DANA] = [someone(), user('Dana Whitlock')];
const rule = (id: string, name: string, changes: Partial<Rule>): Rule => ({
  ...{ id, name, isOn: true, severity: 'warning', trigger: { kind: 'stay', minutes: 40 }, geofenceIds: [YARD.id] },
  ...{ where: 'inside', vehicles: null, when: null, conditions: null, repeatMinutes: 0, action: null, message: null },
  ...{ mailTo: null, pushTo: null, webhookIds: null, ownerId: null, escalation: null, ...MOMENTS },
  alerts: { count: 3, acknowledged: 1, lastAt: null },
  ...changes,
});
const NIGHT = rule('7', 'Out at night', {
  ...{ trigger: { kind: 'exit', minutes: 0 }, severity: 'critical', mailTo: [NORA.id, DANA.id], webhookIds: ['3'] },
  when: { is: 'within', days: [1, 2, 3, 4, 5], from: '22:00', to: '05:00' },
  escalation: { minutes: 10, to: [DANA.id] },
});
const MORNING = rule('8', 'Not there', {
  ...{ isOn: false, trigger: { kind: 'absent', at: '08:00', days: [1, 2, 3, 4, 5] } },
});
const ELSEWHERE = rule('9', 'Somewhere else', { geofenceIds: ['6'] });
const count = { count: 0, acknowledged: 0, lastAt: null };

const ANSWERS: readonly Answer[] = [
  // Never answered, so there is no map to draw.
  when(readBaseMap, () => new Promise(() => {})),
  when(readSettings, { settings: { ...DEFAULT_SETTINGS, holidays: '2026-01-01, 2099-12-25' } }),
  when(listGeofences, [YARD]),
  when(listGeofenceGroups, []),
  when(listInside, { inside: [], last: [], counting: 0, vehicles: 0 }),
  when(listRules, [NIGHT, MORNING, ELSEWHERE]),
  when(listBuiltInRules, [{ ...builtInDefaults('restricted'), minutes: null, alerts: count, changedAt: null }]),
  when(listVehicles, []),
  when(listDrivers, []),
  when(readMyUsers, [DANA]),
  when(listWebhooks, [
    {
      ...{ id: '3', name: 'Guard service', url: 'https://guard.example/hook', severities: [], kinds: null },
      ...{ enabled: true, createdAt: MOMENTS.createdAt, waiting: 0, failed: 0, lastDeliveredAt: null },
    },
  ]),
  when(updateRule, ({ body, params }) => ({ ...(params.id === '7' ? NIGHT : MORNING), ...(body as Partial<Rule>) })),
];

it('[R2.08] a geofence’s schedule is that of its rules; a click leads to the words that change it', async () => {
  await open('/geo-fence?open=5', ANSWERS, { me: NORA });
  await page.getByRole('tab', { name: 'Schedule' }).click();
  const rules = page.getByRole('list', { name: 'Schedule' });
  await expect.element(rules.getByRole('link', { name: 'Out at night', exact: true })).toBeVisible();
  await expect.element(rules.getByRole('link', { name: 'Entered a restricted geofence', exact: true })).toBeVisible();
  await expect.element(rules.getByText('Somewhere else')).not.toBeInTheDocument();
  await expect
    .element(rules.getByRole('img', { name: 'Out at night, week: from 22:00 to 05:00 on weekdays except holidays' }))
    .toBeVisible();
  await expect.element(rules.getByRole('img', { name: /^Not there, week: at 08:00 on weekdays/ })).toBeVisible();
  await expect.element(page.getByText(/^Times are in America\/Chicago\..*next Dec 25, 2099\./)).toBeVisible();
  await expectAccessible();
  await rules.getByRole('link', { name: /^Out at night, .*from 22:00 to 05:00/ }).click();
  const fields = page.getByRole('dialog', { name: 'At what time' });
  await fields.getByLabelText('From').fill('21:00');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => sent(updateRule).map(({ body }) => body.when))
    .toMatchObject([{ from: '21:00', to: '05:00', days: [1, 2, 3, 4, 5] }]);
  // It opened once: the address no longer says so.
  expect(location.search).toBe('?open=7');
});

it('[R2.08] a geofence’s recipients are those of its rules, by channel', async () => {
  await open('/geo-fence?open=5', ANSWERS, { me: NORA });
  await page.getByRole('tab', { name: 'Recipients' }).click();
  const rules = page.getByRole('list', { name: 'Recipients' });
  await expect
    .element(rules.getByRole('link', { name: 'Out at night, Email: Nora Kessler and Dana Whitlock' }))
    .toBeVisible();
  await expect.element(rules.getByRole('link', { name: 'Out at night, Webhooks: Guard service' })).toBeVisible();
  await expect
    .element(
      rules.getByRole('link', { name: /^Out at night, If nobody acknowledges it within 10 min: Dana Whitlock$/ }),
    )
    .toBeVisible();
  await expect
    .element(rules.getByRole('link', { name: 'Not there, Email: everyone who chose alerts from rules' }))
    .toBeVisible();
  await expectAccessible();
  await rules.getByRole('link', { name: /^Out at night, Push: / }).click();
  await expect.element(page.getByRole('dialog', { name: 'Push' }).getByRole('radio').first()).toBeVisible();
});

it('[R2.08] a geofence’s rules are turned on and off beside the map, by those who can', async () => {
  await open('/geo-fence?open=5', ANSWERS, { me: NORA });
  await page.getByRole('tab', { name: /^Rules/ }).click();
  await expect.element(page.getByRole('tab', { name: 'Rules 3' })).toBeVisible();
  await expect.element(page.getByRole('switch', { name: 'Out at night is on' })).toBeChecked();
  await page.getByRole('switch', { name: 'Not there is on' }).click();
  await expect.poll(() => sent(updateRule)).toMatchObject([{ params: { id: '8' }, body: { isOn: true } }]);
  await expect.element(page.getByRole('switch', { name: 'Not there is on' })).toBeChecked();
  await expectAccessible();
});

it('[R2.08] a viewer reads who gets the alerts of a geofence, and changes nothing', async () => {
  const permissions = [...PERMISSIONS_OF_ROLE.viewer];
  await open('/geo-fence?open=5', ANSWERS, { me: someone({ role: 'viewer', permissions }) });
  await page.getByRole('tab', { name: 'Recipients' }).click();
  await expect.element(page.getByText('Everyone who sees the vehicle').first()).toBeVisible();
  await expect.element(page.getByRole('link', { name: /^Out at night, Email/ })).not.toBeInTheDocument();
});
