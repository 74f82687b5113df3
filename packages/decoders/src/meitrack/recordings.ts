import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {
    3: 'the checksum is wrong',
    4: 'the checksum is wrong',
    21: 'the checksum is wrong',
    27: 'the checksum is wrong',
  },
  cutShort: [14],
  hints: {
    // The hint has the date as a folder before the name that the tracker sends.
    image: message => {
      const name = String(noteOf(message, 'picture'));
      return `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}/${name}`;
    },
    tagtemp: message => noteOf(message, 'tag1Temperature'),
    lock: message => noteOf(message, 'locked'),
    input: message =>
      [1, 2, 3, 4, 5, 6, 7, 8].reduce((bits, n) => bits + (noteOf(message, `input${n}`) ? 2 ** (n - 1) : 0), 0),
  },
};
