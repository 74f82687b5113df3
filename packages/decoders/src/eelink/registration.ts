import type { Registration } from '../registration.ts';
import { eelinkUdp as datagram, PACKAGES, eelink as stream } from './decode.ts';
import { encodeHeartbeat, encodeLogin, encodeReport, wrapped } from './encode.ts';
import { explain } from './explain.ts';
import { WARNING_NAMES, WARNINGS } from './warnings.ts';

const hexText = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;
/** 1–65535, then again from 1. */
const sequenceOf = (serial: number): number => ((serial - 1) % 0xffff) + 1;

export const eelink = {
  stream,
  datagram,
  tracker: {
    greeting: imei => encodeLogin(imei),
    reports: (_imei, positions, serial) =>
      positions.map((position, i) => encodeReport(position, sequenceOf(serial + i))),
    heartbeat: (_imei, serial) => encodeHeartbeat(true, sequenceOf(serial)),
  },
  datagramTracker: {
    greeting: imei => wrapped(imei, encodeLogin(imei)),
    reports: (imei, positions, serial) =>
      positions.map((position, i) => wrapped(imei, encodeReport(position, sequenceOf(serial + i)))),
    // "UDP is not a stream-like protocol, so heartbeat package is not necessary for it."
    heartbeat: () => null,
  },
  explain,
  commands: [],
  models: [
    { models: ['GOT10, TK116'], note: 'Before version 2: packages 0x02, 0x04 and 0x05.' },
    { models: ['TK418, TK419, GPT06, GPT09'], note: 'Version 2: packages 0x12 and 0x14.' },
  ],
  tables: [
    {
      title: 'Eelink: packages',
      text: 'What is not read is kept as sent.',
      columns: ['package', 'what', 'read'],
      rows: [...PACKAGES].map(([type, { what, read }]) => [
        hexText(type),
        what,
        read || type === 1 ? 'yes' : 'as sent',
      ]),
    },
    {
      title: 'Eelink: warnings',
      text: 'Any other is the event `alarm`, with its number in the attribute `alarmCode`.',
      columns: ['warning', 'what', 'event'],
      rows: Object.entries(WARNING_NAMES).map(([type, what]) => [
        hexText(Number(type)),
        what,
        `\`${WARNINGS.get(Number(type)) ?? 'alarm'}\``,
      ]),
    },
  ],
} satisfies Registration;
