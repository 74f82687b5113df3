import {
  type Calendar,
  createApiToken,
  createCalendar,
  DEFAULT_NOTIFICATION_CHOICE,
  DEFAULT_NOTIFICATION_SETTINGS,
  deleteCalendar,
  listApiTokens,
  listCalendars,
  type RouteAnswer,
  readEmail,
  readMe,
  readMyNotifications,
  readPush,
  updateMe,
  updateMyNotifications,
} from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { refused, sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';

const PASSWORD = 'a long night on I-81';
const password = page.getByRole('textbox', { name: 'Current password' });
const name = page.getByLabelText('Name', { exact: true });
const account = (displayName: string) =>
  page.getByRole('button', { name: `Account: ${displayName}`, exact: true }).first();

/** What the server knows of the user: a saved change is in its next answer. */
function profileOf(me = someone()) {
  let known = me;
  return [
    when(readMe, () => known),
    when(readEmail, { email: null, confirmed: false, pending: null, canSend: false }),
    when(updateMe, ({ body: { password: given, preferences, ...body } }) => {
      if (given !== undefined && given !== PASSWORD) return refused('wrong-password');
      known = {
        ...known,
        ...(body as object),
        preferences: { ...known.preferences, ...preferences },
      };
      return { ok: true as const, pendingEmail: null };
    }),
  ];
}

describe('the profile', () => {
  it('[R2.10] [R3.01] [R7.03] saves name and gender, and asks for the password before an address changes', async () => {
    await open('/profile/you', profileOf());
    await name.fill('');
    await page.getByLabelText('Email').fill('nora@');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(name).toHaveAccessibleDescription('Enter a name of up to 80 characters.');
    await expect.element(name).toHaveFocus();
    await expect
      .element(page.getByLabelText('Email'))
      .toHaveAccessibleDescription(expect.stringContaining('Enter a valid email address'));
    await expect.element(password).toHaveAccessibleDescription(expect.stringContaining('Enter your current password.'));

    await name.fill('Nora K. Kessler');
    await page.getByLabelText('Gender').selectOptions('Female');
    await page.getByLabelText('Email').fill('nora@rockfish.example');
    await password.fill('not this one');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .element(password)
      .toHaveAccessibleDescription(expect.stringContaining('Your current password is incorrect.'));
    await expect.element(page.getByLabelText('Email')).toHaveValue('nora@rockfish.example');
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(account('Nora K. Kessler')).toBeVisible();
    expect(sent(updateMe).at(-1)?.body).toMatchObject({ displayName: 'Nora K. Kessler', gender: 2 });
  });

  it('[R8.05] opened with old data, updates to the loaded data and keeps what is typed', async () => {
    const answer = Promise.withResolvers<void>();
    const loaded = profileOf(someone({ displayName: 'Nora Q. Kessler' }));
    await open('/profile/you', [
      ...loaded,
      // The page starts with what the browser stored.
      when(readMe, async () => {
        await answer.promise;
        return someone({ displayName: 'Nora Q. Kessler' });
      }),
    ]);
    await expect.element(name).toHaveValue('Nora Kessler');
    await page.getByLabelText('Phone').fill('+1 555 010 4477');
    answer.resolve();
    await expect.element(name).toHaveValue('Nora Q. Kessler');
    await expect.element(page.getByLabelText('Phone')).toHaveValue('+1 555 010 4477');
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(sent(updateMe).map(({ body }) => Object.keys(body))).toEqual([['phone', 'password']]);
  });

  it('[R8.05] still has unsaved text after typing while a save is under way', async () => {
    const answer = Promise.withResolvers<void>();
    const server = profileOf();
    const save = server.findLast(({ route }) => route === updateMe);
    await open('/profile/you', [
      ...server,
      {
        route: updateMe,
        reply: async request => {
          await answer.promise;
          return save?.reply(request);
        },
      },
    ]);
    await name.fill('Nora');
    await page.getByRole('button', { name: 'Save' }).click();
    await name.fill('Nora Kessler');
    answer.resolve();
    await expect.element(account('Nora')).toBeVisible();
    await expect.element(name).toHaveValue('Nora Kessler');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(account('Nora Kessler')).toBeVisible();
  });

  it('[R8.05] a preference updates when it is loaded again, and two quick choices keep their order', async () => {
    const known = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const preferences = { ...someone().preferences, startPage: '/fleet' as const };
    const server = profileOf(someone({ preferences }));
    const [read, save] = [readMe, updateMe].map(wanted => server.find(({ route }) => route === wanted));
    await open('/profile/preferences', [
      ...server,
      {
        route: readMe,
        reply: async request => {
          await known.promise;
          return read?.reply(request);
        },
      },
      {
        route: updateMe,
        reply: async request => {
          if (sent(updateMe).length === 1) await first.promise;
          return save?.reply(request);
        },
      },
    ]);
    const field = page.getByLabelText('Start page');
    await expect.element(field).toHaveValue('');
    known.resolve();
    await expect.element(field).toHaveValue('/fleet');

    const chosen = () => sent(updateMe).map(({ body }) => body.preferences?.startPage);
    await field.selectOptions('/assets');
    await expect.poll(chosen).toEqual(['/assets']);
    await field.selectOptions('/overview');
    await expect.element(field).toHaveValue('/overview');
    expect(chosen()).toEqual(['/assets']);
    first.resolve();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(chosen()).toEqual(['/assets', '/overview']);
    await expect.element(field).toHaveValue('/overview');
  });

  it('asks for a scope of an API token, at the first one', async () => {
    await open('/profile/tokens', [
      ...profileOf(),
      when(listApiTokens, []),
      when(listCalendars, []),
      when(createApiToken, refused('internal')),
    ]);
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabelText('Name', { exact: true }).fill('Night report');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect.element(dialog.getByText('Choose what the token can do.')).toBeVisible();
    await expect.element(dialog.getByRole('checkbox', { name: 'Vehicles and their positions: See' })).toHaveFocus();
    expect(sent(createApiToken)).toEqual([]);
  });

  it('[N14] says at which addresses programs read, and makes and deletes a calendar', async () => {
    const calendar: Calendar = {
      id: '0191e7a0-0000-4000-8000-000000000000',
      name: 'Due dates',
      include: ['documents', 'subscriptions'],
      createdAt: '2026-11-27T10:00:00.000Z',
      lastReadAt: null,
    };
    await open('/profile/tokens', [
      ...profileOf(),
      when(listApiTokens, []),
      when(listCalendars, [calendar]),
      when(createCalendar, { ...calendar, path: '/api/v1/calendar_file/secret.ics' }),
      when(deleteCalendar, { deleted: true, id: calendar.id }),
    ]);
    await expect.element(page.getByText(`${window.location.origin}/api/otapi/v1.0`)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Copy the address of Event stream' })).toBeVisible();
    await expect
      .element(page.getByText('Documents and licenses that expire, Subscriptions that end · not read yet'))
      .toBeVisible();

    await page.getByRole('button', { name: 'New calendar' }).click();
    const dialog = page.getByRole('dialog', { name: 'New calendar' });
    for (const name of ['Documents and licenses that expire', 'Subscriptions that end', 'Your own tasks']) {
      await dialog.getByRole('checkbox', { name }).click();
    }
    await dialog.getByLabelText('Name', { exact: true }).fill('Due dates');
    await dialog.getByRole('button', { name: 'Create calendar' }).click();
    expect(sent(createCalendar)).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'Subscriptions that end' }).click();
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create calendar' }).click();
    await expect.element(dialog.getByText(`${window.location.origin}/api/v1/calendar_file/secret.ics`)).toBeVisible();
    expect(sent(createCalendar)).toMatchObject([{ body: { name: 'Due dates', include: ['subscriptions'] } }]);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Delete Due dates' }).click();
    const removal = page.getByRole('dialog', { name: 'Delete Due dates' });
    await removal.getByLabelText('Type Due dates to confirm').fill('Due dates');
    await removal.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => sent(deleteCalendar)).toMatchObject([{ params: { id: calendar.id } }]);
  });

  it('[R2.14] offers drivers the notifications of their own log and quiet hours, and nothing about alerts', async () => {
    const me = someone({ role: 'driver' });
    const answer: RouteAnswer<typeof readMyNotifications> = {
      choice: { ...DEFAULT_NOTIFICATION_CHOICE, quiet: 'own', quietFrom: '22:00', quietTo: '06:00' },
      organisation: DEFAULT_NOTIFICATION_SETTINGS,
      ...{ timeZone: 'America/Chicago', organisationTimeZone: 'America/Chicago', works: true, address: null },
      ...{ mayReadAlerts: false, getsEscalations: false, today: '2026-11-27', received: [] },
    };
    const subscription = {
      ...{ id: '7', userAgent: null, severities: ['critical' as const] },
      ...{ createdAt: '2026-11-20T10:00:00Z', lastSentAt: null },
    };
    await open('/profile/notifications', [
      ...profileOf(me),
      when(readMyNotifications, answer),
      when(readPush, { publicKey: 'key', subscriptions: [subscription] }),
      when(updateMyNotifications, ({ body }) => ({ ...answer, choice: body })),
    ]);
    const push = page.getByRole('region', { name: 'Push notifications' });
    await expect
      .element(push.getByText(/Requests from your office about your log appear on this device/))
      .toBeVisible();
    await expect.element(push.getByText(/^since /)).toBeVisible();
    await expect
      .element(page.getByText('Requests from your office about your log that come in quiet hours'))
      .toBeVisible();
    await expect.element(page.getByText(/alert/i)).not.toBeInTheDocument();
    await expectAccessible();
    await page.getByLabelText('From').fill('21:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => sent(updateMyNotifications))
      .toMatchObject([{ body: { quiet: 'own', quietFrom: '21:00' } }]);
  });
});
