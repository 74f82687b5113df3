import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {
    9: 'its place is 0, 0 and not valid',
    10: 'its place is 0, 0 and not valid',
  },
  hints: {
    'temp + 2': message => (message.kind === 'position' ? message.temperature : noteOf(message, 'temperature')),
  },
};
