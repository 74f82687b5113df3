import type { HttpClient } from '@milepost/client';
import type { Vehicle } from '@milepost/contract';
import { expect, it } from 'vitest';
import { completeUntil, missingPast, weeksOf } from './missing-past.ts';

const minutes = (...times: number[]) => times.map(time => time * 60_000);
const BEGINNING = -99;

it('finds nothing missing in continuous reports', () => {
  expect(completeUntil(minutes(5, 20, 35, 60, 84), 0, BEGINNING)).toBeNull();
});

it('finds the gap that an outage left', () => {
  expect(completeUntil(minutes(5, 20, 80, 84), 0, BEGINNING)).toBe(20 * 60_000);
});

it('returns everything if the hours before the newest reports are missing', () => {
  expect(completeUntil(minutes(150, 160, 170), 0, BEGINNING)).toBe(BEGINNING);
});

const WEEK = 7 * 24 * 3_600_000;
const TO = 100.3 * WEEK;
const FROM = TO - 4 * WEEK;
/** A server with reports in these time spans, every quarter of an hour, and one of its vehicles. */
function serverWith(...spans: { from: number; to: number }[]) {
  const times: number[] = [];
  for (const { from, to } of spans) for (let time = from; time <= to; time += 900_000) times.push(time);
  const newest = times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
  const call = async (_route: unknown, { query }: { query: { from: string; to: string } }) =>
    times
      .filter(time => time >= Date.parse(query.from) && time <= Date.parse(query.to))
      .map(time => {
        const at = new Date(time).toISOString();
        return { reportDate: at.slice(0, 10), reportTime: at.slice(11, 19) };
      });
  const vehicle = { id: '1', live: { fixAt: newest } } as unknown as Vehicle;
  return missingPast(vehicle, { call } as unknown as HttpClient, { from: FROM, to: TO });
}

it('delivers the newest week first, split at the same moments at each start', () => {
  const weeks = weeksOf({ from: FROM, to: TO });
  expect(weeks.map(({ from, to }) => [from / WEEK, to / WEEK].map(cut => Math.round(cut * 10) / 10))).toEqual([
    [100, 100.3],
    [99, 100],
    [98, 99],
    [97, 98],
    [96.3, 97],
  ]);
});

it('delivers everything to an empty server, and only new reports to one that has the rest', async () => {
  expect(await serverWith()).toEqual(weeksOf({ from: FROM, to: TO }));
  const news = await serverWith({ from: FROM, to: TO - 600_000 });
  expect(news).toHaveLength(1);
  expect(news[0]!.to - news[0]!.from).toBeLessThan(1_800_000);
});

it('continues where it was stopped, in this week or weeks ago', async () => {
  const [thisWeek, , ...older] = weeksOf({ from: FROM, to: TO });
  const justBegun = await serverWith({ from: TO - 1_500_000, to: TO });
  expect(justBegun).toEqual(weeksOf({ from: FROM, to: TO }));
  const inTheMiddle = await serverWith(
    { from: 99 * WEEK + 900_000, to: TO },
    { from: 98 * WEEK + 900_000, to: 98.5 * WEEK },
  );
  expect(inTheMiddle.slice(-older.length)).toEqual(older);
  expect(inTheMiddle.slice(0, -older.length).every(({ from }) => from > thisWeek!.from)).toBe(true);
});
