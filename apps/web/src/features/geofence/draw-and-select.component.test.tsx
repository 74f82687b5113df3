import {
  createGeofence,
  deleteGeofences,
  type Geofence,
  listGeofences,
  type NewGeofence,
  updateGeofence,
  updateGeofences,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { ANSWERS, NORA, YARD } from '../../geofences/testing/geofences.ts';

/** As the Enter key does on what has the focus. */
async function enter(button: Locator): Promise<void> {
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

const made = (body: NewGeofence, id: string): Geofence => ({
  ...{ ...YARD, isRestricted: false, id, name: body.name, shape: body.shape },
});
it.each([
  ['Circle', { kind: 'circle', center: [-78.9, 38.2] }],
  ['Rectangle', { kind: 'rectangle', bounds: [-78.9, 38.2, expect.any(Number), expect.any(Number)] }],
  ['Corridor', { kind: 'corridor', line: [[-78.9, 38.2], expect.any(Array), expect.any(Array)] }],
  ['Polygon', { kind: 'polygon', rings: [[[-78.9, 38.2], ...Array(4).fill(expect.any(Array))]] }],
] as const)('[R2.08] is drawn with the keyboard alone: a %s', async (kind, shape) => {
  const answers = [...ANSWERS, when(createGeofence, ({ body }) => made(body as NewGeofence, '30'))];
  await open('/geo-fence', answers, { me: NORA });
  await enter(page.getByRole('button', { name: 'New geofence' }).first());
  const form = page.getByRole('complementary', { name: 'New geofence' });
  await form.getByRole('textbox', { name: 'Name' }).fill(`Yard ${kind}`);
  (form.getByRole('tab', { name: 'Details' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await enter(form.getByRole('button', { name: kind }));
  const type = async (label: string, degrees: string): Promise<void> => {
    (form.getByLabelText(label, { exact: true }).element() as HTMLInputElement).select();
    await userEvent.keyboard(degrees);
  };
  // A rectangle's corners are on the sides that they share; the far ones go first, so that none is turned over.
  if (kind === 'Rectangle') {
    await type('Latitude of point 3', '38.3');
    await type('Longitude of point 3', '-78.8');
  }
  await type('Latitude of point 1', '38.2');
  await type('Longitude of point 1', '-78.9');
  if (kind === 'Corridor') await type('Longitude of point 2', '-78.8');
  if (kind === 'Polygon') for (const [nth, at] of FAR.entries()) await typePoint(type, nth + 2, at);
  if (kind === 'Corridor' || kind === 'Polygon') await enter(form.getByRole('button', { name: 'Add a point after 1' }));
  await expectAccessible();
  await enter(form.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => sent(createGeofence).map(({ body }) => body))
    .toMatchObject([{ name: `Yard ${kind}`, shape }]);
});

const FAR = [
  [38.2, -78.8],
  [38.3, -78.8],
  [38.3, -78.9],
] as const;

async function typePoint(
  type: (label: string, degrees: string) => Promise<void>,
  number: number,
  [lat, lon]: readonly [number, number],
): Promise<void> {
  await type(`Latitude of point ${number}`, String(lat));
  await type(`Longitude of point ${number}`, String(lon));
}

it('[R2.08] several geofences are selected, edited in one go, and deleted after a question that names their rules', async () => {
  const dock: Geofence = { ...YARD, id: '6', name: 'Dock 6', isRestricted: false };
  const answers = [
    ...ANSWERS,
    when(listGeofences, [dock, YARD]),
    when(updateGeofences, ({ body }) => {
      const { change, ids } = body as { change: Partial<Geofence>; ids: string[] };
      return [dock, YARD].filter(({ id }) => ids.includes(id)).map(one => ({ ...one, ...change }));
    }),
    when(deleteGeofences, { deleted: 2 }),
  ];
  await open('/geo-fence', answers, { me: NORA });
  await enter(page.getByRole('button', { name: 'Select several' }));
  await expect.element(page.getByRole('button', { name: 'Edit' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Dock 6' }).click();
  await expect.element(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: 'All', exact: true }).click();
  await expectAccessible();
  await enter(page.getByRole('button', { name: 'Edit' }));
  const dialog = page.getByRole('dialog', { name: 'Edit 2 geofences' });
  await expect.element(dialog.getByRole('button', { name: 'Change 2 geofences' })).toBeDisabled();
  await dialog.getByLabelText('Group').selectOptions('Terminals');
  await dialog.getByLabelText('Color').selectOptions('Teal');
  await expectAccessible();
  await enter(dialog.getByRole('button', { name: 'Change 2 geofences' }));
  await expect
    .poll(() => sent(updateGeofences).map(({ body }) => body))
    .toEqual([{ ids: ['6', '5'], change: { groupId: '4', color: 'teal' } }]);
  await enter(page.getByRole('button', { name: 'Select several' }));
  await page.getByRole('checkbox', { name: 'All', exact: true }).click();
  await enter(page.getByRole('button', { name: 'Delete' }));
  await expect.element(page.getByText(/Out at night, Not there,? and Somewhere else/)).toBeVisible();
  await enter(page.getByRole('button', { name: 'Delete 2 geofences' }));
  await expect.poll(() => sent(deleteGeofences)).toMatchObject([{ body: { ids: ['5', '6'] } }]);
  await expect.element(page.getByText('No geofences yet')).toBeVisible();
});

it('[R2.08] a hole is cut into a polygon with the keyboard alone, and removed', async () => {
  const outline = FAR.map(([lat, lon]): [number, number] => [lon, lat]);
  const yard: Geofence = { ...YARD, shape: { kind: 'polygon', rings: [[[-78.9, 38.2], ...outline]] } };
  const answers = [
    ...ANSWERS,
    when(listGeofences, [yard]),
    when(updateGeofence, ({ body }) => ({ ...yard, ...(body as Partial<Geofence>) })),
  ];
  await open('/geo-fence?open=5', answers, { me: NORA });
  await page.getByRole('tab', { name: 'Shape' }).click();
  await enter(page.getByRole('button', { name: 'Cut a hole' }));
  await expect.element(page.getByText(/^Polygon, 8 points, 1 hole/)).toBeVisible();
  await expect.element(page.getByText('Hole 1', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Latitude of point 5' }).fill('38.24');
  await expectAccessible();
  await enter(page.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => sent(updateGeofence).map(({ body }) => body))
    .toMatchObject([
      {
        shape: {
          rings: [
            yard.shape.kind === 'polygon' && yard.shape.rings[0],
            [[expect.any(Number), 38.24], ...Array(3).fill(expect.any(Array))],
          ],
        },
      },
    ]);
  await enter(page.getByRole('button', { name: 'Remove hole 1' }));
  await expect.element(page.getByText(/^Polygon, 4 points ·/)).toBeVisible();
});

it('[R2.08] Ctrl Z and Ctrl Shift Z undo and redo a change of the shape, except in a field, which does so itself', async () => {
  await open('/geo-fence', ANSWERS, { me: NORA });
  await enter(page.getByRole('button', { name: 'New geofence' }).first());
  const form = page.getByRole('complementary', { name: 'New geofence' });
  await form.getByRole('tab', { name: 'Shape' }).click();
  await enter(form.getByRole('button', { name: 'Polygon' }));
  const latitude = form.getByLabelText('Latitude of point 1', { exact: true });
  await expect.element(latitude).toBeVisible();
  await enter(form.getByRole('button', { name: 'Add a point after 1' }));
  await expect.element(form.getByText(/^Polygon, 5 points/)).toBeVisible();
  // The new point's field has the focus, and keys of its own.
  await form.getByRole('tab', { name: 'Shape' }).click();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(form.getByText(/^Polygon, 4 points/)).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}');
  await expect.element(form.getByText(/^Polygon, 5 points/)).toBeVisible();
  (latitude.element() as HTMLInputElement).select();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(form.getByText(/^Polygon, 5 points/)).toBeVisible();
});
