import {
  createGeofence,
  deleteGeofenceGroup,
  findAddresses,
  findTowns,
  type Geofence,
  type GeofenceGroup,
  importGeofences,
  listGeofenceGroups,
  listGeofences,
  listInside,
  type NewGeofence,
  PERMISSIONS_OF_ROLE,
  readRuleReach,
  suggestGeofences,
  updateRule,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { refused, sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';
import { ANSWERS, DANA, NORA, YARD } from '../../geofences/testing/geofences.ts';

const made = (body: NewGeofence, id: string): Geofence => ({
  ...{ ...YARD, isRestricted: false, id, name: body.name, shape: body.shape },
});
it('[R2.08] a geofence’s schedule is that of its rules; a click leads to the words that change it', async () => {
  await open('/geo-fence?open=5', ANSWERS, { me: NORA });
  await page.getByRole('tab', { name: 'Schedule' }).click();
  const rules = page.getByRole('list', { name: 'Schedule' });
  await expect.element(rules.getByRole('link', { name: 'Out at night', exact: true })).toBeVisible();
  await expect.element(rules.getByRole('link', { name: 'Entered a restricted geofence', exact: true })).toBeVisible();
  await expect.element(rules.getByText('Somewhere else')).not.toBeInTheDocument();
  await expect
    .element(rules.getByRole('img', { name: 'Out at night, week: from 22:00 to 05:00 on weekdays except holidays' }))
    .toBeVisible();
  await expect.element(rules.getByRole('img', { name: /^Not there, week: at 08:00 on weekdays/ })).toBeVisible();
  await expect.element(page.getByText(/^Times are in America\/Chicago\..*Next: Dec 25, 2099\./)).toBeVisible();
  await expectAccessible();
  await rules.getByRole('link', { name: /^Out at night, .*from 22:00 to 05:00/ }).click();
  const fields = page.getByRole('dialog', { name: 'At what time' });
  await fields.getByLabelText('From').fill('21:00');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => sent(updateRule).map(({ body }) => body.when))
    .toMatchObject([{ from: '21:00', to: '05:00', days: [1, 2, 3, 4, 5] }]);
  // It opened once: the address no longer says so.
  await expect.poll(() => location.search).toBe('?open=7');
});

it('[R2.08] a geofence’s recipients are those of its rules, by channel', async () => {
  await open('/geo-fence?open=5', ANSWERS, { me: NORA });
  await page.getByRole('tab', { name: 'Recipients' }).click();
  const rules = page.getByRole('list', { name: 'Recipients' });
  await expect
    .element(rules.getByRole('link', { name: 'Out at night, Email: Nora Kessler and Dana Whitlock' }))
    .toBeVisible();
  await expect.element(rules.getByRole('link', { name: 'Out at night, Webhooks: Guard service' })).toBeVisible();
  await expect
    .element(
      rules.getByRole('link', { name: /^Out at night, If nobody acknowledges it within 10 min: Dana Whitlock$/ }),
    )
    .toBeVisible();
  await expect
    .element(rules.getByRole('link', { name: 'Not there, Email: everyone who chose alerts from rules' }))
    .toBeVisible();
  // What really happens to each of them, asked with all that the rule says.
  const reach = page.getByRole('region', { name: 'Out at night: Who gets it' });
  await expect.element(reach.getByText('right now: nobody outside the app.')).toBeVisible();
  await expect
    .poll(() => sent(readRuleReach).map(({ body }) => body))
    .toContainEqual(expect.objectContaining({ webhookIds: ['3'], escalation: { minutes: 10, to: [DANA.id] } }));
  await expect
    .poll(() => sent(readRuleReach).map(({ body }) => body))
    .toContainEqual(expect.objectContaining({ kind: 'restricted' }));
  await expectAccessible();
  await rules.getByRole('link', { name: /^Out at night, Push: / }).click();
  await expect.element(page.getByRole('dialog', { name: 'Push' }).getByRole('radio').first()).toBeVisible();
});

it('[R2.08] a geofence’s rules are turned on and off beside the map, by those who can', async () => {
  await open('/geo-fence?open=5', ANSWERS, { me: NORA });
  await page.getByRole('tab', { name: /^Rules/ }).click();
  await expect.element(page.getByRole('tab', { name: 'Rules 3' })).toBeVisible();
  await expect.element(page.getByRole('switch', { name: 'Out at night is on' })).toBeChecked();
  await page.getByRole('switch', { name: 'Not there is on' }).click();
  await expect.poll(() => sent(updateRule)).toMatchObject([{ params: { id: '8' }, body: { isOn: true } }]);
  await expect.element(page.getByRole('switch', { name: 'Not there is on' })).toBeChecked();
  await expectAccessible();
});

it('[R2.08] a viewer reads who gets the alerts of a geofence, and changes nothing', async () => {
  const permissions = [...PERMISSIONS_OF_ROLE.viewer];
  await open('/geo-fence?open=5', ANSWERS, { me: someone({ role: 'viewer', permissions }) });
  await page.getByRole('tab', { name: 'Recipients' }).click();
  await expect.element(page.getByText('Everyone who sees the vehicle').first()).toBeVisible();
  await expect.element(page.getByRole('link', { name: /^Out at night, Email/ })).not.toBeInTheDocument();
});

const file = (name: string, text: string): File => new File([text], name);

it('[R2.08] KML, GPX, GeoJSON and CSV with towns are read before anything is created, with the problem of each row', async () => {
  const towns = [{ name: 'Joliet', region: 'IL', lat: 41.525, lon: -88.0817 }];
  await open(
    '/geo-fence',
    [
      ...ANSWERS,
      when(findTowns, ({ query }) => towns.filter(({ name }) => name.toLowerCase().startsWith(query.q))),
      when(findAddresses, { service: 'none', addresses: [] }),
      when(importGeofences, ({ body }) => body.geofences.map((one, nth) => made(one as NewGeofence, `2${nth}`))),
    ],
    { me: NORA },
  );
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import geofences' });
  const choose = (one: File) => userEvent.upload(dialog.getByLabelText('File'), one);

  const bow = '-78.9,38.1 -78.8,38.2 -78.8,38.1 -78.9,38.2 -78.9,38.1';
  await choose(
    file(
      'places.kml',
      `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      <Placemark><name>Gate</name><Point><coordinates>-78.88,38.2,0</coordinates></Point></Placemark>
      <Placemark><name>Bow</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${bow}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
      </Document></kml>`,
    ),
  );
  await expect.element(dialog.getByText('1 geofence found')).toBeVisible();
  await expect.element(dialog.getByRole('row', { name: /^2 Bow .*crosses itself near point \d/ })).toBeVisible();
  await choose(
    file(
      'way.gpx',
      '<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="38.2" lon="-78.88"><name>Well</name></wpt><trk><name>Haul road</name><trkseg><trkpt lat="38.1" lon="-78.9"/><trkpt lat="38.2" lon="-78.8"/></trkseg></trk></gpx>',
    ),
  );
  await expect.element(dialog.getByText('2 geofences found')).toBeVisible();
  await choose(file('broken.gpx', '<gpx><wpt'));
  await expect.element(dialog.getByText(/^This file can’t be read/)).toBeVisible();
  await choose(
    file('towns.csv', 'name,address,radius\nCross-dock,"Joliet, IL",800\nNowhere,"12 Elm St, Joliet",800\n'),
  );
  await expect.element(dialog.getByText('1 geofence found')).toBeVisible();
  await expect.element(dialog.getByRole('row', { name: /^2 Nowhere Town not found/ })).toBeVisible();
  await expectAccessible();
  expect(sent(importGeofences)).toEqual([]);
  await choose(
    file(
      'ours.geojson',
      JSON.stringify({
        type: 'Feature',
        properties: { name: 'Ramp', kind: 'circle', radiusM: 90, group: 'terminals' },
        geometry: { type: 'Point', coordinates: [-78.88, 38.2] },
      }),
    ),
  );
  await dialog.getByRole('button', { name: 'Import 1 geofence' }).click();
  await expect.element(page.getByText('1 geofence imported.')).toBeVisible();
  expect(sent(importGeofences).map(({ body }) => body.geofences)).toMatchObject([
    [{ name: 'Ramp', groupId: '4', shape: { kind: 'circle', radiusM: 90 } }],
  ]);
});

it('[R2.08] an import says which groups the account doesn’t have, and creates those that are wanted', async () => {
  await open(
    '/geo-fence',
    [
      ...ANSWERS,
      when(importGeofences, ({ body }) => body.geofences.map((one, nth) => made(one as NewGeofence, `2${nth}`))),
    ],
    { me: NORA },
  );
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import geofences' });
  const at = (name: string) =>
    `<Placemark><name>${name}</name><Point><coordinates>-78,38</coordinates></Point></Placemark>`;
  const folders = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Places</name>${at('Well')}
    <Folder><name>Sawmills</name>${at('Gate')}<Folder><name>Docks</name>${at('Dock')}</Folder></Folder></Document></kml>`;
  await userEvent.upload(dialog.getByLabelText('File'), file('folders.kml', folders));
  await expect.element(dialog.getByRole('checkbox', { name: 'Docks, 1 geofence' })).toBeChecked();
  await expect.element(dialog.getByRole('checkbox', { name: 'Sawmills, 1 geofence' })).toBeChecked();
  const csv = 'name,lat,lon,group\nGate,38,-78,Mills\nWell,38,-78,mills\nDock,38,-78,terminals\nPier,38,-78,Ferries\n';
  await userEvent.upload(dialog.getByLabelText('File'), file('groups.csv', csv));
  await expect.element(dialog.getByText('These groups don’t exist yet. Create them?')).toBeVisible();
  await expect.element(dialog.getByRole('checkbox', { name: 'Mills, 2 geofences' })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Ferries, 1 geofence' }).click();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Import 4 geofences' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent(importGeofences).at(-1)?.body).toMatchObject({
    groups: [{ name: 'Mills' }],
    geofences: [
      { name: 'Gate', newGroup: 'Mills' },
      { name: 'Well', newGroup: 'Mills' },
      { name: 'Dock', groupId: '4' },
      { name: 'Pier' },
    ],
  });
  expect(sent(importGeofences).at(-1)?.body.geofences[3]).not.toHaveProperty('newGroup');
});

it('[R2.08] street addresses of a CSV file are looked up with the server’s service; an unsure one waits for a look', async () => {
  const found = (name: string, lon: number) => ({ name, region: 'Chicago, Illinois', lat: 41.8865, lon });
  await open(
    '/geo-fence',
    [
      ...ANSWERS,
      when(findTowns, []),
      when(findAddresses, ({ query }) => ({
        service: 'answered' as const,
        addresses: query.q.startsWith('1200')
          ? [found('1200 West Fulton Market', -87.6573)]
          : query.q.startsWith('77')
            ? [found('West Lake Street', -87.65)]
            : [],
      })),
      when(importGeofences, ({ body }) => body.geofences.map((one, nth) => made(one as NewGeofence, `2${nth}`))),
    ],
    { me: NORA },
  );
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import geofences' });
  await userEvent.upload(
    dialog.getByLabelText('File'),
    file(
      'customers.csv',
      'name,address,radius\nMarket,"1200 W Fulton Market, Chicago, IL",\nLake,"77 W Lake St, Chicago",80\nGone,"1 Nowhere Road, Chicago",\n',
    ),
  );
  await expect.element(dialog.getByText('1 geofence found'), { timeout: 60_000 }).toBeVisible();
  const addresses = dialog.getByRole('region', { name: 'Addresses' });
  await expect
    .element(addresses.getByRole('row', { name: /^1 1200 W Fulton Market.* 1200 West Fulton Market, Chicago/ }))
    .toBeVisible();
  const unsure = addresses.getByRole('row', { name: /^2 77 W Lake St, Chicago West Lake Street.*Street only/ });
  await expect.element(unsure).toBeVisible();
  await expect.element(dialog.getByRole('row', { name: /^3 Gone Address not found/ })).toBeVisible();
  await expectAccessible();
  await unsure.getByRole('checkbox').click();
  await dialog.getByRole('button', { name: 'Import 2 geofences' }).click();
  await expect.element(page.getByText('2 geofences imported.')).toBeVisible();
  expect(sent(importGeofences).map(({ body }) => body.geofences)).toMatchObject([
    [
      { name: 'Market', shape: { center: [-87.6573, 41.8865], radiusM: 150 } },
      { name: 'Lake', shape: { center: [-87.65, 41.8865], radiusM: 80 } },
    ],
  ]);
});

it('[R2.08] a group is deleted after a question that says what becomes of its geofences', async () => {
  let groups: GeofenceGroup[] = [
    { id: '4', name: 'Terminals', color: 'teal', detention: { freeMinutes: 30, perHour: 60 } },
  ];
  let isRefused = true;
  const answers = [
    ...ANSWERS.filter(({ route }) => route !== listGeofenceGroups && route !== listGeofences),
    when(listGeofences, () => [{ ...YARD, groupId: groups[0]?.id ?? null }]),
    when(listGeofenceGroups, () => groups),
    when(deleteGeofenceGroup, ({ params }) => {
      if (isRefused) return refused('internal');
      groups = [];
      return { deleted: true as const, id: params.id };
    }),
  ];
  await open('/geo-fence?open=5', answers, { me: NORA });
  await page.getByRole('button', { name: 'Edit group' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete group' }).click();
  await expect
    .element(dialog.getByText(/without a group\. The group’s detention terms will no longer apply/))
    .toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Delete group' }).click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  isRefused = false;
  await dialog.getByRole('button', { name: 'Delete group' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent(deleteGeofenceGroup).at(-1)?.params).toEqual({ id: '4' });
  await expect.element(page.getByRole('button', { name: 'Edit group' })).not.toBeInTheDocument();
});

it('[R2.08] deleting says which rules use the geofence; a suggested place is accepted with one click', async () => {
  await open(
    '/geo-fence?open=5',
    [
      ...ANSWERS,
      when(suggestGeofences, [
        {
          ...{ center: [-88.08, 41.52], radiusM: 120, stops: 7, vehicles: 2, seconds: 9000 },
          ...{ address: 'Elm St, Joliet, IL', near: null },
        },
      ]),
      when(createGeofence, ({ body }) => made(body as NewGeofence, '30')),
    ],
    { me: NORA },
  );
  await page.getByRole('button', { name: 'Actions for Depot North' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: /Depot North/ });
  await expect.element(dialog.getByText(/^These rules are about it: Out at night and Not there\./)).toBeVisible();
  await expect.element(dialog.getByText(/A rule with no geofence left sends no alerts\./)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Suggest places from stops' }).click();
  const suggested = page.getByRole('dialog', { name: 'Suggested places' });
  await expect.element(suggested.getByText(/^7 stops, 2 vehicles, 2 h 30 m in all/)).toBeVisible();
  await suggested.getByRole('button', { name: /Elm St, Joliet, IL/ }).click();
  await expect
    .poll(() => sent(createGeofence).map(({ body }) => body))
    .toMatchObject([{ name: 'Elm St, Joliet, IL', shape: { kind: 'circle', center: [-88.08, 41.52], radiusM: 120 } }]);
  await expect.element(suggested.getByRole('button', { name: /Elm St.* added/i })).toBeVisible();
  await expectAccessible();
});

it('[R7.38] while visits of the past are counted, the list says so, and calls no geofence empty', async () => {
  let counting = 3;
  await open('/geo-fence', [...ANSWERS, when(listInside, () => ({ inside: [], last: [], counting, vehicles: 40 }))]);
  const list = page.getByRole('region', { name: 'Geofences', exact: true });
  await expect.element(list.getByText('Still counting: 37 of 40 vehicles are up to date.')).toBeVisible();
  await expect.element(list.getByText('Depot North')).toBeVisible();
  await expect.element(list.getByText('inside', { exact: true })).not.toBeInTheDocument();
  await expectAccessible();
  counting = 0;
  await expect.element(list.getByText('inside', { exact: true }), { timeout: 15_000 }).toBeVisible();
  await expect.element(list.getByText(/^Still counting/)).not.toBeInTheDocument();
});
