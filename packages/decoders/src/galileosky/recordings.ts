import type { Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = { disagreements: {} };
