import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { testPicture } from '../../../../testing/picture.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

async function driver(accountId?: number): Promise<UserWithData> {
  const me = await userWithData(server, { role: 'driver', drives: true, ...(accountId && { accountId }) });
  await server.context.db.system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true })
    .execute();
  return me;
}
const add = (me: UserWithData, file: Blob, photoId: string = randomUUID(), vehicleId = me.vehicleId) => {
  const body = new FormData();
  body.append('file', file, 'tire.jpg');
  body.append('photoId', photoId);
  body.append('vehicleId', vehicleId);
  return server.call('POST', '/api/v1/eld/inspection_photo', { token: me.token, body });
};
const read = (me: UserWithData, id: string) =>
  fetch(`${server.url}/api/v1/eld/inspection_photo/${id}`, { headers: { authorization: `Bearer ${me.token}` } });

describe('[R2.14] a photo of a defect', () => {
  it('is kept once, without what the camera wrote into it, and shown where its report is', async () => {
    const me = await driver();
    const id = randomUUID();
    expect((await add(me, await testPicture('jpeg'), id)).body).toEqual({ id });
    expect((await add(me, await testPicture('png'), id)).body).toEqual({ id });
    const given = await read(me, id);
    expect([given.status, given.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const bytes = Buffer.from(await given.arrayBuffer());
    expect(bytes.includes('Ann Novak')).toBe(false);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    const rows = await server.context.db.system
      .selectFrom('inspection_photo')
      .select('id')
      .where('id', '=', id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('is refused if it is no picture, too large, or of a vehicle that does not exist', async () => {
    const me = await driver();
    expect((await add(me, new Blob(['<svg/>'], { type: 'image/png' }))).body).toMatchObject({ code: 'not-an-image' });
    const large = new Blob([new Uint8Array(9 * 1024 * 1024)], { type: 'image/png' });
    expect([400, 413]).toContain((await add(me, large)).status);
    expect((await add(me, await testPicture('png'), randomUUID(), '2147483647')).status).toBe(404);
  });

  it('is seen by its driver and by whoever drives the vehicle, not by another driver', async () => {
    const me = await driver();
    const other = await driver(me.accountId);
    const id = randomUUID();
    await add(me, await testPicture('png'), id);
    expect((await read(other, id)).status).toBe(404);
    await server.context.db.system
      .updateTable('vehicle')
      .set({ folder_id: null })
      .where('id', '=', Number(me.vehicleId))
      .execute();
    await server.context.feed.settled();
    const action = { kind: 'sign-in', vehicleId: me.vehicleId };
    const inputs = [{ id: randomUUID(), at: new Date().toISOString(), action }];
    await server.call('POST', '/api/v1/eld/duty', { token: other.token, body: { inputs } });
    expect((await read(other, id)).status).toBe(200);
  });
});
