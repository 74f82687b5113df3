import { expect, it } from 'vitest';
import { mergeOffers, type SharedOffer } from './offers.ts';

const offer = (vehicles: number, ...actions: SharedOffer['offer']['actions']): SharedOffer => ({
  vehicles,
  offer: { actions },
});
const interval = (needsModel: boolean) => ({
  action: 'setGprsInterval' as const,
  maker: needsModel ? 'W005' : 'setparam 10055',
  parameters: [
    { name: 'seconds', required: true },
    { name: 'model', required: needsModel },
  ],
  modes: [],
});

it('commands of several trackers come together, with how many have each', () => {
  const status = { action: 'getStatus' as const, maker: 'getstatus', parameters: [], modes: [] };
  const merged = mergeOffers([offer(2, interval(false), status), offer(1, interval(true))]);
  expect(merged.map(({ action, vehicles, category }) => [action, vehicles, category])).toEqual([
    ['getStatus', 2, 'read'],
    ['setGprsInterval', 3, 'settings'],
  ]);
  expect(merged[1]?.makers).toEqual(['setparam 10055', 'W005']);
  // One tracker requires it, so it is required for all.
  expect(merged[1]?.parameters).toEqual([
    { name: 'seconds', required: true },
    { name: 'model', required: true },
  ]);
});
