import type { Registration, TrackerSide } from '../registration.ts';
import { COMMANDS } from './commands.ts';
import { meitrackTcp, meitrackUdp } from './decode.ts';
import { encodeCce, encodeReply, encodeText } from './encode.ts';
import { EVENT_CODES } from './event-codes.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import { nameOfUnknown, PARAMETERS } from './parameters.ts';

const tracker: TrackerSide = {
  greeting: () => null,
  // Newer models put several reports into a packet, older ones send text.
  reports: (imei, positions, serial) =>
    positions.length > 1
      ? chunks(positions, 8).map((some, i) => encodeCce(imei, some, serial + i))
      : positions.map((position, i) => encodeText(imei, position, serial + i)),
  heartbeat: (imei, serial) => encodeReply(imei, 'D82,0', serial),
  hear,
};

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

export const meitrack = {
  terminator: '\r\n',
  stream: meitrackTcp,
  datagram: meitrackUdp,
  tracker,
  datagramTracker: tracker,
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['MVT340', 'MVT380', 'MVT600', 'MT90', 'T1', 'T3'],
      note: 'Text. Battery and external voltage are converter readings; the scale follows from the battery’s.',
    },
    { models: ['T333', 'T366', 'T399', 'T622', 'T633L', 'MD500'], note: 'Binary CCE, many reports in a packet.' },
    { models: ['P88L', 'P99G', 'TA255'], note: 'Personal and asset trackers: no inputs, so no ignition.' },
    { models: ['K211G'], note: 'Electronic lock: `locked` and, from a card, `driverIdentified`.' },
  ],
  tables: [
    {
      title: 'Meitrack: event codes',
      text: 'Codes 31–35 are reports without an event; any other stays in the attribute `eventCode`.',
      columns: ['code', 'event'],
      rows: [...EVENT_CODES].map(([code, event]) => [`${code}`, `\`${event}\``]),
    },
    {
      title: 'Meitrack: CCE parameters',
      text: 'Besides place, time, counters, inputs, outputs, tower, Wi-Fi, probes and tags. Others become `p` and their number in hexadecimal.',
      columns: ['id', 'attribute', 'unit', 'source'],
      rows: PARAMETERS.map(({ id, name, unit, recorded }) => [
        nameOfUnknown(id).slice(1),
        `\`${name}\``,
        unit,
        recorded ? 'recordings' : 'document',
      ]),
    },
  ],
} satisfies Registration;
