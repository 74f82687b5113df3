import { epochMs } from '@milepost/units';
import type { Registration, TrackerSide } from '../registration.ts';
import { COMMANDS } from './commands.ts';
import { gl200Tcp, gl200Udp } from './decode.ts';
import { encodeHeartbeat, encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import { REPORTS } from './reports.ts';

const tracker: TrackerSide = {
  greeting: () => null,
  reports: (imei, positions, serial) => positions.map((position, i) => encodeReport(imei, position, serial + i)),
  heartbeat: (imei, serial) => encodeHeartbeat(imei, epochMs(Date.UTC(2026, 0, 1)), serial),
  hear,
};

const meaningOf = (meaning: (typeof REPORTS)[string]): string =>
  meaning === null || meaning === undefined
    ? 'none'
    : typeof meaning === 'string'
      ? `\`${meaning}\``
      : `type 0 \`${meaning[0]}\`, type 1 \`${meaning[1]}\``;

export const gl200 = {
  terminator: '$',
  stream: gl200Tcp,
  datagram: gl200Udp,
  tracker,
  datagramTracker: tracker,
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['GV55', 'GV65', 'GV75', 'GV200', 'GV300', 'GV350M', 'GV500', 'GV600'],
      note: 'Vehicle models: the device status says ignition and motion; external voltage stands before the report’s kind.',
    },
    {
      models: ['GL200', 'GL300', 'GL50', 'GL500', 'GB100'],
      note: 'Handhelds and asset trackers: no ignition; the battery in percent is the last value of a report.',
    },
    {
      models: ['GV500'],
      note: 'OBD models put the VIN before the device’s name; GTOBD has the engine’s values.',
    },
    {
      models: ['GL601', 'GL320M'],
      note: 'Newer models send binary records only; position and time are read, the rest is kept as hexadecimal.',
    },
  ],
  tables: [
    {
      title: 'Queclink: reports and events',
      text: 'Reports not listed here are read too if they contain a position, without an event.',
      columns: ['report', 'event'],
      rows: Object.entries(REPORTS).map(([name, meaning]) => [`+RESP:${name}`, meaningOf(meaning)]),
    },
  ],
} satisfies Registration;
