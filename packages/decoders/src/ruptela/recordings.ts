import type { Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {
    3: 'not one of its records has a fix: each says so by its coordinates and its time in 2000',
    7: 'its length is wrong, so that its end is not found',
  },
  cutShort: [7],
};
