import { GAP_MS } from '@milepost/geo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Day, withPrivateTimes } from './day.ts';

const MINUTE = 60_000;
const at = (minute: number): string => new Date(minute * MINUTE).toISOString();
const segment = (kind: Day['segments'][number]['kind'], from: number, to: number, distanceM = 0) => ({
  ...{ kind, from: at(from), to: at(to), distanceM },
});
const span = (from: number, to: number) => ({ fromMs: from * MINUTE, toMs: to * MINUTE });

describe('[N8] private time in a day', () => {
  it('is where it hides data, up to the reports around it', () => {
    const segments = [segment('moving', 0, 10), segment('gap', 10, 70, 600), segment('stopped', 70, 90)];
    expect(withPrivateTimes(segments, [span(12, 40), span(75, 80)])).toEqual([
      segments[0],
      segment('private', 10, 40, 300),
      segment('gap', 40, 70, 300),
      segments[2],
    ]);
  });

  it('changes only gaps, leaves no hole, and keeps every meter, for any times', () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(minutes, minutes, fc.boolean(), (lengths, cuts, startsWithGap) => {
        let minute = 0;
        const segments = lengths.map((length, i) => {
          const from = minute;
          minute += length;
          return segment(i % 2 === Number(startsWithGap) ? 'gap' : 'moving', from, minute, length);
        });
        let start = 0;
        const spans = cuts.map(cut => {
          const from = start + cut;
          start = from + Math.ceil(cut / 2);
          return span(from, start);
        });
        const result = withPrivateTimes(segments, spans);
        expect(result.filter(({ kind }) => kind === 'moving')).toEqual(
          segments.filter(({ kind }) => kind === 'moving'),
        );
        for (const [i, { from }] of result.entries()) expect(from).toBe(result[i - 1]?.to ?? at(0));
        expect(result.at(-1)?.to).toBe(at(minute));
        expect(result.reduce((sum, { distanceM }) => sum + distanceM, 0)).toBeCloseTo(minute, 6);
        for (const { kind, from, to } of result) {
          const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
          const isHidden = spans.some(each => each.fromMs < toMs && each.toMs > fromMs);
          if (kind === 'private') expect(isHidden).toBe(true);
          if (kind === 'gap' && isHidden) throw new Error('Private time is shown as a gap.');
          if (kind === 'gap' && toMs - fromMs < GAP_MS)
            expect(segments).toContainEqual(expect.objectContaining({ from, to }));
        }
      }),
    );
  });
});
