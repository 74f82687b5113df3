import type { Permission } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { createEventStreams, STREAM_LIMITS } from './streams.ts';

let server: TestHttpServer;
let me: UserWithData;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.feed.start();
  me = await userWithData(server);
});
afterAll(() => server.close());

const ALL: readonly Permission[] = ['vehicles.read', 'alerts.read', 'geofences.read', 'drivers.read'];
const tokenOf = ({ accountId, userId }: UserWithData, scopes = ALL) =>
  server.sessions.open({
    ...{ accountId, userId },
    apiToken: { name: 'Program', scopes, expiresAt: new Date(Date.now() + 600_000) },
  });

interface Event {
  readonly name: string;
  readonly id: string | null;
  readonly data: unknown;
}

/** A program’s end of a stream. */
class Reader {
  readonly events: Event[] = [];
  readonly #ended = new AbortController();
  isOver = false;

  static async open(token: string, query = '', headers: Record<string, string> = {}): Promise<Reader> {
    const reader = new Reader();
    const response = await fetch(`${server.url}/api/v1/events?${query}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: reader.#ended.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    reader.#read(response).catch(() => {
      reader.isOver = true;
    });
    return reader;
  }

  async #read(response: Response): Promise<void> {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = new Map(
          text
            .slice(0, end)
            .split('\n')
            .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        );
        text = text.slice(end + 2);
        const name = fields.get('event');
        if (name !== undefined) {
          this.events.push({ name, id: fields.get('id') ?? null, data: JSON.parse(fields.get('data') ?? '') });
        }
      }
    }
    this.isOver = true;
  }

  close(): void {
    this.#ended.abort();
  }

  get lastId(): string {
    return this.events.findLast(({ id }) => id !== null)?.id ?? '';
  }

  of<T>(name: string): T[] {
    return this.events.filter(event => event.name === name).flatMap(({ data }) => data as T[]);
  }

  get times(): string[] {
    return this.of<{ reportDate: string; reportTime: string }>('positions').map(
      ({ reportDate, reportTime }) => `${reportDate}T${reportTime}`,
    );
  }
}

const second = (at: number) => new Date(at).toISOString().slice(0, 19);
const store = (of: UserWithData, times: readonly number[]) =>
  storePositions(
    server,
    of.accountId,
    Number(of.vehicleId),
    times.map(at => receivedPosition(at, { receivedAt: Date.now() as never })),
  );

describe('[N14] the stream of events', () => {
  it('gives positions and changes as they come, and goes on after the last one that was read', async () => {
    const { token } = await tokenOf(me);
    const first = await Reader.open(token);
    await expect
      .poll(() => first.events[0])
      .toMatchObject({ name: 'ready', data: { types: ['positions', 'alerts', 'changes'] } });
    const base = Date.now();
    const times = [base - 6000, base - 5000];
    await store(me, times);
    await expect.poll(() => first.times).toEqual(times.map(second));
    await server.context.db.system
      .updateTable('vehicle')
      .set({ make: 'Volvo' })
      .where('id', '=', Number(me.vehicleId))
      .execute();
    await expect.poll(() => first.of('changes')).toContainEqual({ kind: 'vehicle', id: me.vehicleId, gone: false });
    const { lastId } = first;
    first.close();

    // While nobody listens.
    await store(me, [base - 4000, base - 3000]);
    const again = await Reader.open(token, '', { 'last-event-id': lastId });
    await store(me, [base - 2000]);
    await expect.poll(() => again.times).toEqual([base - 4000, base - 3000, base - 2000].map(second));
    again.close();
  });

  it('says an alert that opened meanwhile, and says it to those who see its vehicle', async () => {
    const { token } = await tokenOf(me, ['vehicles.read', 'alerts.read']);
    const reader = await Reader.open(token, 'types=alerts');
    await expect.poll(() => reader.events.length).toBe(1);
    const { lastId } = reader;
    reader.close();
    const { system } = server.context.db;
    await system.updateTable('alert').set({ closed_at: new Date() }).where('id', '=', me.alertId).execute();
    await server.context.feed.settled();
    const resumed = await Reader.open(token, `types=alerts&follow=false&lastEventId=${lastId}`);
    await expect.poll(() => resumed.isOver).toBe(true);
    expect(resumed.of<{ id: string }>('alerts').map(({ id }) => id)).toEqual([me.alertId]);
    const other = await userWithData(server);
    const stranger = await Reader.open((await tokenOf(other)).token, `follow=false&lastEventId=${lastId}`);
    await expect.poll(() => stranger.isOver).toBe(true);
    expect(JSON.stringify(stranger.events)).not.toContain(me.marker);
    expect(stranger.of<{ id: string }>('alerts').map(({ id }) => id)).toEqual([other.alertId]);
  });

  it('gives a whole backlog in pieces, each position once', async () => {
    const own = await userWithData(server);
    const { token } = await tokenOf(own, ['vehicles.read']);
    const reader = await Reader.open(token, 'types=positions&follow=false');
    await expect.poll(() => reader.isOver).toBe(true);
    const from = Date.now() - 2_000_000;
    const times = Array.from({ length: 1300 }, (_, i) => from + i * 1000);
    await store(own, times);
    const resumed = await Reader.open(token, 'types=positions&follow=false', { 'last-event-id': reader.lastId });
    await expect.poll(() => resumed.isOver).toBe(true);
    expect(resumed.times.toSorted()).toEqual(times.map(second));
    expect(resumed.events.filter(({ name }) => name === 'positions').length).toBeGreaterThan(2);
  });

  it('says that what happened is no longer known, and goes on from now', async () => {
    const { token } = await tokenOf(me);
    const old = Buffer.from(JSON.stringify(['1:1:', Date.now() - 49 * 3_600_000])).toString('base64url');
    const reader = await Reader.open(token, `follow=false&lastEventId=999999999999.${old}`);
    await expect.poll(() => reader.isOver).toBe(true);
    expect(reader.events.filter(({ name }) => name === 'reset').map(({ data }) => data)).toEqual([
      { types: ['alerts', 'changes'] },
      { types: ['positions'] },
    ]);
  });

  it('refuses an ID that no event had, types that the scopes leave out, and too many streams', async () => {
    const { token } = await tokenOf(me, ['vehicles.read']);
    const status = async (query: string) => (await server.call('GET', `/api/v1/events?${query}`, { token })).status;
    expect(await status('lastEventId=nonsense')).toBe(400);
    expect(await status('types=everything')).toBe(400);
    expect(await status('types=alerts')).toBe(403);
    const readers = await Promise.all(Array.from({ length: STREAM_LIMITS.ofSession }, () => Reader.open(token)));
    expect(await status('')).toBe(429);
    for (const reader of readers) reader.close();
    await expect.poll(() => status('follow=false')).toBe(200);
  });

  it('ends when the token is revoked, and when its user’s rights change', async () => {
    const user = await userWithData(server, { role: 'dispatcher' });
    const revoked = await tokenOf(user);
    const kept = await tokenOf(user);
    const [first, second] = await Promise.all([Reader.open(revoked.token), Reader.open(kept.token)]);
    await expect.poll(() => [first.events.length, second.events.length]).toEqual([1, 1]);
    await server.sessions.end([revoked.sessionId]);
    await expect.poll(() => first.isOver).toBe(true);
    expect(first.events.at(-1)).toMatchObject({ name: 'end', data: { reason: 'access-changed' } });
    expect(second.isOver).toBe(false);
    await server.context.db.system
      .updateTable('app_user')
      .set({ role: 'viewer' })
      .where('id', '=', user.userId)
      .execute();
    await expect.poll(() => second.isOver).toBe(true);
  });

  it('tells a reader who does not read, and cuts them: no more than a piece is in memory', async () => {
    const own = await userWithData(server);
    const { sessionId, token } = await tokenOf(own, ['vehicles.read']);
    const session = await server.sessions.findByToken(token);
    if (!session) throw new Error('There is a session.');
    const audience = { told: () => null, mayKnow: () => true };
    const parts = { ...server.organisation, reportContext: server.reportContext, audience };
    const context = { ...server.context, metrics: new (await import('prom-client')).Registry() };
    const limits = { ...STREAM_LIMITS, slowMs: 200, lookEveryMs: 20 };
    const streams = createEventStreams(context, parts, limits);
    const body = await streams.open(session, new Set(['positions'] as const), null, true);
    const from = Date.now() - 3_000_000;
    await store(
      own,
      Array.from({ length: 3000 }, (_, i) => from + i * 1000),
    );
    // Nobody reads: what waits is one piece, and what says why it ends.
    await expect.poll(() => body.writableEnded).toBe(true);
    expect(body.writableLength + body.readableLength).toBeLessThan(1_000_000);
    const text = Buffer.from(body.read() ?? '').toString();
    expect(text).toContain('event: end\ndata: {"reason":"slow"}');
    expect(text.split('"reportTime"').length - 1).toBeLessThanOrEqual(500);
    await server.sessions.end([sessionId]);
  });

  it('reads nothing of another account, whatever the cursor says', async () => {
    const [mine, theirs] = [await userWithData(server), await userWithData(server)];
    const { token } = await tokenOf(theirs);
    const begun = await Reader.open((await tokenOf(mine)).token, 'follow=false');
    await expect.poll(() => begun.isOver).toBe(true);
    await store(mine, [Date.now() - 1000]);
    const stranger = await Reader.open(token, 'follow=false', { 'last-event-id': begun.lastId });
    await expect.poll(() => stranger.isOver).toBe(true);
    expect(stranger.of('positions')).toEqual([]);
  });
});
