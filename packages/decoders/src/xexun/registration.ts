import type { Registration, TrackerSide } from '../registration.ts';
import { xexunUdp as datagram, xexun as stream } from './decode.ts';
import { encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { EVENTS } from './words.ts';

const side: TrackerSide = {
  greeting: () => null,
  reports: (imei, positions) => positions.map(position => encodeReport(imei, position)),
  heartbeat: () => null,
};

export const xexun = {
  terminator: '\r\n',
  stream,
  datagram,
  tracker: side,
  datagramTracker: side,
  explain,
  commands: [],
  models: [{ models: ['TK102, TK102-2, TK201, TK203, TK206'], note: 'They take commands by SMS only.' }],
  tables: [
    {
      title: 'Xexun: events',
      text: 'The field before the IMEI, in any case. Any other word is the event `alarm` with the word in `alarmCode`.',
      columns: ['word', 'event'],
      rows: EVENTS.map(([word, event]) => [`\`${word}\``, `\`${event}\``]),
    },
  ],
} satisfies Registration;
