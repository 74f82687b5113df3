import { createDriver, createGeofence, registerUser } from '@milepost/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testPicture } from '../apps/server/testing/picture.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const IMEI = '356938035643809';
const DANA = { name: 'dana.whitlock', password: 'seven quiet mile markers' } as const;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

let browser: Browser;
let milepost: Milepost;
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  const { call } = await ownerApi(milepost);
  const { data } = await call(registerUser, {
    body: { userName: DANA.name, displayName: 'Dana Whitlock', role: 'driver', password: DANA.password },
  });
  await call(createDriver, { body: { name: 'Dana Whitlock', userId: data.id } });
  await call(createGeofence, {
    body: { name: 'Wichita DC', shape: { kind: 'circle', center: [-97.33, 37.69], radiusM: 200 } },
  });
  const sam = await call(createDriver, { body: { name: 'Sam Ortiz' } });
  await addVehicles(milepost, [{ imei: IMEI, deviceName: '4117', usualDriverId: sam.id }]);
  await report(milepost, IMEI, fix(Date.now(), LOOP));
  await milepost.app.context.db.system.updateTable('app_user').set({ must_change_password: false }).execute();
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

it('[R7.36] the desk assigns a task, the driver does it step by step on a phone, and the desk sees each step', async () => {
  const [{ page: desk }, { page: phone }] = await Promise.all([
    visitSignedIn(browser, milepost.url),
    visitSignedIn(browser, milepost.url, PHONE, DANA),
  ]);
  await phone.goto('/personal');
  await phone.getByText('No tasks for you right now.').waitFor();

  await desk.goto('/dispatch');
  await desk.getByText('No tasks yet').waitFor();
  await desk.getByRole('button', { name: 'New task' }).first().click();
  const form = desk.getByRole('dialog', { name: 'New task' });
  await form.getByRole('button', { name: 'Create task' }).click();
  await form.getByText('Enter a title of up to 120 characters.').waitFor();
  await form.getByLabel('Task', { exact: true }).fill('Deliver 18 pallets');
  await form.getByLabel('Reference').fill('PO-4745');
  await form.getByRole('button', { name: 'Add a stop' }).click();
  await form.getByLabel('Geofence').selectOption({ label: 'Wichita DC' });
  await expect.poll(() => form.getByLabel('Stop 1: Name').inputValue()).toBe('Wichita DC');
  await form.getByRole('switch', { name: 'Needs a photo' }).check();
  await form.getByRole('switch', { name: 'Needs a signature' }).check();
  await expectAccessible(desk);
  await form.getByRole('button', { name: 'Create task' }).click();
  const details = desk.getByRole('complementary', { name: 'Details of Deliver 18 pallets' });
  const board = desk.getByRole('region', { name: 'Drivers and their tasks' });
  // The board is live: where each driver is, as the tracker reports it.
  await board.getByRole('listitem').filter({ hasText: 'Sam Ortiz' }).getByText('Moving').waitFor();
  // Neither a log nor a vehicle: nobody knows whether she can make it, and she can have it all the same.
  await details.getByText('0 of 2 drivers can make it').waitFor();
  await details.getByText('Not in a vehicle').waitFor();
  await expectAccessible(desk);
  // A task that is dragged onto a driver is not sent yet.
  const dana = board.getByRole('listitem').filter({ hasText: 'Dana Whitlock' });
  await desk.getByRole('region', { name: 'No driver' }).getByRole('listitem').dragTo(dana);
  await expect.poll(() => details.getByRole('radio', { name: /Dana Whitlock/ }).isChecked()).toBe(true);
  await expect.poll(() => dana.getByRole('button', { pressed: true }).count()).toBe(1);
  await details.getByRole('button', { name: 'Assign' }).click();

  // Without a reload, the task appears; opening it marks it as seen.
  const task = phone.getByRole('article', { name: 'Deliver 18 pallets' });
  await task.getByRole('button', { name: 'Accept' }).waitFor();
  await details.getByText('Seen', { exact: true }).first().waitFor();
  await expectAccessible(phone);
  await task.getByRole('button', { name: 'Accept' }).click();
  await task.getByRole('button', { name: 'On my way' }).click();
  await desk.getByRole('button', { name: /^Deliver 18 pallets, .*On the way$/ }).waitFor();
  await task.getByRole('button', { name: 'I’ve arrived' }).click();

  await task.getByRole('button', { name: 'Done' }).click();
  const finish = phone.getByRole('dialog', { name: 'Finish Deliver 18 pallets' });
  await finish.getByText('Add a photo before you finish.').waitFor();
  await expect.poll(() => finish.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await finish.getByRole('button', { name: 'Cancel' }).click();
  const photo = Buffer.from(await (await testPicture('png')).arrayBuffer());
  await task.locator('input[type=file]').setInputFiles({ name: 'dock.png', mimeType: 'image/png', buffer: photo });
  await task.getByText('1 photo').waitFor();
  await task.getByRole('button', { name: 'Sign' }).click();
  const sign = phone.getByRole('dialog', { name: 'Signature' });
  await sign.getByLabel('Name of the person who signs').fill('T. Ruiz');
  const pad = await sign.getByRole('img', { name: 'Signature' }).boundingBox();
  if (!pad) throw new Error('There is nothing to sign on.');
  await phone.mouse.move(pad.x + 20, pad.y + 90);
  await phone.mouse.down();
  await phone.mouse.move(pad.x + 160, pad.y + 40, { steps: 5 });
  await phone.mouse.up();
  await sign.getByRole('button', { name: 'Sign' }).click();
  await task.getByRole('button', { name: 'Signed' }).waitFor();
  await task.getByRole('button', { name: 'Done' }).click();
  await finish.getByRole('button', { name: 'Done' }).click();

  await details.getByRole('img', { name: 'Signed by T. Ruiz' }).waitFor();
  await details.getByRole('img', { name: 'Photo 1' }).waitFor();
  await desk.getByRole('button', { name: 'List' }).click();
  await desk.getByRole('row', { name: /Deliver 18 pallets.*Dana Whitlock.*Done/ }).waitFor();
  await expectAccessible(desk);
});
