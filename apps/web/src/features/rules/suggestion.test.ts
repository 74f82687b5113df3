import type { BacktestAlert } from '@milepost/contract';
import { expect, it } from 'vitest';
import type { Tested } from '../../rules/use-rules.ts';
import { suggestionOf } from './suggestion.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20) + minute * 60_000).toISOString();

/** Stays of so many minutes, one every two hours, tested for 10 min and for longer ones. */
function tested(stays: readonly number[], variants: readonly number[]): Tested {
  const alerts = [10, ...variants].flatMap((duration, setting) =>
    stays.flatMap((minutes, nth): BacktestAlert[] => {
      if (minutes < duration) return [];
      return [
        {
          ...{
            setting,
            deviceId: '1',
            geofenceId: '2',
            lat: 0,
            lon: 0,
            crossing: null,
            otherId: null,
            expectedId: null,
          },
          ...{ beganAt: at(nth * 120), at: at(nth * 120 + duration), endedAt: at(nth * 120 + minutes) },
          figures: { speed: null, temp: null, battery: null, supply: null, fuelLost: null },
        },
      ];
    }),
  );
  return {
    ...{ rule: { trigger: { kind: 'stay', minutes: 10 } }, from: at(0), to: at(1440), variants, alerts },
    ...{ vehicles: new Map(), total: 1, positions: 1, tookMs: 1, state: 'done', error: null },
  };
}
const STAYS = [12, 14, 50, 13, 11, 90];
/** The stay that began as the nth one was acknowledged. */
const acted = (...nths: readonly number[]) => nths.map(nth => ({ deviceId: '1', openedAt: at(nth * 120 + 10) }));

it('[R7.37] suggests the longest duration that keeps what someone acted on', () => {
  const variants = [20, 40, 60];
  expect(suggestionOf(tested(STAYS, variants), 10, acted(2))).toEqual({ duration: 20, count: 2, kept: 1 });
  expect(suggestionOf(tested(STAYS, variants), 10, acted(5))).toEqual({ duration: 60, count: 1, kept: 1 });
  expect(suggestionOf(tested(STAYS, variants), 10, acted(0, 5))).toBeNull();
});

it('[R7.37] if nobody acted on anything, suggests what silences half of a noisy rule, and nothing for a quiet one', () => {
  expect(suggestionOf(tested(STAYS, [15, 60]), 10, [])).toEqual({ duration: 15, count: 2, kept: 0 });
  expect(suggestionOf(tested([], [15, 60]), 10, [])).toBeNull();
  expect(suggestionOf(tested(STAYS, [5]), 10, [])).toBeNull();
  // Another vehicle's alert, and one that the rule as it is now wouldn't alert, are not lost.
  expect(suggestionOf(tested(STAYS, [15]), 10, [{ deviceId: '9', openedAt: at(10) }])).toMatchObject({ duration: 15 });
});
