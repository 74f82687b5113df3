import {
  createDriver,
  listDepartments,
  listDriverDocuments,
  listDrivers,
  listVehicles,
  readDriver,
  readMyUsers,
} from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../testing/answers.ts';
import { open as openPage } from '../../../testing/app.tsx';
import { boardOf } from '../../../testing/logs.ts';
import { driver } from '../../../testing/people.ts';

/** An iButton as trackers send it: 8 bytes. */
const CARD = '0000000004A27F19';
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let drivers = [driver('Dana Whitlock')];
beforeEach(() => {
  drivers = [
    driver('Dana Whitlock', { phone: '+15405550127', card: CARD, licenceExpiresOn: dayIn(20) }),
    driver('Joel Hostetter', { licenceExpiresOn: dayIn(800) }),
  ];
});

const ANSWERS: readonly Answer[] = [
  when(listDrivers, () => drivers),
  when(readDriver, ({ params }) => drivers.find(({ id }) => id === params.id) ?? refused('not-found')),
  when(listVehicles, []),
  when(readMyUsers, []),
  when(listDriverDocuments, []),
  boardOf(),
  when(createDriver, ({ body }) => {
    if (body.card === CARD) return refused('card-taken');
    const added = driver(body.name, { phone: body.phone ?? null, card: body.card ?? null });
    drivers = [...drivers, added];
    return added;
  }),
];

const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) });
const drawer = (name: string) => page.getByRole('complementary', { name });

async function open(): Promise<void> {
  await openPage('/personal', ANSWERS);
  await expect.element(page.getByRole('treeitem', { name: /^Everyone/ })).toBeVisible();
  await expect.element(row('Dana Whitlock')).toBeVisible();
}

describe('people', () => {
  it('with a long name leave the call button of their row on a phone’s screen', async () => {
    await page.viewport(390, 844);
    const name = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschafers';
    const vehicle = { id: '4', imei: '356307042440013', deviceName: 'X'.repeat(60), source: 'usual' } as const;
    drivers = [driver(name, { phone: '+15405550127', vehicle })];
    await openPage('/personal', ANSWERS);
    const call = page.getByRole('link', { name: new RegExp(`^Call ${name}`) });
    await expect.element(call).toBeVisible();
    expect(call.element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
    for (const text of [page.getByText(name, { exact: true }), page.getByText('X'.repeat(60), { exact: true })]) {
      expect(text.element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
    }
    await page.viewport(1440, 900);
  });

  it('[R2.13] [R5.03] are added in a form: errors by the field, focus on the first, nothing typed is lost', async () => {
    await open();
    await page.getByRole('button', { name: 'Add person' }).click();
    const form = page.getByRole('form', { name: 'Add a person' });
    await form.getByLabelText('Phone').fill('540 555');
    await form.getByLabelText('Email').fill('nobody');
    await form.getByLabelText('Driver card').fill('0000 0000 04A2 7F19');
    await form.getByRole('button', { name: 'Add person' }).click();
    const name = form.getByLabelText('Name');
    await expect.element(name).toHaveAccessibleDescription('Enter a name of up to 80 characters.');
    await expect.element(name).toHaveFocus();
    await expect
      .element(form.getByLabelText('Phone'))
      .toHaveAccessibleDescription(expect.stringContaining('Start with + and the country code'));
    await expect
      .element(form.getByLabelText('Email'))
      .toHaveAccessibleDescription(expect.stringContaining('Enter a valid email address'));
    await name.fill('Priya Raman');
    await form.getByLabelText('Phone').fill('+1 (571) 555-0109');
    await form.getByLabelText('Email').fill('');
    await form.getByRole('button', { name: 'Add person' }).click();
    const card = form.getByLabelText('Driver card');
    await expect.element(card).toHaveAccessibleDescription(expect.stringContaining('Another driver has this card.'));
    await expect.element(card).toHaveFocus();
    await expect.element(name).toHaveValue('Priya Raman');
    await card.fill('04A2 81D0');
    await form.getByRole('button', { name: 'Add person' }).click();
    await expect.element(drawer('Priya Raman').getByText('+1 571 555 0109')).toBeVisible();
    expect(sent(createDriver).at(-1)?.body).toMatchObject({ phone: '+15715550109', card: '04A281D0' });
  });

  it('[R8.05] are not shown as without department or vehicle if those could not be loaded', async () => {
    drivers = [driver('Lena Ortiz', { departmentId: '7' })];
    const departments = Promise.withResolvers<void>();
    await openPage('/personal?department=7', [
      ...ANSWERS,
      when(listDepartments, async () => {
        await departments.promise;
        return [{ id: '7', name: 'Night team', parentId: null, drivers: [] }];
      }),
      when(listVehicles, refused('not-allowed')),
    ]);
    await expect.element(row('Lena Ortiz')).toBeVisible();
    await page.getByRole('button', { name: /^Lena Ortiz/ }).click();
    await drawer('Lena Ortiz').getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('form', { name: 'Edit Lena Ortiz' });
    const chosen = () => {
      const field = form.getByLabelText('Department').element() as HTMLSelectElement;
      return [field.disabled, field.selectedOptions[0]?.label];
    };
    await expect.element(form.getByLabelText('Department')).toBeVisible();
    expect(chosen()).toEqual([true, 'Loading']);
    departments.resolve();
    await expect.poll(chosen).toEqual([false, 'Night team']);
    await form.getByRole('button', { name: 'Cancel' }).click();

    await drawer('Lena Ortiz').getByRole('button', { name: 'Assign vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Vehicle of Lena Ortiz' });
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled();
  });

  it('axe finds nothing, light and dark, in drawer, form and dialog', async () => {
    await open();
    await page.getByRole('button', { name: /^Dana Whitlock/ }).click();
    await expect.element(drawer('Dana Whitlock')).toBeVisible();
    await expectAccessibleInBoth();
    await drawer('Dana Whitlock').getByRole('button', { name: 'Edit', exact: true }).click();
    await expectAccessibleInBoth();
    await page.getByRole('button', { name: 'Add person' }).click();
    await expectAccessibleInBoth();
  });
});
