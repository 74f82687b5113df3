import {
  DEFAULT_SETTINGS,
  listDrivers,
  listPrivateHours,
  listVehicles,
  type RouteAnswer,
  readPrivacyOverview,
  readSecurityPolicy,
  readSettingChanges,
  type Settings,
  updateSettings,
} from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, when } from '../../../testing/answers.ts';
import { open as openPage, someone } from '../../../testing/app.tsx';
import { vehicle } from '../../../testing/fleet.ts';

let kept: RouteAnswer<typeof readSettingChanges> = { settings: DEFAULT_SETTINGS, changed: {} };
beforeEach(() => {
  kept = { settings: DEFAULT_SETTINGS, changed: {} };
});

const VEHICLES = [vehicle('T4133'), vehicle('T4134')];
const ANSWERS: readonly Answer[] = [
  when(readSettingChanges, () => kept),
  when(updateSettings, ({ body }) => {
    const now = { at: '2026-11-26T15:00:00Z', by: 'nora.kessler' };
    const changed = Object.fromEntries(Object.keys(body).map(name => [name, now]));
    kept = { settings: { ...kept.settings, ...(body as Partial<Settings>) }, changed: { ...kept.changed, ...changed } };
    return kept;
  }),
  when(listDrivers, []),
  when(listVehicles, VEHICLES),
  when(listPrivateHours, []),
  when(readPrivacyOverview, {
    from: '2026-10-27T15:00:00Z',
    keepLooksDays: 365,
    drivers: 0,
    driversWithAccess: 0,
    kinds: [],
  }),
  when(readSecurityPolicy, { secondFactor: 'optional', missing: 0 }),
];

async function open(section: string): Promise<void> {
  await openPage(`/settings/${section}`, ANSWERS);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
}
const save = () => page.getByRole('button', { name: /^Save/ }).click();
const box = (locator: Locator) => locator.element().getBoundingClientRect();

describe('[R2.05] settings', () => {
  it('are found by a setting’s name, and the result opens it', async () => {
    await open('organisation');
    await page.getByLabelText('Find a setting').fill('logo');
    await page.getByRole('link', { name: 'Branding Logo' }).click();
    await expect.element(page.getByRole('heading', { name: 'Branding', level: 1 })).toBeVisible();
    await page.getByLabelText('Find a setting').fill('nothing like it');
    await expect.element(page.getByText('No settings match “nothing like it”.')).toBeVisible();
  });

  it('say so to someone whose role sees none of them, who is led to their own', async () => {
    await openPage('/settings', ANSWERS, { me: someone({ role: 'driver' }) });
    await expect.element(page.getByText(/^Your role can’t see the organization’s settings\./)).toBeVisible();
    await expect.element(page.getByLabelText('Find a setting')).not.toBeInTheDocument();
    await expectAccessible();
    await expect.element(page.getByRole('link', { name: 'Go to your profile' })).toHaveAttribute('href', '/profile');
  });

  it('[R5.03] keep what was typed, show errors beside the field, and ask before leaving', async () => {
    await open('tracking');
    const field = page.getByLabelText('Offline after, minutes');
    await field.fill('5');
    await save();
    await expect
      .element(field)
      .toHaveAccessibleDescription(expect.stringContaining('Choose between 15 minutes and 7 days.'));
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue(5);
    await page.getByRole('link', { name: 'Privacy' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await field.fill('90');
    await save();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    await expect.element(field).toHaveAccessibleDescription(expect.stringContaining('Changed by nora.kessler'));
    await page.getByRole('button', { name: 'Back to default' }).click();
    await expect.element(field).toHaveValue(1440);
  });

  it.each([
    [1440, 480],
    [390, 700],
  ])('keep Save and Discard in view while there are unsaved changes, at %i px', async (width, height) => {
    await open('organisation');
    await page.viewport(width, height);
    const inView = (name: string) => {
      const { top, bottom } = box(page.getByRole('button', { name }));
      return top >= 0 && bottom <= height;
    };
    await page.getByLabelText(/^Address/).fill('1 Wacker Dr');
    await expect.element(page.getByText('1 unsaved change')).toBeVisible();
    page.getByRole('heading', { level: 1 }).element().scrollIntoView({ block: 'nearest' });
    expect([inView('Save'), inView('Discard')]).toEqual([true, true]);
    await expectAccessible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.element(page.getByLabelText(/^Address/)).toHaveValue('');
  });

  it('use the width: a card’s text is beside its fields if there is room, and above them otherwise', async () => {
    await open('security');
    const [title, field] = [page.getByRole('heading', { name: 'Second factor' }), page.getByLabelText('Required for')];
    const places = () => ({ beside: box(field).left > box(title).left + 200, reaches: box(field).right });
    await expect.element(field).toBeVisible();
    expect(places()).toMatchObject({ beside: true });
    await page.viewport(1920, 1080);
    await expect.poll(() => places().reaches).toBeGreaterThan(1200);
    await page.viewport(390, 844);
    await expect.poll(() => places().beside).toBe(false);
  });

  it('open hidden positions of the vehicle whose card led here', async () => {
    await open(`privacy?vehicle=${VEHICLES[1]?.id}`);
    const chosen = page.getByRole('combobox', { name: 'Vehicle', exact: true });
    await expect.element(chosen).toHaveFocus();
    await expect.element(chosen).toHaveDisplayValue('T4134');
  });

  it('for privacy say what will be deleted for good', async () => {
    await open('privacy');
    await page.getByRole('switch', { name: /Delete old positions/ }).click();
    await expect.element(page.getByText('positions older than 365 days are permanently deleted')).toBeVisible();
    await page.getByLabelText('Keep positions, days').fill('3');
    await save();
    await expect
      .element(page.getByLabelText('Keep positions, days'))
      .toHaveAccessibleDescription(expect.stringContaining('Enter 7 to 3,650 days.'));
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.element(page.getByRole('switch', { name: /Delete old positions/ })).not.toBeChecked();
  });
});
