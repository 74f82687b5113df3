import { noteOf, type Recordings } from '../testing/recordings.ts';

const NO_FIX = 'there is no fix in it: it says V, and its place is 0, 0';

export const recordings: Recordings = {
  disagreements: { 8: NO_FIX, 23: NO_FIX, 24: NO_FIX },
  hints: { temp: message => noteOf(message, 'bodyTemperature') },
};
