import type { Registration } from '../registration.ts';
import { ALARM_BITS, EARLIER_BITS, OTHER_ALARM_BITS } from './alarms.ts';
import { COMMANDS } from './commands.ts';
import { jt808Udp as datagram, jt808 as stream } from './decode.ts';
import { encodeHeartbeat, encodeLocation, encodeRegistration } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import { STANDARD_ITEMS } from './items.ts';
import { MESSAGES } from './messages.ts';
import { STREAM_NUMBERS } from './stream-numbers.ts';

const hexOf = (value: number, digits: number): string => `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;
const reports = (
  imei: string,
  positions: Parameters<typeof encodeLocation>[1][],
  serial: number,
): readonly Uint8Array[] => positions.map((position, i) => encodeLocation(imei, position, serial + i));

const ANSWERS = {
  general: '0x8001',
  registration: '0x8100',
  time: '0x8004',
  picture: '0x8800, or 0x8001 for a part',
  nothing: 'none',
} as const;

export const jt808 = {
  stream,
  datagram,
  tracker: {
    greeting: imei => encodeRegistration(imei, 1),
    reports: (imei, positions, serial) => reports(imei, [...positions], serial),
    heartbeat: encodeHeartbeat,
    hear,
  },
  datagramTracker: {
    greeting: () => null,
    reports: (imei, positions, serial) => reports(imei, [...positions], serial),
    heartbeat: encodeHeartbeat,
    hear,
  },
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['Jointech JT701, JT709'],
      note: 'Locks send 0x5501 and 0x5502 with a serial number of one byte, day first and in UTC.',
    },
    { models: ['AOVX VL300'], note: 'Voltages come in items 0xF1 and 0xF7, radio tags in 0x0900 of type 0x53.' },
    {
      models: ['Trackers without a telephone number'],
      note: 'The header then carries the IMEI: its 15 digits since 2019, or its first 14 as a binary number.',
    },
  ],
  tables: [
    {
      title: 'JT/T 808: messages of the tracker',
      text: 'Any other message is confirmed; if it contains a location, that is read, otherwise it is kept as `messageId` with its bytes in `data`.',
      columns: ['id', 'what', 'answer'],
      rows: [...MESSAGES].map(([id, { name, answer }]) => [hexOf(id, 4), name, ANSWERS[answer]]),
    },
    {
      title: 'JT/T 808: alarm bits',
      text: 'The first of these that is set is the event; `alarms` lists all if there are several.',
      columns: ['bit', 'event', 'what'],
      rows: [
        ...ALARM_BITS.map(([bit, event, what]) => [String(bit), `\`${event}\``, what]),
        ...EARLIER_BITS.map(([bit, event, what]) => [`${bit} before 2019`, `\`${event}\``, what]),
        ...OTHER_ALARM_BITS.map(([bit, name]) => [String(bit), '`alarm`', `\`${name}\``]),
      ],
    },
    {
      title: 'JT/T 808: additional items of a location',
      text: 'Items of other numbers or lengths become `item` with the number, unless a recording explains them.',
      columns: ['id', 'bytes', 'attribute', 'unit'],
      rows: STANDARD_ITEMS.map(([id, bytes, name, unit]) => [hexOf(id, 2), String(bytes), `\`${name}\``, unit]),
    },
    {
      title: 'JT/T 808: numbers of OBD terminals',
      text: 'In items 0xEA to 0xED of “4G Wireless Air Protocol”. Others become `obd` with the number.',
      columns: ['id', 'bytes', 'attribute', 'unit'],
      rows: STREAM_NUMBERS.map(([id, bytes, name, unit]) => [hexOf(id, 4), String(bytes), `\`${name}\``, unit]),
    },
  ],
} satisfies Registration;
