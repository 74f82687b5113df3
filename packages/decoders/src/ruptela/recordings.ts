import type { Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: { 7: 'its length is wrong, so that its end is not found' },
  cutShort: [7],
};
