import type { Registration } from '../registration.ts';
import { atrackUdp as datagram, atrack as stream } from './decode.ts';
import { acknowledgement, encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { CUSTOM } from './fields.ts';

const tracker: NonNullable<Registration['tracker']> = {
  greeting: imei => acknowledgement(imei, 0),
  reports: (imei, positions, serial) => positions.map((position, i) => encodeReport(imei, position, serial + i)),
  heartbeat: (imei, serial) => acknowledgement(imei, serial & 0xffff),
};

export const atrack = {
  stream,
  datagram,
  tracker,
  datagramTracker: tracker,
  explain,
  commands: [],
  models: [
    {
      models: ['AT1, AT5, AK1, AK7, AL1, AS3, AU7, AX5, AX7, AX9, AX11, AY5'],
      note: 'Which values follow a fix is set in the tracker (AT$FORM); their list must be sent with them.',
    },
  ],
  tables: [
    {
      title: 'ATrack: listed values',
      text: 'Widths are from recordings. Another value, and what follows it in its record, is kept as sent.',
      columns: ['value', 'bytes', 'attribute', 'what'],
      rows: [...CUSTOM].map(([name, { width, attribute, what }]) => [name, String(width), `\`${attribute}\``, what]),
    },
  ],
} satisfies Registration;
