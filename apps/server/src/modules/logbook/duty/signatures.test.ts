import { randomUUID, webcrypto } from 'node:crypto';
import type { EnrolledPhone } from '@milepost/contract';
import { nextPhoneLink, phoneChain, START } from '@milepost/eld';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';

const STATUS = [{ kind: 'status', status: 'ON', note: 'Pre-trip' }] as const;
const OFF = { kind: 'status', status: 'OFF', note: '' } as const;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** A driver’s phone that signs as the app does. */
async function phone() {
  const me: UserWithData = await userWithData(server, { role: 'driver', drives: true });
  await server.context.db.system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true })
    .execute();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const { x, y } = await webcrypto.subtle.exportKey('jwk', keys.publicKey);
  const id = randomUUID();
  const ask = async (method: string, path: string, body?: unknown) =>
    server.call(method, `/api/v1/eld/${path}`, { token: me.token, ...(body !== undefined && { body }) });
  const publicKey = { kty: 'EC', crv: 'P-256', x, y };
  const enroll = () => ask('POST', 'phone', { id, name: 'Blue', publicKey, after: { position: -1, hash: START } });
  expect((await enroll()).status).toBe(200);
  let last: { position: number; hash: string } | null = null;
  const signed = async (action: object, phoneId: string = id) => {
    const entry = { id: randomUUID(), at: new Date().toISOString(), action };
    const previous: string = last?.hash ?? START;
    const link = nextPhoneLink(phoneChain(phoneId), entry, last);
    last = link;
    const bytes = await webcrypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      keys.privateKey,
      Buffer.from(link.hash),
    );
    const signature = Buffer.from(bytes).toString('base64url');
    return { ...entry, proof: { phoneId, position: link.position, previous, at: entry.at, signature } };
  };
  const send = async (...inputs: readonly object[]) => {
    const answer = await ask('POST', 'duty', { inputs });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return (answer.body as { outcomes: readonly { result: string }[] }).outcomes.map(({ result }) => result);
  };
  const listed = async (): Promise<EnrolledPhone> =>
    ((await ask('GET', 'phone')).body as EnrolledPhone[])[0] as EnrolledPhone;
  const findings = async () => (await listed()).findings.map(({ finding }) => finding);
  return { me, id, ask, enroll, signed, send, listed, findings };
}

describe('[N4] an enrolled phone', () => {
  it('is enrolled once; what it signs verifies, also sent twice or with the time of the server', async () => {
    const { enroll, findings, listed, send, signed } = await phone();
    expect((await enroll()).status).toBe(200);
    const entry = await signed({ kind: 'sign-in', vehicleId: '1' });
    await send(entry, await signed(STATUS[0]));
    await send(entry);
    const late = await signed(OFF);
    await send({ ...late, at: new Date(Date.now() - 60_000).toISOString() });
    expect([await findings(), (await listed()).entries]).toEqual([[], 3]);
  });

  it('has its changed, missing and foreign entries kept and named', async () => {
    const { findings, me, send, signed } = await phone();
    await send(await signed({ kind: 'sign-in', vehicleId: me.vehicleId }));
    const changed = await signed(STATUS[0]);
    expect(await send({ ...changed, action: OFF })).not.toContain('known');
    expect(await findings()).toEqual(['bad-signature']);
    await signed(OFF);
    await send(await signed(STATUS[0]));
    expect(await findings()).toEqual(['broken-chain', 'bad-signature']);
    // From there on it is whole again.
    await send(await signed(OFF));
    expect(await findings()).toHaveLength(2);
    const { rows } = await server.context.db.pool.query<{ finding: string | null }>(
      'select finding from duty_input left join duty_signature on input_id = id where duty_input.driver_id = $1',
      [Number(me.driverId)],
    );
    expect(rows).toHaveLength(4);
    const stranger = await signed(STATUS[0], randomUUID());
    await send(stranger);
    const { rows: unknown } = await server.context.db.pool.query(
      `select 1 from duty_signature where finding = 'unknown-phone' and driver_id = $1`,
      [Number(me.driverId)],
    );
    expect(unknown).toHaveLength(1);
  });

  it('is ended by its driver or the desk, and what it signs after that is named', async () => {
    const { ask, findings, id, listed, me, send, signed } = await phone();
    expect((await ask('DELETE', `phone/${randomUUID()}`)).status).toBe(404);
    const owner = await userWithData(server, { accountId: me.accountId });
    const path = `/api/v1/eld/driver/${me.driverId}/phone`;
    const seen = await server.call('GET', path, { token: owner.token });
    expect(seen.body).toMatchObject([{ id, name: 'Blue', endedAt: null }]);
    expect((await server.call('DELETE', `${path}/${id}`, { token: owner.token })).body).toMatchObject({ id });
    expect((await listed()).endedAt).not.toBeNull();
    await new Promise(resolve => setTimeout(resolve, 5));
    await send(await signed(STATUS[0]));
    expect(await findings()).toEqual(['ended-phone']);
  });
});
