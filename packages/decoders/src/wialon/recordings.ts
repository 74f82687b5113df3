import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {},
  hints: { motion: message => noteOf(message, 'movement'), di_light: message => noteOf(message, 'di_light') },
};
