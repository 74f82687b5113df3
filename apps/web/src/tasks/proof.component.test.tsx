import {
  addTaskProof,
  listMyDocuments,
  listMyTasks,
  listVehicles,
  readMyDriver,
  readTaskFile,
  type Task,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessible.ts';
import { type Answer, sent, when } from '../../testing/answers.ts';
import { open, someone } from '../../testing/app.tsx';
import { driver } from '../../testing/people.ts';
import { newTask } from './test-task.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = () =>
  new File([Uint8Array.from(atob(PIXEL), char => char.charCodeAt(0))], 'dock.png', { type: 'image/png' });

const task = (proof: Partial<NonNullable<Task['proof']>>) =>
  newTask({
    ...{ id: '7', title: 'Wichita DC, dock 9', state: 'arrived', needsPhoto: true, needsSignature: true },
    proof: { note: '', signedBy: null, hasSignature: false, photos: 0, ...proof },
  });
const card = page.getByRole('article', { name: 'Wichita DC, dock 9' });
/** Each time as another user, because what waits on a phone is its owner's. */
const openMine = (answers: readonly Answer[]) =>
  open(
    '/personal',
    [
      when(readMyDriver, { driver: driver('Joan Abbott') }),
      when(listMyDocuments, []),
      when(listVehicles, []),
      ...answers,
    ],
    { me: someone({ id: crypto.randomUUID(), role: 'driver' }) },
  );

it('[R7.36] shows the photo and the signature on the driver’s task, and all photos one tap away', async () => {
  await openMine([
    when(listMyTasks, [task({ photos: 2, hasSignature: true, signedBy: 'T. Ruiz' })]),
    when(readTaskFile, picture),
  ]);
  for (const name of ['2 photos', 'Signed, T. Ruiz']) {
    const tile = card.getByRole('button', { name });
    await expect.poll(() => tile.element().querySelector('img')?.naturalWidth).toBe(1);
  }
  await expectAccessible();
  await card.getByRole('button', { name: '2 photos' }).click();
  const photos = page.getByRole('dialog', { name: 'Photos: Wichita DC, dock 9' });
  await expect.element(photos.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await expect.element(photos.getByRole('img', { name: 'Photo 2' })).toBeVisible();
});

it('[N4] shows a photo that waits to be sent from the phone’s own storage, then the server’s', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>(resolve => {
    arrive = resolve;
  });
  let photos = 0;
  await openMine([
    when(listMyTasks, () => [task({ photos })]),
    when(addTaskProof, async () => {
      await arrived;
      photos = 1;
      return task({ photos });
    }),
    when(readTaskFile, picture),
  ]);
  await userEvent.upload(card.getByLabelText('Add a photo'), picture());
  const tile = card.getByRole('button', { name: '1 photo' });
  await expect.poll(() => tile.element().querySelector('img')?.naturalWidth).toBe(1);
  expect(sent(readTaskFile)).toEqual([]);
  arrive();
  await expect.poll(() => sent(readTaskFile).map(({ params }) => params)).toEqual([{ id: '7', part: '0' }]);
  await expect.element(tile).toBeVisible();
  await expect.poll(() => tile.element().querySelector('img')?.naturalWidth).toBe(1);
});

it('says what was given where the picture can’t be loaded', async () => {
  await openMine([
    when(listMyTasks, [task({ photos: 1, hasSignature: true, signedBy: 'T. Ruiz' })]),
    when(readTaskFile, () => new Promise(() => {})),
  ]);
  await expect.element(card.getByRole('button', { name: '1 photo' })).toBeVisible();
  await expect.element(card.getByRole('button', { name: 'Signed, T. Ruiz' })).toBeVisible();
});

it('[R7.36] shows the pictures on a task that is done, with nothing left to add', async () => {
  const done = { ...task({ photos: 2, hasSignature: true, signedBy: 'T. Ruiz' }), state: 'done' as const };
  await openMine([when(listMyTasks, [done]), when(readTaskFile, picture)]);
  for (const name of ['2 photos', 'Signed, T. Ruiz']) {
    const tile = card.getByRole('button', { name });
    await expect.poll(() => tile.element().querySelector('img')?.naturalWidth).toBe(1);
  }
  await expectAccessible();
  await card.getByRole('button', { name: '2 photos' }).click();
  const photos = page.getByRole('dialog', { name: 'Photos: Wichita DC, dock 9' });
  await expect.element(photos.getByRole('img', { name: 'Photo 2' })).toBeVisible();
  expect(photos.getByText('Add a photo').elements()).toHaveLength(0);
  await photos.getByRole('button', { name: 'Close' }).click();
  await card.getByRole('button', { name: 'Signed, T. Ruiz' }).click();
  const signature = page.getByRole('dialog', { name: 'Signed, T. Ruiz' });
  await expect.element(signature.getByRole('img', { name: 'Signed, T. Ruiz' })).toBeVisible();
});
