import { type CommandEncoder, wholeParameter } from '../commands.ts';
import type { Registration } from '../registration.ts';
import { galileosky as stream } from './decode.ts';
import { encodeHead, encodePacks } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import type { TagRow } from './tag-row.ts';
import { EXTENDED_TAGS, TAGS } from './tags.ts';

/**
 * User's manuals, "Information commands", "Signaling mode setting", "Track parameters". Not `Out`: what the manuals say
 * of its 0 and 1, and their example of it, contradict each other, and a relay may hang on it.
 */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'getStatus', parameters: [], maker: 'Status', text: () => 'Status' },
  { command: 'getIo', parameters: [], maker: 'inall', text: () => 'inall' },
  { command: 'getFuel', parameters: [], maker: 'RS485', text: () => 'RS485' },
  { command: 'getTemp', parameters: [], maker: 'temex0', text: () => 'temex0' },
  { command: 'alarmArm', parameters: [], maker: 'S', text: () => 'S' },
  { command: 'alarmDisarm', parameters: [], maker: 'DS', text: () => 'DS' },
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'WrPeriod',
    // Both periods, in motion and parked, because the command has no other form.
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 1, 65_535);
      return seconds === null ? null : `WrPeriod ${seconds},${seconds}`;
    },
  },
];

const rowsOf = (tags: readonly TagRow[], digits: number): string[][] =>
  tags.map(([tag, bytes, name, unit]) => [
    `0x${tag.toString(16).toUpperCase().padStart(digits, '0')}`,
    String(bytes),
    `\`${name}\``,
    unit,
  ]);

export const galileosky = {
  stream,
  tracker: {
    greeting: encodeHead,
    reports: (_imei, positions, serial) => encodePacks(positions, serial),
    heartbeat: () => null,
    hear,
  },
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['Galileosky v2.3 … v5.1, 7.0, 7x, 10, Base Block, Lite, OBD-II, BoxFinder'],
      note: 'Which tags are sent is set in the tracker (HeadPack, MainPack); the head pack must have the IMEI.',
    },
    {
      models: ['Galileosky GLONASS/GPS Satellite v4.0'],
      note: 'Over Iridium the tracker has the IMEI of its satellite modem: add it as the vehicle’s other tracker ID.',
    },
  ],
  tables: [
    {
      title: 'Galileosky: tags',
      text: 'A tag that is not listed has no known length: what follows it is kept as hexadecimal, up to the next record.',
      columns: ['tag', 'bytes', 'attribute', 'unit'],
      rows: rowsOf(TAGS, 2),
    },
    {
      title: 'Galileosky: extended tags',
      text: 'They stand in the data of 0xFE. One that is not listed, and what follows it there, becomes `extended`.',
      columns: ['tag', 'bytes', 'attribute', 'unit'],
      rows: rowsOf(EXTENDED_TAGS, 4),
    },
  ],
} satisfies Registration;
