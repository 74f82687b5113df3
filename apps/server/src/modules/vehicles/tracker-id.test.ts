import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';

let server: TestHttpServer;
let owner: SignedIn;
let stranger: SignedIn;
let count = 700;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server, { operator: true });
  stranger = await signedIn(server);
});
afterAll(() => server.close());

async function create(who: SignedIn, fields: object) {
  const imei = testImei(++count);
  return server.call('POST', '/api/v1/device', {
    token: who.token,
    body: { imei, deviceName: `Truck ${imei}`, ...fields },
  });
}
const idOf = (body: unknown): string => (body as { id: string }).id;
const taken = { code: 'tracker-id-taken', errors: [{ field: 'trackerId', code: 'tracker-id-taken' }] };

it('a vehicle has its tracker’s ID in normal form, however it is entered', async () => {
  const { status, body } = await create(owner, { trackerId: ' 013912345678 ' });
  expect([status, body]).toMatchObject([201, { trackerId: '13912345678' }]);
  expect(server.directory.findByIdentity('013912345678')?.id).toBe(Number(idOf(body)));
  const path = `/api/v1/device/${idOf(body)}`;
  const changed = await server.call('PATCH', path, { token: owner.token, body: { trackerId: '4332149475' } });
  expect(changed.body).toMatchObject({ trackerId: '4332149475' });
  expect(server.directory.findByIdentity('013912345678')).toBeNull();
  const removed = await server.call('PATCH', path, { token: owner.token, body: { trackerId: '' } });
  expect(removed.body).toMatchObject({ trackerId: null });
  expect(server.directory.findByIdentity('4332149475')).toBeNull();
});

it('tracker IDs are unique in the installation, and other accounts learn only that one is taken', async () => {
  const first = await create(owner, { trackerId: '4109876543' });
  expect((await create(stranger, { trackerId: '04109876543' })).body).toMatchObject(taken);
  expect((await create(owner, { trackerId: '4109876543' })).status).toBe(409);
  const other = await create(stranger, {});
  const path = `/api/v1/device/${idOf(other.body)}`;
  const change = await server.call('PATCH', path, { token: stranger.token, body: { trackerId: '4109876543' } });
  expect([change.status, change.body]).toMatchObject([409, taken]);
  expect(server.directory.findByIdentity('4109876543')?.id).toBe(Number(idOf(first.body)));
  // Sending its own ID again is fine.
  const same = await server.call('PATCH', `/api/v1/device/${idOf(first.body)}`, {
    token: owner.token,
    body: { trackerId: '4109876543' },
  });
  expect(same.status).toBe(200);
});

it('is refused if it is an IMEI or not a valid ID', async () => {
  for (const trackerId of [testImei(1), '12', 'a b c d']) {
    const { status, body } = await create(owner, { trackerId });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'trackerId' }] }]);
  }
});

it('leaves the unknown list when a vehicle has it', async () => {
  await server.context.db.system
    .insertInto('unknown_tracker')
    .values([
      { imei: '087073104337', protocol: 'tk103' },
      { imei: '087073104338', protocol: 'tk103' },
    ])
    .execute();
  await create(owner, { trackerId: '87073104337' });
  const left = await server.context.db.system.selectFrom('unknown_tracker').select('imei').execute();
  expect(left).toEqual([{ imei: '087073104338' }]);
});

it('can be imported from a file, with errors by row', async () => {
  await create(stranger, { trackerId: '5226073533' });
  const file = [
    'imei,deviceName,trackerId',
    `${testImei(801)},File 1,013800000001`,
    `${testImei(802)},File 2,13800000001`,
    `${testImei(803)},File 3,5226073533`,
  ].join('\n');
  const ask = (text: string) =>
    server.call('POST', '/api/v1/device/import?dryRun=false', { token: owner.token, body: text });
  const refused = await ask(file);
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: [{ field: 'row 3.trackerId' }, { field: 'row 4.trackerId' }] },
  ]);
  const taken = await ask(file.split('\n').slice(0, 2).join('\n'));
  expect([taken.status, taken.body]).toMatchObject([200, { imported: 1 }]);
  expect(server.directory.findByIdentity('013800000001')?.imei).toBe(testImei(801));
});
