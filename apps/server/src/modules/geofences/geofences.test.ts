import { type Geofence, type GeofenceGroup, geofenceSchema, type Role } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { type Caller, callerOf, limit } from '../../../testing/organisation.ts';

let server: TestHttpServer;
let owner: SignedIn;
let as: Caller;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  as = callerOf(server, owner);
});

const CIRCLE = { kind: 'circle', center: [-78.88, 38.2], radiusM: 150 } as const;
const YARD = {
  kind: 'polygon',
  rings: [
    [
      [-78.9, 38.19],
      [-78.88, 38.19],
      [-78.88, 38.2],
    ],
  ],
} as const;

async function make(fields: object, caller = as): Promise<Geofence> {
  const answer = await caller('POST', '/geofence', { name: 'Verona food hub', shape: CIRCLE, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return geofenceSchema.parse(answer.body);
}
const listed = async (caller = as) => (await caller('GET', '/geofence')).body as Geofence[];
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code: string }).code];

describe('geofences [R2.08]', () => {
  it('are created, changed and deleted, in groups, for all vehicles or some', async () => {
    const group = (await as('POST', '/geofence_group', { name: 'Terminals', color: 'teal' })).body as GeofenceGroup;
    const folder = (await as('POST', '/folder', { name: 'Reefers' })).body as { id: string };
    const vehicle = await addVehicle(server.context, owner.accountId);
    await server.directory.settled();
    const made = await make({
      groupId: group.id,
      color: 'orange',
      isRestricted: true,
      edge: { bufferM: 40, minFixes: 3, minSeconds: 120 },
      vehicles: { folderIds: [folder.id], deviceIds: [String(vehicle.id), String(vehicle.id)] },
      note: 'Gate 4 only',
    });
    expect(made).toMatchObject({
      name: 'Verona food hub',
      groupId: group.id,
      isOn: true,
      isRestricted: true,
      shape: CIRCLE,
      edge: { bufferM: 40, minFixes: 3, minSeconds: 120 },
      vehicles: { folderIds: [folder.id], deviceIds: [String(vehicle.id)] },
      createdBy: owner.userName,
    });
    await make({
      name: 'afton mountain',
      shape: {
        kind: 'corridor',
        line: [
          [-78.8, 38],
          [-78.7, 38.1],
        ],
        widthM: 200,
      },
    });
    await make({ name: 'Box', shape: { kind: 'rectangle', bounds: [179.9, -17, -179.9, -16.9] } });
    expect((await listed()).map(({ name }) => name)).toEqual(['afton mountain', 'Box', 'Verona food hub']);

    const change = { shape: YARD, vehicles: null, isOn: false, groupId: null, note: '' };
    const changed = await as('PATCH', `/geofence/${made.id}`, change);
    expect(changed.body).toMatchObject({ ...change, note: null, name: 'Verona food hub', isRestricted: true });
    expect((await as('DELETE', `/geofence/${made.id}`)).body).toEqual({ deleted: true, id: made.id });
    expect((await as('PATCH', `/geofence/${made.id}`, { isOn: true })).status).toBe(404);
    expect(await listed()).toHaveLength(2);
  });

  it('stay when their group, folder or vehicle is deleted; one for some vehicles is never for all of them', async () => {
    const group = (await as('POST', '/geofence_group', { name: 'Customers', color: 'blue' })).body as GeofenceGroup;
    const { id } = await addVehicle(server.context, owner.accountId);
    await server.directory.settled();
    await make({ groupId: group.id, vehicles: { folderIds: [], deviceIds: [String(id)] } });
    await as('DELETE', `/geofence_group/${group.id}`);
    expect((await as('DELETE', `/device/${id}`)).status).toBe(200);
    expect(await listed()).toMatchObject([{ groupId: null, vehicles: { folderIds: [], deviceIds: [] } }]);
  });

  it('have names of their own, and known groups, folders and vehicles', async () => {
    const first = await make({});
    const other = await make({ name: 'Other' });
    const taken = [409, 'geofence-name-taken'];
    expect(codeOf(await as('POST', '/geofence', { name: 'VERONA food hub', shape: YARD }))).toEqual(taken);
    expect(codeOf(await as('PATCH', `/geofence/${other.id}`, { name: first.name }))).toEqual(taken);
    for (const [field, fields] of [
      ['groupId', { groupId: '2000000000' }],
      ['vehicles', { vehicles: { folderIds: ['2000000000'], deviceIds: [] } }],
      ['vehicles', { vehicles: { folderIds: [], deviceIds: ['2000000000'] } }],
    ] as const) {
      const answer = await as('PATCH', `/geofence/${first.id}`, fields);
      expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ field }] }]);
    }
    const groups = [await as('POST', '/geofence_group', { name: 'Yards', color: 'blue' })];
    groups.push(await as('POST', '/geofence_group', { name: 'yards', color: 'teal' }));
    expect(groups.map(({ status }) => status)).toEqual([201, 409]);
  });

  it('are changed and deleted many at once, all of them or none', async () => {
    const group = (await as('POST', '/geofence_group', { name: 'Docks', color: 'plum' })).body as GeofenceGroup;
    const ids = [(await make({ name: 'Dock 1' })).id, (await make({ name: 'Dock 2', isRestricted: true })).id];
    const change = { groupId: group.id, color: 'plum', isOn: false };
    const answer = await as('PATCH', '/geofence', { ids: [...ids, ids[0]], change });
    expect(answer.body).toMatchObject(ids.map(id => ({ id, ...change })));
    expect(await listed()).toMatchObject([
      { name: 'Dock 1', ...change, isRestricted: false },
      { name: 'Dock 2', ...change, isRestricted: true },
    ]);
    const gone = '2000000000';
    expect((await as('PATCH', '/geofence', { ids: [...ids, gone], change: { isOn: true } })).status).toBe(404);
    expect((await as('PATCH', '/geofence', { ids, change: {} })).status).toBe(400);
    // A name or a shape is of one geofence.
    expect((await as('PATCH', '/geofence', { ids, change: { name: 'Dock' } })).status).toBe(400);
    expect((await as('POST', '/geofence_deletion', { ids: [...ids, gone] })).status).toBe(404);
    expect(await listed()).toMatchObject([{ isOn: false }, { isOn: false }]);
    expect((await as('POST', '/geofence_deletion', { ids: [...ids, ids[1]] })).body).toEqual({ deleted: 2 });
    expect(await listed()).toEqual([]);
  });

  it('are imported all together, or not at all', async () => {
    const two = [
      { name: 'Dock 1', shape: CIRCLE },
      { name: 'Dock 2', shape: YARD, color: 'plum' },
    ];
    expect((await as('POST', '/geofence_import', { geofences: two })).status).toBe(201);
    expect(await listed()).toMatchObject([{ name: 'Dock 1' }, { name: 'Dock 2', color: 'plum' }]);
    const bowTie = {
      kind: 'polygon',
      rings: [
        [
          [0, 0],
          [4, 4],
          [4, 0],
          [0, 4],
        ],
      ],
    };
    for (const last of [
      { name: 'dock 1', shape: CIRCLE },
      { name: 'Dock 4', shape: bowTie },
    ]) {
      const geofences = [{ name: 'Dock 3', shape: CIRCLE }, last];
      expect((await as('POST', '/geofence_import', { geofences })).status).toBeGreaterThanOrEqual(400);
    }
    expect(await listed()).toHaveLength(2);
  });

  it('are imported with the groups that they name, all together or not at all', async () => {
    const groups = async () =>
      ((await as('GET', '/geofence_group')).body as { id: string; name: string; color: string }[]).map(
        ({ color, id, name }) => ({ color, id, name }),
      );
    const geofences = [
      { name: 'Mill gate', shape: CIRCLE, newGroup: 'Mills' },
      { name: 'Mill yard', shape: YARD, newGroup: 'Mills' },
      { name: 'Ferry', shape: CIRCLE },
    ];
    const made = { geofences, groups: [{ name: 'Mills', color: 'plum' }] };
    const before = await groups();
    expect((await as('POST', '/geofence_import', { geofences, groups: [] })).status).toBe(400);
    const taken = { ...made, geofences: [...geofences, { name: 'ferry', shape: CIRCLE }] };
    expect((await as('POST', '/geofence_import', taken)).status).toBe(409);
    expect(await groups()).toEqual(before);
    const answer = await as('POST', '/geofence_import', made);
    expect(answer.status).toBe(201);
    const mills = (await groups()).find(({ name }) => name === 'Mills');
    expect(mills).toMatchObject({ color: 'plum' });
    expect(answer.body).toMatchObject([{ groupId: mills?.id }, { groupId: mills?.id }, { groupId: null }]);
    const again = {
      geofences: [{ name: 'Mill lot', shape: CIRCLE, newGroup: 'mills' }],
      groups: [{ name: 'mills', color: 'blue' }],
    };
    expect((await as('POST', '/geofence_import', again)).body).toMatchObject({ code: 'geofence-group-name-taken' });
  });

  it('refuse a shape outside the limits, field by field', async () => {
    for (const [shape, message] of [
      [{ ...CIRCLE, radiusM: 19 }, 'Enter a radius from 20 m to 200 km.'],
      [{ ...CIRCLE, center: [-78, 91] }, 'Enter a latitude from -90 to 90.'],
      [
        {
          kind: 'polygon',
          rings: [
            [
              [0, 0],
              [1, 1],
            ],
          ],
        },
        'Add at least 3 points.',
      ],
      [
        {
          kind: 'corridor',
          line: [
            [0, 0],
            [1, 1],
          ],
          widthM: 9,
        },
        'Enter a width from 10 m to 5 km.',
      ],
      [
        {
          kind: 'polygon',
          rings: [
            [
              [0, 0],
              [4, 4],
              [4, 0],
              [0, 4],
            ],
          ],
        },
        'The outline crosses itself near point 3.',
      ],
      [{ kind: 'rectangle', bounds: [1, 1, 1, 2] }, 'This shape has no area. Move its points apart.'],
    ] as const) {
      const answer = await as('POST', '/geofence', { name: 'X', shape });
      expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ message }] }]);
    }
  });

  it('are read by all who see vehicles on a desk, and changed only by those who see the whole account', async () => {
    const { id } = await make({});
    const folder = (await as('POST', '/folder', { name: 'North' })).body as { id: string };
    const hidden = await addVehicle(server.context, owner.accountId);
    const seen = await addVehicle(server.context, owner.accountId);
    await as('PATCH', `/folder/assign/${folder.id}`, { devices: [String(seen.id)] });
    await server.directory.settled();
    await as('PATCH', `/geofence/${id}`, {
      vehicles: { folderIds: [], deviceIds: [String(seen.id), String(hidden.id)] },
    });
    const who = async (role: Role) => signedIn(server, { accountId: owner.accountId, role });
    const user = await who('dispatcher');
    await limit(server.context, user, { folders: [folder.id] });
    const limited = callerOf(server, user);
    expect(await listed(limited)).toMatchObject([{ vehicles: { deviceIds: [String(seen.id)] } }]);
    expect((await limited('DELETE', `/geofence/${id}`)).status).toBe(403);
    expect((await callerOf(server, await who('dispatcher'))('PATCH', `/geofence/${id}`, { isOn: false })).status).toBe(
      200,
    );
    expect((await callerOf(server, await who('viewer'))('DELETE', `/geofence/${id}`)).status).toBe(403);
    expect((await callerOf(server, await who('driver'))('GET', '/geofence')).status).toBe(403);
  });

  it('are in the audit log with what changed', async () => {
    const { id } = await make({});
    await as('PATCH', `/geofence/${id}`, { isOn: false });
    await as('PATCH', `/geofence/${id}`, { isOn: false });
    await as('DELETE', `/geofence/${id}`);
    const entries = await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'target_name', 'changes'])
      .where('account_id', '=', owner.accountId)
      .where('action', 'like', 'geofence%')
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([
      { action: 'geofence.created', target_name: 'Verona food hub' },
      { action: 'geofence.changed', changes: [{ field: 'isOn', from: true, to: false }] },
      { action: 'geofence.deleted' },
    ]);
  });
});
