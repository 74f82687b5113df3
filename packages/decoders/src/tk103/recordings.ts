import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {
    1: 'no document at hand explains BS50, the values of a battery',
    6: 'there is no fix in it, only a tower',
    9: 'its place is zeros, and it says that it has no fix',
    21: 'its date has an eighteenth month',
    12: 'no document says that a comma before the inputs makes fuel of them',
  },
  hints: { vin: message => noteOf(message, 'vin') },
};
