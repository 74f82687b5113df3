import { degrees, epochMs } from '@milepost/units';
import { positionOf } from '../position.ts';
import type { Registration } from '../registration.ts';
import { ALARMS } from './alarms.ts';
import { totem as stream } from './decode.ts';
import { encodeHeartbeat, encodeReport } from './encode.ts';
import { explain } from './explain.ts';

/** 1–9999, then again from 1. */
const serialOf = (serial: number): number => ((serial - 1) % 9999) + 1;
/** A heartbeat of a tracker whose clock was never set. */
const NOWHERE = positionOf({ time: epochMs(Date.UTC(2000, 0)), valid: false, lat: degrees(0), lon: degrees(0) });

export const totem = {
  terminator: '\r\n',
  stream,
  tracker: {
    greeting: () => null,
    reports: (imei, positions, serial) =>
      positions.map((position, i) => encodeReport(imei, position, serialOf(serial + i))),
    heartbeat: (imei, serial) => encodeHeartbeat(imei, NOWHERE, serialOf(serial)),
  },
  explain,
  commands: [],
  models: [
    { models: ['AVL02, AVL05, AVL08, AVL201'], note: 'GPRMC and fields between bars, with a CRC of four digits.' },
    {
      models: ['AT05, AT07, AT09'],
      note: 'One string without separators, with a checksum of two digits; its values differ.',
    },
  ],
  tables: [
    {
      title: 'Totem: types of alarm',
      text: 'Any other is the event `alarm`, with its number in the attribute `alarmCode`; so are all of the AT series but `AA`.',
      columns: ['type', 'what', 'event'],
      rows: Object.entries(ALARMS).map(([type, { what, event }]) => [
        type,
        what,
        event === null ? 'none' : `\`${event}\``,
      ]),
    },
  ],
} satisfies Registration;
