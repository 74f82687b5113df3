import { type CommandEncoder, wholeParameter } from '../commands.ts';
import type { Registration, TrackerSide } from '../registration.ts';
import { h02Udp as datagram, h02 as stream } from './decode.ts';
import { encodeHeartbeat, encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import { ALARM_BITS, NEWER_ALARM_BITS, STATE_BITS, STATION_ALARM_BITS } from './status.ts';
import { KEYWORDS } from './text.ts';

/** The commands of the maker's document; `encodeCommand` adds the time. */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'engineStop', parameters: [], maker: 'S20', text: () => 'S20,1,1' },
  { command: 'engineResume', parameters: [], maker: 'S20', text: () => 'S20,1,0' },
  { command: 'alarmArm', parameters: [], maker: 'SCF', text: () => 'SCF,0,0' },
  { command: 'alarmDisarm', parameters: [], maker: 'SCF', text: () => 'SCF,1,1' },
  { command: 'deviceReboot', parameters: [], maker: 'R1', text: () => 'R1' },
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'S17',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 10, 65_535);
      return seconds === null ? null : `S17,${seconds}`;
    },
  },
];

const side: TrackerSide = {
  greeting: () => null,
  reports: (imei, positions) => positions.map(position => encodeReport(imei, position)),
  heartbeat: imei => encodeHeartbeat(imei, 100),
  hear,
};

export const h02 = {
  stream,
  datagram,
  tracker: side,
  datagramTracker: side,
  explain,
  commands: COMMANDS,
  models: [
    { models: ['SinoTrack ST-901, ST-906'], note: 'They identify themselves by ten digits, printed on the label.' },
    { models: ['TH trackers'], note: 'Their commands begin with `*TH`; write a command out in full to send it so.' },
  ],
  tables: [
    {
      title: 'H02: keywords',
      text: 'A frame with another keyword is kept as `text`. An answer repeats the frame.',
      columns: ['keyword', 'what', 'answered'],
      rows: Object.entries(KEYWORDS).map(([keyword, { what, echoed }]) => [
        `\`${keyword}\``,
        what,
        echoed ? 'yes' : 'no',
      ]),
    },
    {
      title: 'H02: status word',
      text: 'A bit counts while it is 0. The first of these is the event. Ignition is off while bit 10 is 0.',
      columns: ['bit', 'event or attribute', 'what'],
      rows: [
        ...ALARM_BITS.map(([bit, event, what]) => [String(bit), `\`${event}\``, what]),
        ...STATE_BITS.map(([bit, name]) => [String(bit), `\`${name}\``, '']),
      ],
    },
    {
      title: 'H02: status word of V6 and V8',
      text: 'The same, with these events instead.',
      columns: ['bit', 'event', 'what'],
      rows: NEWER_ALARM_BITS.map(([bit, event, what]) => [String(bit), `\`${event}\``, what]),
    },
    {
      title: 'H02: status word of V5 with stations',
      text: 'The same, with these events instead.',
      columns: ['bit', 'event', 'what'],
      rows: STATION_ALARM_BITS.map(([bit, event, what]) => [String(bit), `\`${event}\``, what]),
    },
  ],
} satisfies Registration;
