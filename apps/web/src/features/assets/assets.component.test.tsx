import {
  assignFolder,
  createFolder,
  deleteFolder,
  deleteVehicle,
  type Folder,
  listAudit,
  listDrivers,
  listFolders,
  listUnknownTrackers,
  listVehicleDocuments,
  listVehicles,
  readVehicle,
  updateFolder,
  updateVehicle,
  updateVehicles,
  type Vehicle,
} from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../testing/answers.ts';
import { open as openPage } from '../../../testing/app.tsx';
import { folder as asFolder, vehicle } from '../../../testing/fleet.ts';

let vehicles: readonly Vehicle[] = [];
let folders: readonly Pick<Folder, 'id' | 'name'>[] = [];
beforeEach(() => {
  vehicles = [
    vehicle('4127', { plate: 'VA 48-217 PX', make: 'Kenworth', model: 'T680', year: 2022 }),
    vehicle('4118', { make: 'Ford', model: 'Transit 350', type: 'van' }),
    vehicle('R-206', { tags: ['reefer'] }),
  ];
  folders = [];
});

/** The server, as far as the page knows it: what is saved is in its next answers. */
const change = (ids: readonly string[], changes: object): void => {
  vehicles = vehicles.map(one => (ids.includes(one.id) ? { ...one, ...changes } : one));
};
const ANSWERS: readonly Answer[] = [
  when(listVehicles, () => [...vehicles]),
  when(readVehicle, ({ params }) => vehicles.find(({ id }) => id === params.id) ?? refused('not-found')),
  when(updateVehicle, ({ params: { id }, body }) => {
    if (vehicles.some(one => one.id !== id && one.deviceName === body.deviceName)) {
      return refused('name-taken', { params: { name: body.deviceName ?? '' } });
    }
    change([id], Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)));
    return vehicles.find(one => one.id === id) ?? refused('not-found');
  }),
  when(updateVehicles, ({ body }) => ({ changed: body.ids.length })),
  when(deleteVehicle, ({ params: { id } }) => {
    vehicles = vehicles.filter(one => one.id !== id);
    return { deleted: true as const, id };
  }),
  when(listFolders, () => folders.map(({ id, name }) => asFolder(id, name, vehicles))),
  when(createFolder, ({ body: { name } }) => {
    if (folders.some(one => one.name.toLowerCase() === name.toLowerCase())) return refused('folder-name-taken');
    const added = { id: String(folders.length + 1), name };
    folders = [...folders, added];
    return asFolder(added.id, name, vehicles);
  }),
  when(updateFolder, ({ params: { id }, body: { name = '' } }) => {
    folders = folders.map(one => (one.id === id ? { id, name } : one));
    return asFolder(id, name, vehicles);
  }),
  when(deleteFolder, ({ params: { id } }) => {
    const released = vehicles.filter(one => one.folderId === id).length;
    change(
      vehicles.filter(one => one.folderId === id).map(one => one.id),
      { folderId: null },
    );
    folders = folders.filter(one => one.id !== id);
    return { deleted: true as const, id, released };
  }),
  when(assignFolder, ({ params, body }) => {
    change(body.devices, { folderId: params.id === 'none' ? null : params.id });
    return { assigned: body.devices.length };
  }),
  when(listDrivers, []),
  when(listVehicleDocuments, []),
  when(listUnknownTrackers, []),
  when(listAudit, () => ({
    entries: sent(updateVehicle).map((_, index) => ({
      id: String(index + 1),
      at: '2026-11-26T15:00:00Z',
      action: 'vehicle.changed' as const,
      userId: null,
      userName: 'nora.kessler',
      via: 'session' as const,
      address: null,
      targetId: vehicles[0]?.id ?? null,
      targetName: '4127',
      changes: [],
      sentence: null,
    })),
    next: null,
  })),
];

const folder = (name: string | RegExp) => page.getByRole('treeitem', { name });
const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) });
const drawer = (name: string) => page.getByRole('complementary', { name: `Vehicle ${name}` });

async function open(search = ''): Promise<void> {
  await openPage(`/assets${search}`, ANSWERS);
  await expect.element(folder(/^All vehicles/)).toBeVisible();
}

it('shows the outline of the rows while they load, and then the rows', async () => {
  let arrive = (): void => {};
  const held = new Promise<Vehicle[]>(resolve => {
    arrive = () => resolve([...vehicles]);
  });
  await openPage('/assets', [...ANSWERS.filter(({ route }) => route !== listVehicles), when(listVehicles, () => held)]);
  const outline = page.getByRole('status', { name: 'Loading' }).first();
  await expect.poll(() => outline.element().childElementCount).toBe(8);
  arrive();
  await expect.element(row('4127')).toBeVisible();
  await expect.element(outline).not.toBeInTheDocument();
});

describe('folders of vehicles', () => {
  it('[R2.12] [R7.19] [R7.20] [R7.21] [R7.32] are created, renamed and deleted in forms that say what is wrong', async () => {
    await open();
    await page.getByRole('button', { name: 'New folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'New folder' });
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    const name = dialog.getByLabelText('Name');
    await expect.element(name).toHaveAccessibleDescription('Enter a name of up to 60 characters.');
    await expect.element(name).toHaveFocus();
    await name.fill('Line haul');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await expect.element(folder('Line haul 0 vehicles')).toBeVisible();

    // The server's error is shown by the field, and the input stays.
    await page.getByRole('button', { name: 'New folder' }).click();
    await name.fill('line HAUL');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await expect.element(name).toHaveAccessibleDescription('A folder with this name already exists here.');
    await expect.element(name).toHaveValue('line HAUL');
    await expect.element(name).toHaveFocus();
    await userEvent.keyboard('{Escape}');

    await folder(/^Line haul/).click();
    await page.getByRole('button', { name: 'Actions for Line haul' }).click();
    await page.getByRole('menuitem', { name: 'Rename or move' }).click();
    await page.getByRole('dialog', { name: 'Folder Line haul' }).getByLabelText('Name').fill('Long haul');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByRole('heading', { name: 'Long haul' })).toBeVisible();

    await expect.element(row('4118')).not.toBeInTheDocument();
    await folder(/^All vehicles/).click();
    await row('4118').getByRole('checkbox').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to' }).click();
    await page.getByLabelText('To folder').selectOptions('Long haul');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await expect.element(folder('Long haul 1 vehicle')).toBeVisible();
    // The tree may show the move before the dialog gets its response and closes.
    await expect.element(page.getByRole('dialog', { name: /^Move/ })).not.toBeInTheDocument();

    (folder(/^Long haul/).element() as HTMLElement).focus();
    await userEvent.keyboard('{Delete}');
    const question = page.getByRole('dialog', { name: 'Delete folder Long haul?' });
    await expect.element(question.getByText('1 vehicle will move to “No folder”.')).toBeVisible();
    await question.getByRole('button', { name: 'Delete folder' }).click();
    await expect.element(folder(/^Long haul/)).not.toBeInTheDocument();
    await expect.element(folder('No folder 3 vehicles')).toBeVisible();
  });
});

describe('a vehicle', () => {
  it('with a long name leaves room for its model in its drawer, and stays on a phone’s screen', async () => {
    const long = vehicle('X'.repeat(60), { make: 'Kenworth', model: 'T680' });
    vehicles = [long];
    await openPage(`/assets?open=${long.id}`, ANSWERS);
    const title = page.getByRole('heading', { name: 'Kenworth T680' });
    await expect.element(title).toBeVisible();
    expect(title.element().getBoundingClientRect().width).toBeGreaterThan(120);
    await page.viewport(390, 844);
    await openPage('/assets', ANSWERS);
    const plate = page.getByRole('table').getByText('X'.repeat(60), { exact: true });
    await expect.element(plate).toBeVisible();
    expect(plate.element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
  });

  it('[R5.03] [R8.05] is edited in its drawer: errors are beside the field, leaving asks first', async () => {
    await open();
    await page.getByRole('button', { name: /^4127/ }).click();
    await expect.element(drawer('4127').getByText('2022 Kenworth T680')).toBeVisible();
    await drawer('4127').getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('form', { name: 'Edit vehicle 4127' });
    await form.getByLabelText('Name').fill('4118');
    await form.getByLabelText('Year').fill('22');
    await form.getByRole('button', { name: 'Save' }).click();
    const year = form.getByLabelText('Year');
    await expect.element(year).toHaveAccessibleDescription('Enter a 4-digit year.');
    await expect.element(year).toHaveFocus();
    await year.fill('2023');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect
      .element(form.getByLabelText('Name'))
      .toHaveAccessibleDescription('Another vehicle is already called “4118”.');
    await expect.element(form.getByLabelText('Name')).toHaveFocus();

    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay here' })
      .click();
    await expect.element(year).toHaveValue('2023');
    await form.getByLabelText('Name').fill('4127');
    await form.getByLabelText('Tank, gallons').fill('120');
    await form.getByLabelText('Tags').fill('Long haul, ADR');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(page.getByText('4127 saved.')).toBeVisible();
    await expect.element(drawer('4127').getByText('Long haul, ADR')).toBeVisible();
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect.element(drawer('4127').getByText('changed the vehicle 4127').first()).toBeVisible();
    expect(sent(updateVehicle).at(-1)?.body).toMatchObject({
      year: 2023,
      tankLitres: 454.249,
      tags: ['Long haul', 'ADR'],
    });
  });

  it('is deleted only after its name is typed', async () => {
    vehicles = [...vehicles, vehicle('Gone')];
    await open('?q=gone');
    await page.getByRole('button', { name: /^Gone/ }).click();
    await page.getByRole('button', { name: 'Actions for Gone' }).click();
    await page.getByRole('menuitem', { name: 'Delete vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Gone?' });
    await expect.element(dialog.getByRole('button', { name: 'Delete vehicle' })).toBeDisabled();
    await dialog.getByLabelText('Type Gone to confirm').fill('Gone');
    await dialog.getByRole('button', { name: 'Delete vehicle' }).click();
    await expect.element(page.getByText('Nothing matches')).toBeVisible();
    await expect.poll(() => document.activeElement?.id).toBe('main');
  });
});

describe('many vehicles', () => {
  it('are edited together, and only the chosen fields change', async () => {
    await open();
    for (const name of ['4118', 'R-206']) await row(name).getByRole('checkbox').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 2 vehicles' });
    await dialog.getByRole('checkbox', { name: 'Year' }).click();
    await dialog.getByRole('checkbox', { name: 'Add tags' }).click();
    await dialog.getByRole('textbox', { name: 'Year' }).fill('soon');
    await dialog.getByRole('textbox', { name: 'Add tags' }).fill('leased');
    await dialog.getByRole('button', { name: 'Change 2 vehicles' }).click();
    const year = dialog.getByRole('textbox', { name: 'Year' });
    await expect.element(year).toHaveAccessibleDescription(expect.stringContaining('Enter a 4-digit year.'));
    await expect.element(year).toHaveFocus();
    await year.fill('2021');
    await dialog.getByRole('button', { name: 'Change 2 vehicles' }).click();
    await expect.element(page.getByText('2 vehicles updated.')).toBeVisible();
    const ids = vehicles.filter(({ deviceName }) => deviceName !== '4127').map(({ id }) => id);
    expect(sent(updateVehicles).map(({ body }) => body)).toEqual([
      { ids, change: { year: 2021, addTags: ['leased'] } },
    ]);
  });
});

describe('accessibility', () => {
  it('axe finds nothing, light and dark, in drawer, form and dialogs', async () => {
    await open();
    await page.getByRole('button', { name: /^4127/ }).click();
    await expect.element(drawer('4127')).toBeVisible();
    await expectAccessibleInBoth();
    await page.getByRole('tab', { name: 'Documents' }).click();
    await expect.element(page.getByText('No documents yet')).toBeVisible();
    await expectAccessibleInBoth();
    await drawer('4127').getByRole('button', { name: 'Edit', exact: true }).click();
    // Wait for the list: axe would judge it half disabled and half enabled if it loads in between.
    await expect.element(drawer('4127').getByLabelText('Usual driver')).toBeEnabled();
    await expectAccessibleInBoth();
    await page.getByRole('button', { name: 'New folder' }).click();
    await expectAccessibleInBoth();
  });
});
