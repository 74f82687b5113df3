import { listLogDays, proposeEdit, type ReportPage, type Route, type RouteAnswer } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { keptLog, unidentifiedDrive } from '../../../testing/cross-account/kept-log.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { event, OWNER } from '../../../testing/logbook.ts';
import type { EntryDraft } from '../logbook/draft.ts';
import { writeEntries } from '../logbook/write.ts';

const HOUR = 3_600_000;
const PERIOD = { from: '2026-02-01', to: '2026-02-28' };

let server: TestHttpServer;
let me: UserWithData;
let record: string;

/** February 4 in Chicago: 13 hours of driving, two of them over the limit, then personal use of the vehicle. */
beforeAll(async () => {
  server = await startHttpServer();
  me = await userWithData(server);
  record = await keptLog(server, me);
  const at = Date.parse('2026-02-10T12:00:00Z');
  const head = { log: `driver:${me.driverId}`, device: `vehicle:${me.vehicleId}` as const, by: me.userId };
  const duty = (state: 'OFF' | 'D', hours: number): EntryDraft => ({
    ...{ ...head, action: 'record' },
    event: event(state, at + hours * HOUR, '', state === 'D' ? 'automatic' : 'driver'),
  });
  const drafts: EntryDraft[] = [
    duty('OFF', -24),
    duty('D', 0),
    duty('OFF', 13),
    {
      ...{ ...head, action: 'record' },
      event: { ...event('OFF', at + 14 * HOUR), type: 3, code: 1, miles: null, hours: null },
    },
  ];
  const written = await writeEntries(server.context.db, me.accountId, drafts, () => OWNER, at + 15 * HOUR);
  if (!written.ok) throw new Error(written.refusal);
});
afterAll(() => server.close());

async function ask<R extends Route>(route: R, path: string, body?: unknown): Promise<RouteAnswer<R>> {
  const options = { token: me.token, ...(body !== undefined && { body }) };
  return route.response.parse((await server.call(route.method, `/api/v1/eld/${path}`, options)).body) as RouteAnswer<R>;
}
async function run(key: string, query: Readonly<Record<string, string>> = {}) {
  const path = `/api/v1/report/${key}?${new URLSearchParams({ ...PERIOD, limit: '500', ...query })}`;
  const page = (await server.call('GET', path, { token: me.token })).body as ReportPage;
  const cell = (row: number, column: string) =>
    page.rows[row]?.cells[page.columns.findIndex(one => one.key === column)];
  return { page, cell };
}

describe('[R2.04] reports of logs', () => {
  it('add up to the totals of the days that they are made of', async () => {
    const days = await ask(listLogDays, `log?from=${PERIOD.from}&to=${PERIOD.to}`);
    const { page } = await run('log-summary');
    expect(page.total).toBe(days.length);
    const sums = { driving: 'D', onDuty: 'ON', sleeper: 'SB', offDuty: 'OFF' } as const;
    for (const [key, line] of Object.entries(sums)) {
      const total = page.totals[page.columns.findIndex(one => one.key === key)];
      expect([key, total]).toEqual([key, days.reduce((sum, day) => sum + day.totals[line], 0)]);
    }
    const grouped = await run('log-summary', { groupBy: 'driver' });
    expect(grouped.page.totals).toEqual(page.totals);
  });

  it('have each violation once, on the day on which it began', async () => {
    const { page, cell } = await run('hours-violations');
    const days = await ask(listLogDays, `log?from=${PERIOD.from}&to=${PERIOD.to}`);
    const all = new Set(days.flatMap(({ violations }) => violations.map(({ rule, from }) => `${rule} ${from}`)));
    expect(page.total).toBe(all.size);
    expect(cell(0, 'day')).toBe('2026-02-10');
    const elevenHours = page.rows.findIndex((_, row) => cell(row, 'clause') === '49 CFR 395.3(a)(3)(i)');
    expect(cell(elevenHours, 'rule')).toBe('11 hours of driving');
    expect([cell(elevenHours, 'over'), cell(elevenHours, 'severity')]).toEqual([2 * 3600, '15 minutes or more']);
  });

  it('list days without a signature, errors of form, and personal use', async () => {
    const uncertified = await run('uncertified-days');
    expect(uncertified.cell(0, 'day')).toBe('2026-02-04');
    expect(uncertified.cell(0, 'state')).toBe('Not certified');
    const errors = await run('form-and-manner', { language: 'es' });
    expect(errors.page.rows.map((_, row) => errors.cell(row, 'error'))).toContain(
      'El uso personal o un movimiento en patio no tiene nota',
    );
    const personal = await run('personal-use');
    expect(personal.cell(0, 'start')).toBe('2026-02-11T02:00:00.000Z');
    const seconds = personal.page.totals[personal.page.columns.findIndex(one => one.key === 'length')];
    const asked = Date.parse('2026-03-01T06:00:00Z') - Date.parse('2026-02-11T02:00:00Z');
    expect(seconds).toBe(asked / 1000);
  });

  it('list unidentified driving, and what was proposed', async () => {
    await unidentifiedDrive(server, me);
    const calendar = server.figures.calendar(me.accountId);
    const today = calendar.dayOf(Date.now());
    const period = { from: calendar.dateOf(today - 1), to: calendar.dateOf(today) };
    const drives = await run('unidentified-driving', period);
    expect([drives.cell(0, 'length'), drives.cell(0, 'takenBy')]).toEqual([3600, null]);
    await ask(proposeEdit, 'edit', {
      ...{ driverId: me.driverId, replaces: record, status: 'OFF', at: '2026-02-03T14:00:00Z' },
      reason: 'Was off duty then',
    });
    const edits = await run('log-edits');
    const row = ['kind', 'before', 'after', 'reason'].map(column => edits.cell(0, column));
    expect(row).toEqual(['Proposed, no answer yet', 'ON', 'OFF', 'Was off duty then']);
  });
});
