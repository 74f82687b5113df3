import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: { 9: 'its place is 0, 0, at a time in 1970' },
  hints: { tag1temp: message => noteOf(message, 'tag1Temp') },
};
