import {
  listBuiltInRules,
  listRules,
  muteBuiltInRule,
  muteRule,
  muteRuleForMe,
  type RuleMutes,
  readNotificationSettings,
  testBuiltInRule,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';
import { ANSWERS, NIGHT } from '../../geofences/testing/geofences.ts';

/** A rule is muted for a while where it is read, for everyone or for oneself, and ends that on time or by a click. */

const HOUR_MS = 3_600_000;
const muted = (mutes: Partial<RuleMutes>) => ({ ...NIGHT, mutes: { everyone: null, me: null, ...mutes } });

it('[R2.08] a rule is muted for an hour for everyone, and notifies again', async () => {
  const now = Date.now();
  const until = new Date(now + HOUR_MS).toISOString();
  const everyone = { until, since: new Date(now).toISOString(), by: 'Nora Kessler' };
  await open(`/rules?open=${NIGHT.id}`, [
    ...ANSWERS,
    when(listRules, [NIGHT]),
    when(muteRule, ({ body }) => muted(body.mute ? { everyone } : {})),
  ]);
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await expectAccessible();
  await page.getByRole('group', { name: 'For everyone' }).getByRole('menuitem', { name: 'For an hour' }).click();
  const note = page.getByText(/Muted for everyone until .* recorded, but nobody is notified\. Muted by Nora Kessler\./);
  await expect.element(note).toBeVisible();
  await expect.element(page.getByText(/^Muted until /)).toBeVisible();
  const asked = sent(muteRule).at(-1)?.body.mute?.until;
  expect(Date.parse(asked ?? '') - now).toBeGreaterThanOrEqual(HOUR_MS);
  await expectAccessible();
  await page.getByRole('button', { name: 'Turn notifications on' }).click();
  await expect.element(note).not.toBeInTheDocument();
  expect(sent(muteRule).at(-1)?.body).toEqual({ mute: null });
});

it('[R2.08] who only reads rules mutes one for themselves, until the next morning or for good', async () => {
  await open(
    `/rules?open=${NIGHT.id}`,
    [
      ...ANSWERS,
      when(listRules, [NIGHT]),
      when(muteRuleForMe, ({ body }) => ({
        me: body.mute && { until: body.mute.until, since: new Date().toISOString(), by: 'Nora Kessler' },
      })),
    ],
    { me: someone({ role: 'viewer' }) },
  );
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await expect.element(page.getByRole('group', { name: 'For everyone' })).not.toBeInTheDocument();
  await page.getByRole('menuitem', { name: /^Until .*07:00$/ }).click();
  await expect.element(page.getByText(/^Muted for you until .*07:00: no emails/)).toBeVisible();
  const asked = Date.parse(sent(muteRuleForMe).at(-1)?.body.mute?.until ?? '');
  expect(asked - Date.now()).toBeGreaterThan(0);
  expect(asked - Date.now()).toBeLessThanOrEqual(25 * HOUR_MS);
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Until it is turned back on' }).click();
  await expect.element(page.getByText('Muted for you: no emails or push notifications.')).toBeVisible();
});

it('a mute that is over is not shown, even if the list was read before it ended', async () => {
  const [since, past] = [new Date(Date.now() - HOUR_MS).toISOString(), new Date(Date.now() - 1000).toISOString()];
  const later = new Date(Date.now() + HOUR_MS).toISOString();
  const [over, lasts] = [
    { until: past, since, by: null },
    { until: later, since, by: null },
  ];
  await open(`/rules?open=${NIGHT.id}`, [...ANSWERS, when(listRules, [muted({ everyone: over, me: lasts })])]);
  await expect.element(page.getByText(/^Muted for you until .*: no emails/)).toBeVisible();
  await expect.element(page.getByText(/Muted for everyone/)).not.toBeInTheDocument();
});

it('a built-in alert is muted like a rule', async () => {
  await open('/rules?open=restricted', [
    ...ANSWERS,
    when(readNotificationSettings, () => new Promise(() => {})),
    when(testBuiltInRule, { days: [], vehicles: [] }),
    when(muteBuiltInRule, ({ body, params }) => ({
      ...{ kind: params.kind, isOn: true, severity: 'warning' as const, vehicles: null, when: null, conditions: null },
      ...{
        repeatMinutes: 0,
        action: null,
        needsNote: false,
        message: null,
        mailTo: null,
        pushTo: null,
        webhookIds: null,
      },
      ...{ escalation: null, minutes: null, changedAt: null, alerts: { count: 0, acknowledged: 0, lastAt: null } },
      mutes: { everyone: body.mute && { until: null, since: new Date().toISOString(), by: null }, me: null },
    })),
  ]);
  await expect.poll(() => sent(listBuiltInRules).length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  const everyone = page.getByRole('group', { name: 'For everyone' });
  await everyone.getByRole('menuitem', { name: 'Until it is turned back on' }).click();
  await expect
    .element(page.getByText('Muted for everyone. Its alerts are recorded, but nobody is notified.'))
    .toBeVisible();
});
