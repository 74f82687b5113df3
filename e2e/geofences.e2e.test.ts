import { readFileSync } from 'node:fs';
import type { HttpClient } from '@milepost/client';
import { createGeofence, deleteGeofence, type Geofence, listGeofences, updateGeofence } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, leaveStreetsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { closeToasts, goTo, samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveStreetsOut();

let browser: Browser;
let milepost: Milepost;
let call: HttpClient['call'];

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  ({ call } = await ownerApi(milepost));
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));
afterEach(async () => {
  for (const { id } of await call(listGeofences)) await call(deleteGeofence, { params: { id } });
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const map = (page: Page) => page.getByRole('region', { name: 'Map of geofences' });
const form = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true });
const inList = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Geofences' }).getByRole('button', { name });
const saved = async (name: string): Promise<Geofence | undefined> =>
  (await call(listGeofences)).find(geofence => geofence.name === name);

const openHere = samePage(() => ({ browser, milepost }));

async function openPage(): Promise<Page> {
  const { page } = await openHere('/geo-fence');
  await map(page).waitFor();
  return page;
}

/** Clicks the map at these shares of its width and height. */
async function clickMap(page: Page, ...places: readonly (readonly [number, number])[]): Promise<void> {
  const box = await map(page).boundingBox();
  if (!box) throw new Error('The map has no size');
  for (const [x, y] of places) {
    const [left, top] = [box.x + x * box.width, box.y + y * box.height];
    await page.mouse.move(left - 3, top - 3);
    await page.mouse.move(left, top);
    await page.mouse.click(left, top);
  }
}

/** For what was drawn to be in the form. */
const SHOWN_MS = 3000;
/** Draws once more if the map had not loaded yet, but not over what only shows late. */
async function untilDrawn(draw: () => Promise<void>, isShown: () => Promise<void>): Promise<void> {
  await expect
    .poll(async () => {
      await draw();
      return isShown().then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
}

/** Drags on the map, between shares of its width and height. */
async function drag(page: Page, ...[from, to]: readonly [readonly [number, number], readonly [number, number]]) {
  const box = await map(page).boundingBox();
  if (!box) throw new Error('The map has no size');
  const [[x, y], [toX, toY]] = [from, to].map(([across, down]) => [
    box.x + across * box.width,
    box.y + down * box.height,
  ]) as [[number, number], [number, number]];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(toX, toY, { steps: 8 });
  await page.mouse.up();
}

/** Places on a phone's map, a finger apart; the last point again ends an outline and a line. */
const TAPS = [
  [
    'Polygon',
    'polygon',
    [
      [90, 130],
      [180, 130],
      [180, 220],
      [90, 130],
    ],
  ],
  [
    'Rectangle',
    'rectangle',
    [
      [90, 130],
      [190, 230],
    ],
  ],
  [
    'Corridor',
    'corridor',
    [
      [70, 140],
      [130, 190],
      [200, 150],
      [200, 150],
    ],
  ],
] as const;

/** As shares of the map's width and height; the last point again ends an outline and a line. */
const CLICKS = [
  [
    'Polygon',
    'polygon',
    [
      [0.4, 0.4],
      [0.6, 0.4],
      [0.6, 0.6],
      [0.4, 0.4],
    ],
  ],
  [
    'Rectangle',
    'rectangle',
    [
      [0.4, 0.4],
      [0.6, 0.6],
    ],
  ],
  [
    'Corridor',
    'corridor',
    [
      [0.4, 0.4],
      [0.5, 0.5],
      [0.6, 0.4],
      [0.6, 0.4],
    ],
  ],
  ['Circle', 'circle', [[0.5, 0.5]]],
] as const;

describe('[R2.08] geofences are drawn', () => {
  it('with the mouse: a polygon, a rectangle, a corridor and a circle', async () => {
    const page = await openPage();
    // One after the other on the same map: without a graphics card, a new one is most of what such a test costs.
    for (const [tool, kind, places] of CLICKS) {
      await page.getByRole('button', { name: 'New geofence' }).first().click();
      await page.getByRole('toolbar', { name: 'Drawing tools' }).getByRole('button', { name: tool }).click();
      await untilDrawn(
        () => clickMap(page, ...places),
        () => form(page, 'New geofence').getByText('No shape yet').waitFor({ state: 'hidden', timeout: SHOWN_MS }),
      );
      if (kind === 'polygon') {
        // The small point between the first two becomes one of the outline.
        await drag(page, [0.5, 0.4], [0.5, 0.3]);
        await form(page, 'New geofence')
          .getByText(/^Polygon, 4 points/)
          .waitFor();
      }
      await form(page, 'New geofence').getByLabel('Name', { exact: true }).fill(`Yard ${kind}`);
      await form(page, 'New geofence').getByRole('button', { name: 'Save' }).click();
      await inList(page, `Yard ${kind}`).waitFor();
      await form(page, `Yard ${kind}`).waitFor();
      const { id = '', shape } = (await saved(`Yard ${kind}`)) ?? {};
      expect(shape?.kind).toBe(kind);
      // The next one is drawn where this one was.
      await call(deleteGeofence, { params: { id } });
      await inList(page, `Yard ${kind}`).waitFor({ state: 'hidden' });
    }
  });

  it('with the mouse: a hole in a polygon, whose points are dragged like the outline’s', async () => {
    const page = await openPage();
    await page.getByRole('button', { name: 'New geofence' }).first().click();
    const drawer = form(page, 'New geofence');
    const tools = page.getByRole('toolbar', { name: 'Drawing tools' });
    const corners = [
      [0.3, 0.3],
      [0.7, 0.3],
      [0.7, 0.7],
      [0.3, 0.7],
      [0.3, 0.3],
    ] as const;
    await tools.getByRole('button', { name: 'Polygon' }).click();
    await untilDrawn(
      () => clickMap(page, ...corners),
      () => drawer.getByText(/^Polygon, 4 points ·/).waitFor({ timeout: SHOWN_MS }),
    );
    const hole = [
      [0.38, 0.4],
      [0.62, 0.4],
      [0.5, 0.6],
      [0.38, 0.4],
    ] as const;
    await tools.getByRole('button', { name: 'Cut a hole' }).click();
    await page.getByText(/^Click to add the points of the hole/).waitFor();
    await clickMap(page, ...hole);
    await drawer.getByText(/^Polygon, 7 points, 1 hole/).waitFor();
    // The small point between the first two becomes one of the hole.
    await drag(page, [0.5, 0.4], [0.5, 0.35]);
    await drawer.getByText(/^Polygon, 8 points, 1 hole/).waitFor();
    await drawer.getByLabel('Name', { exact: true }).fill('Yard around a pond');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await form(page, 'Yard around a pond').waitFor();
    const shape = (await saved('Yard around a pond'))?.shape;
    expect(shape?.kind === 'polygon' && shape.rings.map(({ length }) => length)).toEqual([4, 4]);
  });

  it('by keyboard alone, with errors beside the field, undo and redo', async () => {
    const page = await openPage();
    await page.getByRole('button', { name: 'New geofence' }).first().press('Enter');
    const drawer = form(page, 'New geofence');
    await drawer.getByLabel('Name', { exact: true }).fill('Dock');
    await drawer.getByRole('button', { name: 'Save' }).press('Enter');
    await drawer.getByText('Draw a shape on the map, or start with one of these.').waitFor();
    await drawer.getByRole('button', { name: 'Polygon' }).press('Enter');
    const point = (number: number, axis: 'Latitude' | 'Longitude') =>
      drawer.getByLabel(`${axis} of point ${number}`, { exact: true });
    const square = [
      [38.19, -78.9],
      [38.19, -78.88],
      [38.2, -78.88],
      [38.2, -78.9],
    ] as const;
    for (const [i, [lat, lon]] of square.entries()) {
      await point(i + 1, 'Latitude').fill(String(lat));
      await point(i + 1, 'Longitude').fill(String(lon));
    }
    await drawer.getByText('The outline crosses itself').waitFor({ state: 'hidden' });
    // Move the first corner past the second one.
    await point(1, 'Longitude').fill('-78.87');
    await drawer.getByText(/The outline crosses itself near point \d\./).waitFor();
    // On the map, too.
    await expect.poll(() => page.getByText(/crosses itself near point \d\./).count()).toBe(2);
    await drawer.getByRole('button', { name: 'Save' }).press('Enter');
    await drawer
      .getByRole('alert')
      .getByText(/crosses itself/)
      .waitFor();
    const tools = page.getByRole('toolbar', { name: 'Drawing tools' });
    await tools.getByRole('button', { name: 'Undo' }).press('Enter');
    await drawer.getByText('The outline crosses itself').first().waitFor({ state: 'hidden' });
    await tools.getByRole('button', { name: 'Redo' }).press('Enter');
    await drawer
      .getByText(/near point \d\./)
      .first()
      .waitFor();
    await tools.getByRole('button', { name: 'Undo' }).press('Enter');
    await drawer.getByRole('button', { name: 'Add a point after 4' }).press('Enter');
    await drawer.getByRole('button', { name: 'Remove point 5' }).press('Enter');

    const bar = page.getByRole('group', { name: /^Selected point/ });
    await bar.getByRole('button', { name: 'Next point' }).focus();
    await page.keyboard.press(']');
    await bar.getByText(/of 4/).waitFor();
    await page.keyboard.press('Shift+ArrowUp');
    await drawer.getByRole('button', { name: 'Save' }).press('Enter');
    await inList(page, 'Dock').waitFor();
    const shape = (await saved('Dock'))?.shape;
    expect(shape?.kind === 'polygon' && shape.rings[0]).toHaveLength(4);
    await expectAccessible(page);
  });

  it('on a phone: a tap places a circle, a slider changes its radius, and taps draw the other kinds', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/geo-fence');
    await map(page).waitFor();
    await page.getByRole('button', { name: 'New geofence' }).first().click();
    const drawer = form(page, 'New geofence');
    await drawer.waitFor();
    await untilDrawn(
      () => map(page).tap({ position: { x: 150, y: 160 } }),
      () => drawer.getByText('No shape yet').waitFor({ state: 'hidden', timeout: SHOWN_MS }),
    );
    await drawer.getByLabel('Name', { exact: true }).fill('Lot');
    await drawer.getByRole('tab', { name: 'Shape' }).click();
    await drawer.getByRole('slider').fill('500');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await form(page, 'Lot').waitFor();
    expect((await saved('Lot'))?.shape).toMatchObject({ kind: 'circle', radiusM: 500 });
    await drawer.waitFor({ state: 'hidden' });
    const lot = form(page, 'Lot');
    for (const [tool, kind, places] of TAPS) {
      await page.getByRole('toolbar', { name: 'Drawing tools' }).getByRole('button', { name: tool }).tap();
      for (const [x, y] of places) await map(page).tap({ position: { x, y } });
      await lot.getByText(new RegExp(`^${tool}[ ,]`)).waitFor();
      await lot.getByRole('button', { name: 'Save' }).tap();
      await expect.poll(async () => (await saved('Lot'))?.shape.kind).toBe(kind);
    }
  });
});

describe('[R2.08] the list of geofences', () => {
  leaveMapsOut();

  it('searches by name and group, opens one from its address, and asks before changes are lost', async () => {
    const shape = { kind: 'circle' as const, center: [-78.88, 38.2] as [number, number], radiusM: 150 };
    const { id } = await call(createGeofence, { body: { name: 'Depot North', shape } });
    await call(createGeofence, { body: { name: 'Harrisonburg', shape, isOn: false } });
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto(`/geo-fence?open=${id}`);
    const drawer = form(page, 'Depot North');
    await drawer.getByLabel('Group').first().waitFor();
    await drawer.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByLabel('Group name').fill('Terminals');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await drawer.getByRole('tab', { name: 'Vehicles' }).click();
    await drawer.getByRole('radio', { name: 'Only these' }).check();
    await inList(page, 'Harrisonburg').click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay here' })
      .click();
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Depot North saved.').waitFor();
    await closeToasts(page);
    expect(await saved('Depot North')).toMatchObject({ vehicles: { folderIds: [], deviceIds: [] } });

    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByRole('heading', { name: 'Terminals' }).waitFor();
    await page.getByRole('textbox', { name: 'Search geofences' }).fill('termin');
    await inList(page, 'Harrisonburg').waitFor({ state: 'hidden' });
    await inList(page, 'Depot North').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();

    await drawer.getByRole('button', { name: 'Actions for Depot North' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await form(page, 'New geofence').getByRole('button', { name: 'Save' }).click();
    await form(page, 'Depot North (copy)').waitFor();
    await closeToasts(page);
    const copy = await saved('Depot North (copy)');
    expect(copy?.shape).toEqual(shape);
    await call(deleteGeofence, { params: { id: copy?.id ?? '' } });
    await page.getByText('This geofence doesn’t exist anymore.').waitFor();
    await closeToasts(page);
    await inList(page, 'Depot North').click();

    // Someone else renames it; because only the name changed, the edits here stay.
    await drawer.getByRole('tab', { name: 'Details' }).click();
    await drawer.getByLabel('Note').fill('Gate 4');
    await call(updateGeofence, { params: { id }, body: { name: 'Depot South' } });
    await inList(page, 'Depot South').waitFor();
    await form(page, 'Depot South').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Depot South saved.').waitFor();
    expect(await saved('Depot South')).toMatchObject({ note: 'Gate 4' });

    await form(page, 'Depot South').getByRole('button', { name: 'Actions for Depot South' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete geofence' }).click();
    await inList(page, 'Depot South').waitFor({ state: 'hidden' });
    expect(await saved('Depot South')).toBeUndefined();
  });

  it('is imported from a file, with errors by row, and exported to one', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/geo-fence');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import geofences' });
    const csv =
      'name,lat,lon,radius\nVerona food hub,38.2,-78.88,200\nDock,38.3,-78.9,5\nverona food hub,1,1,50\n,95,0,50\n';
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await dialog.getByLabel('File').setInputFiles(file('places.pdf', 'no places'));
    await dialog.getByText('This file can’t be read.').waitFor();
    await dialog.getByLabel('File').setInputFiles(file('places.csv', csv));
    await dialog.getByText('1 geofence found').waitFor();
    await dialog.getByText(/^Enter a radius from/).waitFor();
    await dialog.getByText('A geofence with this name already exists.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Import 1 geofence' }).click();
    await inList(page, 'Verona food hub').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export all' }).click(),
    ]);
    const { features } = JSON.parse(readFileSync((await download.path()) as string, 'utf8'));
    expect(features).toMatchObject([
      {
        properties: { name: 'Verona food hub', kind: 'circle', radiusM: 200 },
        geometry: { type: 'Point', coordinates: [-78.88, 38.2] },
      },
    ]);
  });
});

it('[R2.08] [R7.38] shows who is inside, as vehicles come and go, on its page and on the vehicle’s card', async () => {
  const [imei, name] = ['356307042441013', 'Truck 12'];
  await addVehicles(milepost, [{ imei, deviceName: name }]);
  const now = Date.now();
  /** At 20 m/s; 0.00018 degrees of latitude are 20 m. */
  const drive = (fromS: number, from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) / 100 + 1 }, (_, i) => {
      const meters = from + i * 100 * Math.sign(to - from);
      return fix(
        now - fromS * 1000 + i * 5000,
        { ...LOOP, lat: LOOP.lat + meters / 111_200 },
        { speed: metresPerSecond(20) },
      );
    });
  const { id } = await call(createGeofence, {
    body: { name: 'Loop dock', shape: { kind: 'circle', center: [LOOP.lon, LOOP.lat], radiusM: 200 } },
  });
  await report(milepost, imei, ...drive(600, -1500, 0));
  const page = await openPage();
  // The last 30 days are counted first, a few at a time.
  await inList(page, 'Loop dock').getByText('1 inside').waitFor({ timeout: 90_000 });
  await inList(page, 'Loop dock').getByText(`${name} entered`).waitFor();
  await inList(page, 'Loop dock').click();
  const drawer = form(page, 'Loop dock');
  await drawer.getByRole('tab', { name: 'Inside' }).click();
  await drawer.getByRole('list', { name: 'Inside now' }).getByText(name).waitFor();
  await expectAccessible(page);
  await drawer.getByRole('link', { name }).click();
  await page
    .getByRole('complementary', { name: new RegExp(name) })
    .getByText(/Inside Loop dock for \d+ m/)
    .waitFor();

  await page.getByRole('tab', { name: 'Places' }).click();
  const places = page.getByRole('tree', { name: 'Places' });
  await places.getByRole('treeitem', { name: 'Loop dock, 1 vehicle inside' }).click();
  await places.getByRole('treeitem', { name }).waitFor();
  await expectAccessible(page);
  // The search finds it, too.
  await page.getByRole('tab', { name: /^Vehicles/ }).click();
  const found = page.getByRole('region', { name: 'Vehicles, drivers and places' });
  await page.getByRole('textbox', { name: 'Search vehicles' }).fill('in:loop');
  await found.getByRole('treeitem', { name: new RegExp(name) }).waitFor();
  await page.getByRole('textbox', { name: 'Search vehicles' }).fill('in:none');
  await found.getByRole('treeitem', { name: new RegExp(name) }).waitFor({ state: 'hidden' });

  await page.evaluate(goTo, `/geo-fence?open=${id}`);
  await drawer.getByRole('tab', { name: 'History' }).click();
  await drawer.getByText('still inside').waitFor();
  await report(milepost, imei, ...drive(300, 100, 1500));
  await inList(page, 'Loop dock').getByText('0 inside').waitFor();
  await inList(page, 'Loop dock').getByText(`${name} left`).waitFor();
  await drawer.getByText(/^1 visit, [34] m on average$/).waitFor();
  await page.getByRole('button', { name: 'Inside now' }).click();
  await page.getByText('No vehicle is inside a geofence right now.').waitFor();
  await expectAccessible(page);
});
