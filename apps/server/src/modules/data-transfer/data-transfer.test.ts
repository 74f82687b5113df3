import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { canonicalJson, linkHash } from '@milepost/eld';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { type Caller, callerOf, limit } from '../../../testing/organisation.ts';
import { testPicture } from '../../../testing/picture.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { exported, imported, refused, startExport, startImport } from '../../../testing/transfers.ts';
import { withUpload } from './spool.ts';
import { TABLES } from './tables.ts';

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
let serial = 900_000;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
});

const START = Date.UTC(2026, 10, 19, 14);

interface Filled {
  readonly imei: string;
  readonly vehicleId: string;
}

/** An account with something of everything that an import brings back. */
async function fill(): Promise<Filled> {
  const id = ({ body }: { readonly body: never }) => (body as { id: string }).id;
  const north = id(await call('POST', '/folder', { name: 'North' }));
  const depot = id(await call('POST', '/folder', { name: 'Depot', parentId: north }));
  const team = id(await call('POST', '/department', { name: 'Team' }));
  const ann = id(
    await call('POST', '/driver', { name: 'Ann', card: '04A1', departmentId: team, licenceExpiresOn: '2028-01-31' }),
  );
  const imei = testImei(++serial);
  const vehicleId = id(
    await call('POST', '/device', {
      imei,
      deviceName: 'Truck "1"\u2028',
      folderId: depot,
      usualDriverId: ann,
      type: 'tractor',
      year: 2024,
      tags: ['a', 'b'],
      odometerOffsetKm: 12.5,
    }),
  );
  const sites = id(
    await call('POST', '/geofence_group', {
      name: 'Sites',
      color: 'teal',
      detention: { freeMinutes: 30, perHour: 90 },
    }),
  );
  const yard = { kind: 'circle', center: [-87.68, 41.9], radiusM: 250 };
  const of = { folderIds: [depot], deviceIds: [vehicleId] };
  const geofence = { name: 'Yard', groupId: sites, shape: yard, vehicles: of, speedLimitKmh: 30, isRestricted: true };
  const yardId = id(await call('POST', '/geofence', geofence));
  const elsewhere = {
    ...{ drivers: null, fromKmh: null, ignition: null, minutes: 5 },
    vehicles: of,
    places: { is: 'outside', geofenceIds: [yardId] },
  };
  const rules = [
    {
      ...{
        name: 'Out at night',
        trigger: { kind: 'exit', minutes: 5 },
        geofenceIds: [yardId],
        vehicles: of,
        isOn: true,
      },
      conditions: { drivers: { driverIds: [ann], departmentIds: [team] }, fromKmh: 5, ignition: null, or: [elsewhere] },
    },
    { name: 'Away from its tractor', trigger: { kind: 'apart', meters: 400, minutes: 10, otherIds: [vehicleId] } },
  ];
  for (const rule of rules) expect(await call('POST', '/alert-rule', rule)).toMatchObject({ status: 201 });
  expect((await call('PATCH', '/built-in-rule/overspeed', { message: '{vehicle} is too fast' })).status).toBe(200);
  const document = new FormData();
  for (const [name, value] of Object.entries({ kind: 'permit', title: 'Permit', expiresOn: '2027-05-01' }))
    document.append(name, value);
  document.append('file', new Blob(['%PDF-1.7 permit']), 'permit.pdf');
  await call('POST', `/device/${vehicleId}/document`, document);
  await call('PATCH', `/tenant/${owner.accountId}`, { primaryColour: '#aa0000', hostName: `h${serial}.example.com` });
  const logo = new FormData();
  logo.append('file', await testPicture('png'), 'logo.png');
  await call('PATCH', `/tenant_logo/${owner.accountId}`, logo);
  await call('PATCH', '/settings', { currency: 'EUR', keepPositionsDays: 90 });
  await storePositions(
    server,
    owner.accountId,
    Number(vehicleId),
    Array.from({ length: 2500 }, (_, n) =>
      receivedPosition(START + n * 1000, {
        rfid: n === 2499 ? '04A1' : null,
        odometer: null,
        event: n === 3 ? 'sos' : null,
      }),
    ),
  );
  server.organisation.driving.reported(owner.accountId, Number(vehicleId), null, '04A1');
  return { imei, vehicleId };
}

const exportOf = (body?: object): Promise<string> => exported(server, owner, body);
const importInto = (who: SignedIn, body: string) => startImport(server, who, body);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

/** Everything that a person sees of an account, without what is another there by its nature. */
async function seen(as: Caller): Promise<unknown> {
  const paths = [
    '/folder',
    '/department',
    '/driver',
    '/device',
    '/settings',
    '/tenant',
    '/position/latest',
    '/geofence',
    '/geofence_group',
    '/alert-rule',
    '/built-in-rule',
  ];
  const all = await Promise.all(paths.map(async path => (await as('GET', path)).body as unknown));
  const [device] = all[3] as { id: string }[];
  const history = `/position?deviceId=${device?.id}&from=2026-11-19T00:00:00Z&to=2026-11-21T00:00:00Z`;
  const documents = (await as('GET', `/device/${device?.id}/document`)).body as { id: string }[];
  const file = await as('GET', `/device/${device?.id}/document/${documents[0]?.id}/file`);
  const text = JSON.stringify([all, (await as('GET', history)).body, documents, file.text], (key, value: unknown) =>
    /^(id|\w+Ids?|createdAt|changedAt|createdBy|hostName|logoUrl|name)$/.test(key) && key !== 'deviceName'
      ? undefined
      : value,
  );
  return JSON.parse(text);
}

/** Frees the IMEIs, as where an account moves to another installation. */
async function removeVehicles(): Promise<void> {
  const devices = (await call('GET', '/device')).body as { id: string }[];
  for (const { id } of devices) await call('DELETE', `/device/${id}`);
}

describe('an account', () => {
  it('comes back whole where it is imported: organisation, documents, looks, settings and every position', async () => {
    await fill();
    const before = await seen(call);
    const text = await exportOf();
    await removeVehicles();
    const other = await signedIn(server);
    expect(await imported(server, other, text)).toMatchObject({
      state: 'done',
      rows: {
        ...{ folder: 2, department: 1, driver: 1, vehicle: 1, document: 1, position: 2500 },
        ...{ geofence_group: 1, geofence: 1, geofence_vehicle: 2 },
        ...{ rule: 3, rule_geofence: 1, rule_vehicle: 2 },
      },
    });
    const asOther = callerOf(server, other);
    expect(await seen(asOther)).toEqual(before);
    expect((await asOther('GET', '/driver')).body).toMatchObject([{ name: 'Ann', vehicle: { source: 'card' } }]);
    const idsAt = async (path: string) => ((await asOther('GET', path)).body as { id: string }[]).map(({ id }) => id);
    const drivers = { driverIds: await idsAt('/driver'), departmentIds: await idsAt('/department') };
    const vehicles = { folderIds: (await idsAt('/folder')).slice(0, 1), deviceIds: await idsAt('/device') };
    const places = { is: 'outside', geofenceIds: await idsAt('/geofence') };
    expect((await asOther('GET', '/alert-rule')).body).toMatchObject([
      { isOn: false, trigger: { otherIds: await idsAt('/device') } },
      {
        isOn: true,
        conditions: { drivers, or: [{ minutes: 5, vehicles, places }] },
        geofenceIds: await idsAt('/geofence'),
      },
    ]);
    const audited = await server.context.db.system
      .selectFrom('audit_entry')
      .select('action')
      .where('account_id', '=', other.accountId)
      .execute();
    expect(audited).toContainEqual({ action: 'data.imported' });
  });

  it('is exported without a secret, and without what is another’s', async () => {
    const { imei } = await fill();
    const stranger = await signedIn(server);
    const text = await exportOf();
    expect(text).toContain(imei);
    expect(text).not.toContain(stranger.userName);
    // The header names columns that no row has.
    const rows = text.slice(text.indexOf('\n'));
    for (const secret of ['password_hash', 'device_key', 'token_hash', 'messaging_hash', 'public_key', 'account_id"']) {
      expect(rows).not.toContain(secret);
    }
    const lines = linesOf(text);
    expect(lines[0]).toMatchObject({ format: 'milepost-account', version: 2, account: owner.userName });
    expect(lines.at(-1)).toMatchObject({ end: { vehicle: 1, position: 2500, app_user: 1 } });
    expect(linesOf(await exportOf({ positions: false })).at(-1)).not.toHaveProperty('end.position');
  });

  it('says what each row looks like, and has its SHA-256: whatever is changed, cut or added is found [N13]', async () => {
    await fill();
    const text = await exportOf();
    await removeVehicles();
    const lines = text.trimEnd().split('\n');
    const whole = (end: number) => `${lines.slice(0, end).join('\n')}\n`;
    const sha256 = (of: string) => createHash('sha256').update(of).digest('hex');
    const [head, last] = [JSON.parse(lines[0] ?? ''), JSON.parse(lines.at(-1) ?? '')];
    expect(last.sha256.whole).toBe(sha256(whole(lines.length - 1)));
    const vehicles = lines.filter(line => line.startsWith('{"table":"vehicle",'));
    expect(last.sha256.tables.vehicle).toBe(sha256(`${vehicles.join('\n')}\n`));
    for (const line of lines.slice(1, -1)) {
      const { row, table } = JSON.parse(line);
      if (table === undefined) continue;
      const { properties, required } = head.schema[table];
      expect([table, Object.keys(row).filter(name => !(name in properties))]).toEqual([table, []]);
      expect([table, required.filter((name: string) => !(name in row))]).toEqual([table, []]);
      for (const [name, value] of Object.entries(row)) {
        const { type } = properties[name] as { type?: string | string[] };
        const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
        if (type)
          expect([table, name, [type].flat().map(each => each.replace('integer', 'number'))]).toEqual([
            table,
            name,
            expect.arrayContaining([kind]),
          ]);
      }
    }
    const other = await signedIn(server);
    const at = lines.findIndex(line => line.includes('"table":"position"')) + 1500;
    const changed = (lines[at] ?? '').replace(/"lat": ?[\d.]+/, '"lat": 12.5');
    expect(changed).not.toBe(lines[at]);
    const seal = lines.findIndex((line, i) => i > at && line.startsWith('{"seal"')) + 1;
    const before = lines.findLastIndex((line, i) => i < at && line.startsWith('{"seal"')) + 2;
    for (const [file, line] of [
      [[...lines.slice(0, at), changed, ...lines.slice(at + 1)], before],
      [lines.slice(0, -1), lines.length],
      [[...lines.slice(0, at), ...lines.slice(at + 1)], before],
    ] as const) {
      const problem = await refused(server, other, `${file.join('\n')}\n`);
      expect(problem).toMatchObject({ code: 'import-broken', params: { line } });
      expect((await callerOf(server, other)('GET', '/folder')).body).toEqual([]);
    }
    expect(seal).toBeGreaterThan(at);
  });

  it('is exported with all its tables: a new one has to be said to be in it or not', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`.execute(
      server.context.db.system,
    );
    expect(Object.keys(TABLES).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('goes as a whole only to anyone who sees the whole', async () => {
    const folder = (await call('POST', '/folder', { name: 'Mine' })).body as { id: string };
    const admin = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
    await limit(server.context, admin, { folders: [folder.id] });
    expect((await startExport(server, admin)).status).toBe(403);
    expect((await importInto(admin, '{}')).status).toBe(403);
  });
});

describe('an import', () => {
  const header = { format: 'milepost-account', version: 1 };
  const file = (...lines: unknown[]) =>
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const folder = (row: object) => ({ table: 'folder', row: { id: 1, parent_id: null, name: 'North', ...row } });
  const driver = (id: number, licence_number: string | null = null, licence_region: string | null = null) => ({
    table: 'driver',
    row: {
      ...{ id, name: 'Ann', phone: null, email: null, licence_number, licence_region, licence_class: null },
      ...{ licence_expires_on: null, card: null, department_id: null, notes: null, archived: false },
    },
  });
  const rowsLeft = async () =>
    ((await call('GET', '/folder')).body as unknown[]).length +
    ((await call('GET', '/device')).body as unknown[]).length;

  it.each<[string, unknown[], number]>([
    ['nothing', [], 1],
    ['another file', [{ hello: 'world' }], 1],
    ['a later format', [{ ...header, version: 3 }], 1],
    ['no JSON', [header, 'nonsense'], 2],
    ['a table that is none', [header, { table: 'pg_authid', row: {} }], 2],
    ['a file without its end', [header, folder({})], 3],
    ['a file in which lines are missing', [header, folder({}), { end: { folder: 2 } }], 3],
    ['more after the end', [header, { end: {} }, folder({})], 3],
    ['a name that is none', [header, folder({ name: 'two\nlines' })], 2],
    ['one name twice', [header, folder({}), folder({ id: 2, name: 'NORTH' })], 3],
    ['one license twice', [header, driver(1, 'R234-5678', 'IL'), driver(2, 'r2345678', 'Illinois')], 3],
  ])('of %s brings in nothing, and says which line is wrong', async (_, lines, line) => {
    expect(await refused(server, owner, file(...lines))).toMatchObject({ code: 'import-broken', params: { line } });
    expect(await rowsLeft()).toBe(0);
  });

  it('makes no session and no subscription, and no line of the audit log as if it had happened here', async () => {
    const entry = { at: '2026-01-02T03:04:05Z', user_id: null, user_name: 'Boss', via: 'session', address: null };
    const about = { target_id: null, target_name: 'evil', changes: [] };
    const forged = [
      { table: 'subscription', row: { imei: testImei(1), created_at: '2099-01-01T00:00:00Z' } },
      { table: 'audit_entry', row: { ...entry, ...about, action: 'evil.done' } },
      { table: 'audit_entry', row: { ...entry, ...about, action: 'vehicle.deleted', imported_at: null } },
      { table: 'session', row: { token_hash: 'evil' } },
    ];
    const end = { subscription: 1, audit_entry: 2, session: 1 };
    expect(await imported(server, owner, file(header, ...forged, { end }))).toMatchObject({ rows: { audit_entry: 1 } });
    for (const table of ['subscription', 'session'] as const) {
      const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t
        where account_id = ${owner.accountId}`.execute(server.context.db.system);
      expect(JSON.stringify(rows)).not.toContain('evil');
    }
    const entries = await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'imported_at'])
      .where('account_id', '=', owner.accountId)
      .where('target_name', '=', 'evil')
      .execute();
    expect(entries).toEqual([{ action: 'vehicle.deleted', imported_at: expect.any(Date) }]);
  });

  const user = (row: object) => ({
    table: 'app_user',
    row: {
      ...{ id: crypto.randomUUID(), user_name: `anna-${++serial}`, email: null, phone: null, display_name: 'Anna' },
      ...{ image: null, role: 'admin', custom_role_id: null, scope_folders: null, scope_departments: null },
      ...{ preferences: {}, active: true, expires_at: null, password_hash: 'evil', ...row },
    },
  });

  it('makes users without a password, with no more rights than its sender could give [N13]', async () => {
    const [anna, boss] = [user({}), user({ role: 'owner' })];
    const role = { id: 1, name: 'Planner', based_on: 'dispatcher', permissions: ['vehicles.read', 'owners.write'] };
    const admin = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
    for (const [table, line] of [
      ['app_user', boss],
      ['custom_role', { table: 'custom_role', row: role }],
    ] as const) {
      const problem = await refused(server, admin, file(header, line, { end: { [table]: 1 } }));
      expect([table, problem]).toMatchObject([table, { code: 'more-than-you-hold' }]);
    }
    const taken = user({ user_name: (await signedIn(server)).userName });
    const self = user({ user_name: owner.userName });
    const lines = file(header, anna, taken, self, boss, { end: { app_user: 4 } });
    expect(await imported(server, owner, lines)).toMatchObject({ rows: { app_user: 2 } });
    const made = await server.context.db.system
      .selectFrom('app_user')
      .select(['id', 'role', 'password_hash'])
      .where('account_id', '=', owner.accountId)
      .where(
        'id',
        'in',
        [anna, boss, taken, self].map(({ row }) => row.id),
      )
      .execute();
    expect(made.toSorted((one, other) => one.role.localeCompare(other.role))).toEqual([
      { id: anna.row.id, role: 'admin', password_hash: null },
      { id: boss.row.id, role: 'owner', password_hash: null },
    ]);
  });

  it('reuses a role of the same name and rights, and gives another of that name a number', async () => {
    const own = await signedIn(server);
    const role = { name: 'Archivist', basedOn: 'viewer', permissions: ['vehicles.read'] };
    expect((await server.call('POST', '/api/v1/role', { token: own.token, body: role })).status).toBe(201);
    const row = { id: 1, name: 'archivist', based_on: 'viewer', permissions: ['vehicles.read'] };
    const same = { table: 'custom_role', row };
    const other = { table: 'custom_role', row: { ...row, id: 2, permissions: ['vehicles.read', 'drivers.read'] } };
    const lines = file(header, same, other, { end: { custom_role: 2 } });
    expect(await imported(server, own, lines)).toMatchObject({ rows: { custom_role: 1 } });
    const roles = (await server.call('GET', '/api/v1/role', { token: own.token })).body as { name: string }[];
    expect(roles.flatMap(({ name }) => (/archivist/i.test(name) ? [name] : [])).toSorted()).toEqual([
      'Archivist',
      'archivist (2)',
    ]);
  });

  it('takes a log only whole and unchanged, under the driver it names [N13]', async () => {
    const entry = (id: number, at: number, position: number, previous: string) => {
      const said = {
        action: 'home',
        id: crypto.randomUUID(),
        log: `driver:${id}`,
        recordedAt: at,
        by: 'desk',
      } as const;
      const text = canonicalJson({ ...said, timeZone: 'America/Chicago', startOfDay: 0 }) as string;
      const content = createHash('sha256').update(text).digest('hex');
      const hash = linkHash({ chain: said.log, log: said.log, position, content }, previous);
      const times = { recorded_at: new Date(at).toISOString(), touches_at: new Date(at).toISOString() };
      const bytes = {
        content: `\\x${content}`,
        hash: `\\x${hash}`,
        device: null,
        device_position: null,
        device_hash: null,
      };
      return {
        hash,
        table: 'duty_entry',
        row: { id: said.id, log: said.log, position, entry: text, ...times, ...bytes },
      };
    };
    const log = (id: number) => {
      const first = entry(id, START, 0, '0'.repeat(64));
      return [first, entry(id, START + 1000, 1, first.hash)] as const;
    };
    const id = 50_000 + ++serial - 900_000;
    const [first, second] = log(id);
    const changed = { ...second, row: { ...second.row, entry: second.row.entry.replace('Chicago', 'Denver') } };
    for (const entries of [[second], [first, changed], [{ ...second, row: { ...second.row, position: 0 } }]]) {
      const end = { driver: 1, duty_entry: entries.length };
      const problem = await refused(server, owner, file(header, driver(id), ...entries, { end }));
      expect(problem).toMatchObject({ code: 'import-broken' });
    }
    const end = { driver: 1, duty_entry: 2 };
    expect(await imported(server, owner, file(header, driver(id), first, second, { end }))).toMatchObject({
      rows: { driver: 1, duty_entry: 2 },
    });
    // The driver is here already, in another account: the log would be theirs.
    const other = await signedIn(server);
    expect(await imported(server, other, file(header, driver(id), first, second, { end }))).toMatchObject({
      rows: { driver: 1 },
    });
    const logs = await server.context.db.system
      .selectFrom('duty_entry')
      .select('account_id')
      .where('log', '=', `driver:${id}`)
      .execute();
    expect(logs).toEqual([{ account_id: owner.accountId }, { account_id: owner.accountId }]);
  });

  it('is refused where there is something, or where a tracker belongs to someone', async () => {
    await fill();
    const text = await exportOf();
    const again = await importInto(owner, text);
    expect([again.status, again.body]).toMatchObject([409, { code: 'account-not-empty' }]);
    const other = await signedIn(server);
    expect(await refused(server, other, text)).toMatchObject({ code: 'imei-taken' });
    expect((await callerOf(server, other)('GET', '/folder')).body).toEqual([]);
    expect(readdirSync(join(server.context.config.dataDir, 'uploads'))).toEqual([]);
  });

  it('takes no larger file than it may, and leaves none behind', async () => {
    const folder = mkdtempSync(join(server.context.config.dataDir, 'x-'));

    const large = withUpload(
      folder,
      { body: Readable.from([Buffer.alloc(600), Buffer.alloc(600)]), length: null },
      async () => 1,
      { limit: 1000 },
    );
    await expect(large).rejects.toMatchObject({ code: 'payload-too-large' });
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  });
});
