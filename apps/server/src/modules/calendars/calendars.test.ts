import { Writable } from 'node:stream';
import { CALENDAR_PARTS, CALENDARS_MAX, type createCalendar, type RouteAnswer } from '@milepost/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';

let server: TestHttpServer;
const logged: string[] = [];
beforeAll(async () => {
  const stream = new Writable({
    write: (chunk, _, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  server = await startHttpServer({ log: pino({ level: 'trace' }, stream) });
});
afterAll(() => server.close());

const make = async (me: UserWithData, include: readonly string[] = CALENDAR_PARTS) => {
  const body = { name: 'Fleet, mine; ours', include };
  const answer = await server.call('POST', '/api/v1/calendar', { token: me.token, body });
  expect(answer.status).toBe(201);
  return answer.body as RouteAnswer<typeof createCalendar>;
};
const read = (path: string, headers = {}) => server.call('GET', path, { headers });
/** Lines put together again (RFC 5545, 3.1), by event. */
const eventsOf = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map(event =>
      Object.fromEntries(
        event.split('\r\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
      ),
    );

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
async function dueDocuments({ accountId, documentId, driverDocumentId, driverId }: UserWithData): Promise<void> {
  const { system } = server.context.db;
  for (const id of [documentId, driverDocumentId]) {
    await system
      .updateTable('document')
      .set({ expires_on: inDays(30) })
      .where('id', '=', Number(id))
      .execute();
  }
  await system
    .updateTable('driver')
    .set({ licence_expires_on: inDays(90) })
    .where('account_id', '=', accountId)
    .where('id', '=', Number(driverId))
    .execute();
}

describe('[N14] a calendar', () => {
  it('has what is due of what its user sees, in the form of RFC 5545', async () => {
    const me = await userWithData(server);
    await dueDocuments(me);
    const calendar = await make(me);
    const answer = await read(calendar.path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(answer.text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n[\s\S]*END:VCALENDAR\r\n$/);
    expect(answer.text).toContain('NAME:Fleet\\, mine\\; ours\r\n');
    for (const line of answer.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const day = inDays(30).replaceAll('-', '');
    const events = eventsOf(answer.text);
    expect(events.map(({ SUMMARY }) => SUMMARY).toSorted()).toEqual(
      [
        `License of ${me.marker} expires`,
        `Subscription of ${me.marker} ends`,
        `${me.marker} of ${me.marker} expires`,
        `${me.marker} of ${me.marker} expires`,
      ].toSorted(),
    );
    expect(events.find(({ UID }) => UID?.startsWith(`document-${me.documentId}@`))).toMatchObject({
      'DTSTART;VALUE=DATE': day,
      'DTEND;VALUE=DATE': inDays(31).replaceAll('-', ''),
      STATUS: 'CONFIRMED',
    });
    expect(new Set(events.map(({ UID }) => UID)).size).toBe(events.length);
    const again = await read(calendar.path, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has a driver’s own tasks, in UTC', async () => {
    const me = await userWithData(server, { role: 'driver', drives: true });
    await server.context.db.system
      .updateTable('task')
      .set({ due_from: new Date('2027-03-14T07:30:00Z'), due_to: new Date('2027-03-14T09:00:00Z') })
      .where('id', '=', Number(me.taskId))
      .execute();
    const { path } = await make(me, ['tasks', 'subscriptions']);
    expect(eventsOf((await read(path)).text)).toMatchObject([
      { DTSTART: '20270314T073000Z', DTEND: '20270314T090000Z', SUMMARY: me.marker },
    ]);
  });

  it('shows nothing outside of its user’s sight, and follows their rights', async () => {
    const owner = await userWithData(server);
    const limited = await userWithData(server, { accountId: owner.accountId, role: 'dispatcher', limited: true });
    await Promise.all([owner, limited].map(dueDocuments));
    const { path } = await make(limited);
    const seen = (await read(path)).text;
    expect(seen).toContain(limited.marker);
    expect(seen).not.toContain(owner.marker);
    // A dispatcher doesn’t see subscriptions.
    expect(seen).not.toContain('subscription-');
    await server.context.db.system
      .updateTable('app_user')
      .set({ role: 'driver' })
      .where('id', '=', limited.userId)
      .execute();
    await server.context.feed.settled();
    expect(eventsOf((await read(path)).text)).toEqual([]);
  });

  it('is gone when it is deleted, and when its user’s access ends', async () => {
    const me = await userWithData(server);
    const [first, second] = [await make(me), await make(me, ['documents'])];
    const list = await server.call('GET', '/api/v1/calendar', { token: me.token });
    expect((list.body as { id: string }[]).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(list.text).not.toContain(first.path.slice(-20));
    const deleted = await server.call('DELETE', `/api/v1/calendar/${first.id}`, { token: me.token });
    expect(deleted.status).toBe(200);
    expect([(await read(first.path)).status, (await read(second.path)).status]).toEqual([404, 200]);
    await server.context.db.system.updateTable('app_user').set({ active: false }).where('id', '=', me.userId).execute();
    expect((await read(second.path)).status).toBe(404);
    expect((await read('/api/v1/calendar_file/nothing.ics')).status).toBe(404);
  });

  it('ends with its user’s sessions, as after a forgotten password, and not when they change it', async () => {
    const me = await userWithData(server);
    const { path } = await make(me);
    await server.sessions.endOfUser(me.userId, { sessionId: me.sessionId });
    expect((await read(path)).status).toBe(200);
    await server.sessions.endOfUser(me.userId);
    expect((await read(path)).status).toBe(404);
  });

  it('opens nothing else, and there are not too many', async () => {
    const me = await userWithData(server);
    const { path } = await make(me);
    const secret = path.slice(path.lastIndexOf('/') + 1, -'.ics'.length);
    expect((await server.call('GET', '/api/v1/device', { token: secret })).status).toBe(401);
    for (let i = 1; i < CALENDARS_MAX; i++) await make(me);
    const more = await server.call('POST', '/api/v1/calendar', {
      token: me.token,
      body: { name: 'x', include: ['tasks'] },
    });
    expect([more.status, more.body]).toMatchObject([409, { code: 'too-many-calendars' }]);
  });

  it('[N14] keeps its address, and API tokens in any form, out of the log', async () => {
    const me = await userWithData(server);
    const { path } = await make(me);
    const apiToken = { name: 'x', scopes: ['vehicles.read'] as const, expiresAt: new Date(Date.now() + 600_000) };
    const { token } = await server.sessions.open({ accountId: me.accountId, userId: me.userId, apiToken });
    const encoded = Buffer.from(`${me.userName}:${token}`).toString('base64');
    const before = logged.length;
    await read(path);
    await read(`${path}x`);
    await read('/api/otapi/v1.0/fleet/locations/latest', { authorization: `Basic ${encoded}` });
    await read('/api/otapi/v1.0/fleet/locations/?startTime=x', { authorization: `Basic ${encoded}` });
    await read('/api/v1/geojson', { authorization: `Basic ${Buffer.from(`nobody:${token}`).toString('base64')}` });
    await read('/api/v1/events?follow=false', { authorization: `Bearer ${token}` });
    await expect.poll(() => logged.length).toBeGreaterThan(before);
    const text = logged.join('');
    for (const secret of [token, encoded, path.slice(-30)]) expect(text).not.toContain(secret);
  });
});
