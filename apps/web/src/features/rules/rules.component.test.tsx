import {
  type BacktestAlert,
  backtestRule,
  createRule,
  listAlerts,
  listBuiltInRules,
  listDrivers,
  listFolders,
  listGeofences,
  listRules,
  listVehicles,
  listWebhooks,
  type Rule,
  type RuleReach,
  readBaseMap,
  readMyUsers,
  readRuleProgress,
  readRuleReach,
  readTrack,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, sent, when } from '../../../testing/answers.ts';
import { goTo, open, someone } from '../../../testing/app.tsx';
import { folder, vehicle } from '../../../testing/fleet.ts';
import { anAlert } from '../../alerts/testing/alert.ts';
import { rule } from '../../geofences/testing/geofences.ts';

const NO_FIGURES = { speed: null, temp: null, battery: null, supply: null, fuelLost: null };
const VEHICLES = ['Crane 7', 'Trailer 12', 'Truck 3'].map(name => vehicle(name));

const ANSWERS: readonly Answer[] = [
  when(listRules, []),
  when(readRuleProgress, { behindSeconds: 0 }),
  when(listBuiltInRules, []),
  when(listGeofences, []),
  when(listVehicles, VEHICLES),
  when(listFolders, [folder('41', 'Trailers', VEHICLES)]),
  when(readMyUsers, []),
  when(listDrivers, []),
  when(listWebhooks, []),
  when(readRuleReach, { people: [], webhooks: [], escalation: null, vehicles: 3, isMuted: false }),
  when(createRule, ({ body }) => ({
    ...({ isOn: false, severity: 'warning', geofenceIds: null, where: 'inside', vehicles: null, when: null } as const),
    ...{
      conditions: null,
      repeatMinutes: 0,
      action: null,
      needsNote: false,
      message: null,
      mailTo: null,
      pushTo: null,
    },
    ...{ webhookIds: null, ownerId: null, escalation: null, ...(body as Pick<Rule, 'name' | 'trigger'>) },
    ...{
      id: '7',
      alerts: { count: 0, acknowledged: 0, lastAt: null },
      mutes: { everyone: null, me: null },
      createdBy: null,
    },
    ...{ createdAt: '2026-11-26T08:00:00Z', changedAt: '2026-11-26T08:00:00Z' },
  })),
];

it('[R7.37] other vehicles and folders are added and removed with the keyboard alone, several in a row', async () => {
  await open('/rules', ANSWERS);
  await page.getByRole('button', { name: 'New rule' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Close to a trailer');
  await page.getByRole('button', { name: /^What happens: / }).click();
  await page.getByRole('radio', { name: 'Comes close to another vehicle' }).click();
  await userEvent.keyboard('{Escape}');
  page
    .getByRole('button', { name: /^Which vehicles: no vehicle/ })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('combobox', { name: 'Folders' })).toBeVisible();
  // Into the first field, and to its only folder.
  await userEvent.keyboard('{Tab}trail{Enter}');
  await expect.element(page.getByRole('button', { name: 'Remove Trailers' })).toBeVisible();
  const vehicles = page.getByRole('combobox', { name: 'Vehicles' });
  vehicles.element().focus();
  // Typing only searches: nothing is added before Enter.
  await userEvent.keyboard('cra');
  await expect.element(page.getByRole('option', { name: 'Crane 7' })).toBeVisible();
  await expect.element(page.getByRole('option', { name: 'Truck 3' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Remove Crane 7' })).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}truck{Enter}');
  await expect.element(page.getByRole('button', { name: 'Remove Truck 3' })).toBeVisible();
  await expectAccessible();
  // The list closes first, then the panel.
  await userEvent.keyboard('tr');
  await expect.element(page.getByRole('option', { name: 'Truck 3' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('option', { name: 'Truck 3' })).not.toBeInTheDocument();
  page.getByRole('button', { name: 'Remove Truck 3' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Remove Truck 3' })).not.toBeInTheDocument();
  vehicles.element().focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('a vehicle in Trailers or 1 other')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => sent(createRule).map(({ body }) => body.trigger))
    .toMatchObject([{ kind: 'near', otherFolderIds: ['41'], otherIds: [VEHICLES[0]?.id] }]);
});

it('a mark stays on the line of the word before it', async () => {
  await page.viewport(390, 844);
  await open('/rules', ANSWERS);
  await page.getByRole('button', { name: 'New rule' }).first().click();
  const word = page.getByRole('button', { name: /^Only if: / });
  await expect.element(word).toBeVisible();
  const kept = word.element().closest('span');
  expect(kept?.textContent).toMatch(/,$/);
  const range = document.createRange();
  range.selectNodeContents(kept?.lastChild as Node);
  const [mark, box] = [range.getBoundingClientRect(), word.element().getBoundingClientRect()];
  expect(mark.bottom).toBeGreaterThan(box.top);
  expect(mark.left).toBeGreaterThanOrEqual(box.right - 1);
});

it('[R7.37] a test suggests the duration that keeps what someone acknowledged, and one click uses it', async () => {
  const now = Date.now();
  const at = (minutesAgo: number): string => new Date(now - minutesAgo * 60_000).toISOString();
  const [truck] = VEHICLES;
  const stay = (setting: number, nth: number, minutes: number): BacktestAlert => ({
    ...{ setting, deviceId: truck?.id ?? '', geofenceId: null, crossing: null, otherId: null, expectedId: null },
    ...{ beganAt: at(nth * 200), at: at(nth * 200 - 30), endedAt: at(nth * 200 - minutes), lat: 38.2, lon: -78.88 },
    figures: NO_FIGURES,
  });
  const lengths = [130, 40, 35, 38, 31, 42];
  const rule: Rule = {
    ...{ id: '7', name: 'Long idling', isOn: true, severity: 'warning', trigger: { kind: 'idle', minutes: 30 } },
    ...{ geofenceIds: null, where: 'inside', vehicles: null, when: null, conditions: null, repeatMinutes: 0 },
    ...{
      action: null,
      needsNote: false,
      message: null,
      mailTo: null,
      pushTo: null,
      webhookIds: null,
      ownerId: null,
      escalation: null,
    },
    ...{ alerts: { count: 6, acknowledged: 1, lastAt: null }, mutes: { everyone: null, me: null }, createdBy: null },
    ...{ createdAt: '2026-11-26T08:00:00Z', changedAt: '2026-11-26T08:00:00Z' },
  };
  await open('/rules?open=7', [
    ...ANSWERS,
    // Never answered: the map isn't what is tested here.
    when(readBaseMap, () => new Promise(() => {})),
    when(readTrack, () => new Promise(() => {})),
    when(listRules, [rule]),
    when(backtestRule, ({ body: { variants } }) => ({
      alerts: [30, ...variants].flatMap((minutes, setting) =>
        lengths.flatMap((length, nth) => (length >= minutes ? [stay(setting, nth + 1, length)] : [])),
      ),
      vehicles: [{ deviceId: truck?.id ?? '', positions: 900, muted: 0, plain: [{ day: '2026-11-26', count: 60 }] }],
      ...{ total: 1, left: 0, next: null },
    })),
    when(listAlerts, ({ query }) => ({
      alerts:
        query.open === 'false'
          ? [
              anAlert(crypto.randomUUID(), {
                ...{ kind: 'rule', deviceId: truck?.id ?? '', openedAt: at(170), acknowledgedAt: at(160) },
                acknowledgedBy: { id: someone().id, name: 'Nora Kessler' },
                rule: {
                  ...{
                    id: '7',
                    name: 'Long idling',
                    action: null,
                    needsNote: false,
                    geofence: null,
                    crossing: null,
                    expected: null,
                  },
                  ...{ other: null, about: null, message: null },
                },
              }),
            ]
          : [],
      unacknowledged: { critical: 0, warning: 0, info: 0 },
    })),
  ]);
  await page.getByRole('button', { name: 'Run the test' }).click();
  const suggestion = page.getByRole('region', { name: 'Suggestion' });
  await expect
    .element(
      suggestion.getByText(
        'With 45 min, it would alert 1 time instead of 6. The alert that someone acknowledged would stay.',
      ),
    )
    .toBeVisible();
  await expectAccessible();
  await suggestion.getByRole('button', { name: 'Use 45 min' }).click();
  await expect.element(page.getByRole('button', { name: 'How long: for more than 45 min' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Evidence pack' })).toBeVisible();
});

it('[R2.08] says whom a rule would reach, and why it would not reach the others', async () => {
  const no = (why: 'no-address' | 'no-browser' | 'not-named') => ({ gets: false, why, held: null });
  const yes = { gets: true, why: null, held: null };
  const people = [
    { id: '1', name: 'Ann Lee', seesVehicles: 3, mail: yes, push: no('no-browser') },
    { id: '2', name: 'Bo Diaz', seesVehicles: 2, mail: no('no-address'), push: { ...yes, held: 'quiet' as const } },
  ];
  const webhooks = [
    { id: '1', name: 'Guard service', gets: true, why: null, failing: 'timeout' as const },
    { id: '2', name: 'Yard display', gets: false, why: 'off' as const, failing: null },
  ];
  const escalation = { minutes: 15, by: 'account' as const, people: [{ ...people[0], mail: yes, push: null }] };
  await open('/rules', [
    ...ANSWERS,
    when(readRuleReach, { people, webhooks, escalation, vehicles: 3, isMuted: false } as RuleReach),
  ]);
  await page.getByRole('button', { name: 'New rule' }).first().click();
  const reach = page.getByRole('region', { name: 'Who gets it' });
  await expect.element(reach.getByText(/person by email, nobody by push, 1.webhook\./)).toBeVisible();
  await expect.element(reach.getByText(/1.of these webhooks is failing\./)).toBeVisible();
  await expect.element(reach.getByText('If nobody acknowledges it within 15 min: 1 person by email')).toBeVisible();
  await reach.getByText('Show everyone').click();
  await expect.element(reach.getByText(/Push: No, hasn’t turned push on in a browser/)).toBeVisible();
  await expect.element(reach.getByText(/Sees 2.of.3.vehicles/)).toBeVisible();
  await expect.element(reach.getByText('Push: Not now: quiet hours')).toBeVisible();
  const hooks = reach.getByRole('list', { name: 'Webhooks' });
  await expect.element(hooks.getByText('Yes, but the last try failed: no answer within 10 seconds')).toBeVisible();
  await expect.element(hooks.getByText('No, it’s off')).toBeVisible();
  await expect
    .element(reach.getByRole('list', { name: 'If nobody acknowledges it within 15 min' }).getByText('Email: Yes'))
    .toBeVisible();
  expect(sent(readRuleReach).at(-1)?.body).toEqual({
    ...{ kind: 'rule', ruleId: null, severity: 'warning', vehicles: null },
    ...{ mailTo: null, pushTo: null, webhookIds: null },
    escalation: null,
  });
  await expectAccessible();
});

it('a sentence’s words have their fields in them, as HTML allows it', async () => {
  const complaints: string[] = [];
  const { error } = console;
  console.error = (...said: unknown[]) => void complaints.push(said.map(String).join(' '));
  try {
    await open('/rules', ANSWERS);
    await page.getByRole('button', { name: 'New rule' }).first().click();
    for (const name of [/^What happens: /, /^Vehicles: /, /^Severity: /]) {
      await page.getByRole('button', { name }).click();
      await expect.element(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
      await userEvent.keyboard('{Escape}');
    }
  } finally {
    console.error = error;
  }
  expect(complaints.filter(said => said.includes('cannot'))).toEqual([]);
});

it('[R7.37] say on the page when they are behind what vehicles have sent, and how far', async () => {
  await open('/rules', [
    ...ANSWERS.filter(each => each.route !== readRuleProgress),
    when(readRuleProgress, { behindSeconds: 150 }),
  ]);
  await expect.element(page.getByText(/Rules are running 2 minutes behind/)).toBeVisible();
  await expectAccessible();
});

const OF_TRAILERS: Rule = {
  ...({ id: '3', name: 'Trailer left', isOn: true, severity: 'warning', geofenceIds: null, where: 'inside' } as const),
  ...{ trigger: { kind: 'exit', minutes: 3 }, vehicles: { folderIds: ['41'], deviceIds: [] }, when: null },
  ...{
    conditions: null,
    repeatMinutes: 60,
    action: 'Call the yard.',
    needsNote: false,
    message: null,
    mailTo: null,
    pushTo: null,
  },
  ...{
    webhookIds: null,
    ownerId: null,
    escalation: null,
    alerts: { count: 0, acknowledged: 0, lastAt: null },
    mutes: { everyone: null, me: null },
  },
  ...{ createdAt: '2026-11-26T08:00:00Z', changedAt: '2026-11-26T08:00:00Z', createdBy: null },
};
const ALL = { ...OF_TRAILERS, id: '4', name: 'Speeding', vehicles: null };
const OF_CRANE = {
  ...OF_TRAILERS,
  id: '5',
  name: 'Lift',
  vehicles: { folderIds: [], deviceIds: [VEHICLES[0]?.id ?? ''] },
};
const IN_FOLDER = VEHICLES.map(one => (one.deviceName === 'Trailer 12' ? { ...one, folderId: '41' } : one));

it('[R2.08] a search for a vehicle lists the rules that watch it, by itself, by its folder or with all others', async () => {
  await open('/rules', [
    ...ANSWERS,
    when(listRules, [OF_CRANE, ALL, OF_TRAILERS]),
    when(listVehicles, IN_FOLDER),
    when(listFolders, [folder('41', 'Trailers', IN_FOLDER)]),
  ]);
  await page.getByRole('textbox', { name: 'Search rules' }).fill('trailer 12');
  await expect.element(page.getByText('Rules that watch Trailer 12, including those for all vehicles.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /Trailer left/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /Speeding/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /Lift/ })).not.toBeInTheDocument();
  await expectAccessible();
});

it('[R2.08] a rule is duplicated: the copy is off, and belongs to whoever made it', async () => {
  await open('/rules?open=3', [
    ...ANSWERS,
    when(listRules, [{ ...OF_TRAILERS, ownerId: '00000000-0000-4000-8000-000000000002' }]),
  ]);
  await page.getByRole('button', { name: 'Duplicate rule' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Trailer left (copy)');
  await page.getByRole('button', { name: 'Save, but leave off' }).click();
  await expect
    .poll(() => sent(createRule).map(({ body }) => body))
    .toMatchObject([
      {
        ...{ name: 'Trailer left (copy)', isOn: false, trigger: OF_TRAILERS.trigger, vehicles: OF_TRAILERS.vehicles },
        ...{ repeatMinutes: 60, action: 'Call the yard.' },
      },
    ]);
  expect(sent(createRule)[0]?.body?.ownerId).toBeUndefined();
});

it('a new rule begun after a copy was closed is no copy', async () => {
  await open('/rules?open=3', [...ANSWERS, when(listRules, [OF_TRAILERS])]);
  await page.getByRole('button', { name: 'Duplicate rule' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Trailer left (copy)');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(page.getByText('Choose a rule, or create one.')).toBeVisible();
  goTo('/rules?open=new');
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('');
});

it('[R2.08] while no rule is open, says which alerted most and what people did about it; a click opens one', async () => {
  const counted = (id: string, name: string, count: number, acknowledged: number): Rule => ({
    ...rule(id, name, {}),
    alerts: { count, acknowledged, lastAt: null },
  });
  await page.viewport(1440, 900);
  await open('/rules', [
    ...ANSWERS,
    when(listRules, [counted('1', 'Quiet one', 1, 1), counted('2', 'Noisy one', 40, 2), counted('3', 'Silent', 0, 0)]),
  ]);
  const overview = page.getByRole('region', { name: 'The last 7 days' });
  await expect.element(overview.getByText('3 of 41')).toBeVisible();
  const rows = overview.getByRole('listitem');
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.first().getByText('Noisy one')).toBeVisible();
  await expect.element(rows.first().getByText('2 acknowledged')).toBeVisible();
  await expectAccessible();
  await rows.nth(1).getByRole('button').click();
  await expect.element(page.getByRole('heading', { name: 'Quiet one' })).toBeVisible();
});

it('on a phone, a long name of a rule is read whole', async () => {
  const name = 'Engine on while standing at one of the customers in the north';
  await page.viewport(390, 844);
  await open('/rules?open=1', [...ANSWERS, when(listRules, [rule('1', name, {})])]);
  await expect.element(page.getByRole('heading', { name })).toBeVisible();
  const heading = page.getByRole('heading', { name }).element();
  expect(heading.scrollWidth).toBeLessThanOrEqual(heading.clientWidth);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
