import { INSPECTION_PARTS, RULE_SETS } from '@milepost/contract';
import { INSPECTED_PARTS } from '@milepost/eld';
import { RULE_SET_IDS } from '@milepost/hos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userWithData } from '../../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { readOrganizationOf } from './carrier.ts';
import { homeOfTerminal, readTermsOf } from './driver-terms.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

it('[R2.15] every rule set of the engine can be chosen', () => {
  expect([...RULE_SETS]).toEqual([...RULE_SET_IDS]);
});

it('[R2.16] an inspection can name every part that a report must cover', () => {
  expect([...INSPECTION_PARTS]).toEqual([...INSPECTED_PARTS]);
});

describe('[R2.15] the settings of logs', () => {
  it('have defaults: a terminal in the account’s time zone, and no driver keeps a log', async () => {
    const me = await userWithData(server);
    await server.call('PATCH', '/api/v1/settings', { token: me.token, body: { timeZone: 'America/Denver' } });
    const { body } = await server.call('GET', '/api/v1/eld/carrier', { token: me.token });
    expect(body).toMatchObject({
      name: null,
      usdotNumber: null,
      terminals: [{ timeZone: 'America/Denver', startOfDay: '00:00' }],
      ruleSet: 'US_PROPERTY_70_8',
      personalUse: false,
    });
    const { body: roster } = await server.call('GET', '/api/v1/eld/driver', { token: me.token });
    expect(roster).toMatchObject([{ driverId: me.driverId, settings: { keepsLog: false }, lastSyncAt: null }]);
  });

  it('take the USDOT number of the organization, until the carrier has one of its own', async () => {
    const me = await userWithData(server);
    const organization = { address: '4400 S Racine Ave', dotNumber: 'USDOT 1234567', authorityNumber: 'MC-990417' };
    await server.call('PATCH', '/api/v1/settings', { token: me.token, body: organization });
    const usdotAfter = async (body: object) => {
      const answer = await server.call('PATCH', '/api/v1/eld/carrier', { token: me.token, body });
      return (answer.body as { usdotNumber: string | null }).usdotNumber;
    };
    expect(await usdotAfter({ name: 'Ridge' })).toBe('1234567');
    await server.call('PATCH', '/api/v1/settings', { token: me.token, body: { dotNumber: '7654321' } });
    expect(await usdotAfter({ yardMoves: true })).toBe('7654321');
    expect(await usdotAfter({ usdotNumber: '99' })).toBe('99');
    expect(await usdotAfter({ yardMoves: false })).toBe('99');
    expect(await usdotAfter({ usdotNumber: null })).toBe('7654321');
    await server.call('PATCH', '/api/v1/settings', { token: me.token, body: { dotNumber: 'applied for' } });
    expect(await usdotAfter({})).toBeNull();
    const said = await server.context.db.asAccount(me.accountId, readOrganizationOf);
    expect(said).toEqual({ mainOffice: '4400 S Racine Ave', authorityNumber: 'MC-990417' });
  });

  it('apply to a driver by the carrier’s, until the driver has others; what is left out stays', async () => {
    const me = await userWithData(server);
    const terminals = [
      { id: 'elgin', name: 'Elgin', timeZone: 'America/Chicago', startOfDay: '00:00' },
      { id: 'reno', name: 'Reno', timeZone: 'America/Los_Angeles', startOfDay: '04:30' },
    ];
    await server.call('PATCH', '/api/v1/eld/carrier', {
      token: me.token,
      body: { name: 'Ridge', usdotNumber: '99', terminals, yardMoves: true },
    });
    const { body: carrier } = await server.call('PATCH', '/api/v1/eld/carrier', {
      token: me.token,
      body: { ruleSet: 'US_PROPERTY_60_7' },
    });
    expect(carrier).toMatchObject({ name: 'Ridge', usdotNumber: '99', terminals, yardMoves: true });

    const change = (body: object) =>
      server.call('PATCH', `/api/v1/eld/driver/${me.driverId}`, { token: me.token, body });
    expect((await change({ keepsLog: true })).body).toMatchObject({
      ruleSet: 'US_PROPERTY_60_7',
      terminal: { id: 'elgin' },
      mayMoveInYard: true,
      mayUsePersonally: false,
    });
    const own = await change({ terminalId: 'reno', yardMoves: false, ruleSet: 'CA_SOUTH_CYCLE1_70_7' });
    expect(own.body).toMatchObject({
      settings: { keepsLog: true },
      ruleSet: 'CA_SOUTH_CYCLE1_70_7',
      terminal: { id: 'reno' },
      mayMoveInYard: false,
    });
    expect((await change({ terminalId: 'nowhere' })).status).toBe(400);
    const terms = await server.context.db.asAccount(me.accountId, trx => readTermsOf(trx, Number(me.driverId)));
    expect(terms && homeOfTerminal(terms.terminal)).toEqual({ timeZone: 'America/Los_Angeles', startOfDay: 270 });
    expect(await server.context.db.asAccount(me.accountId, trx => readTermsOf(trx, 2_000_000_000))).toBeNull();
  });
});
