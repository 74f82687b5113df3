import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {},
  hints: {
    status: (message, value) => `0x${noteOf(message, 'status')}L` === value && value,
    result: (message, value) => message.kind === 'reply' && message.text === value.replaceAll('\\n', '\n') && value,
  },
};
