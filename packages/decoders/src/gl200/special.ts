import type { Celsius } from '@milepost/units';
import { ascii } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import type { Attributes } from '../protocol.ts';
import { motionEvent } from './reports.ts';
import { readNumber } from './text-fields.ts';

interface Special {
  readonly event: TrackerEvent | null;
  readonly temperature: Celsius | null;
  readonly rfid: string | null;
  readonly satellites: number | null;
  readonly attributes: Attributes;
}

/** "Alarm type" of GTTEM: 1 below the range, 2 within it again, 3 above. */
const WITHIN = '2';

const PLAIN: Special = { event: null, temperature: null, rfid: null, satellites: null, attributes: {} };

/** Reports with their own fields before the position. */
export function special(name: string, before: readonly string[]): Special {
  const [first = '', second = ''] = before;
  switch (name) {
    case 'GTSTT':
      return { ...PLAIN, event: motionEvent(first) };
    case 'GTIDA':
      return { ...PLAIN, rfid: /^[0-9A-F]{6,20}$/i.test(second) ? second.toUpperCase() : null };
    case 'GTDAT':
      return { ...PLAIN, attributes: { serialData: before.at(-1) ?? '' } };
    case 'GTDTT':
      return { ...PLAIN, attributes: serialData(before.at(-1) ?? '') };
    case 'GTDAR':
      return { ...PLAIN, attributes: { warningType: first } };
    case 'GTBPL':
      return { ...PLAIN, attributes: volts('batteryVoltage', first) };
    case 'GTSTC':
      return { ...PLAIN, attributes: { charging: false } };
    case 'GTBID':
      return {
        ...PLAIN,
        attributes: { tag1Mac: before[3] ?? '', ...volts('tag1BatteryVoltage', before[4] ?? '', 1000) },
      };
    case 'GTJDS':
      return { ...PLAIN, event: first === '1' ? 'jammingEnd' : first === '2' ? 'jamming' : null };
    case 'GTGSS':
      return { ...PLAIN, ...signalOf(first, second) };
    case 'GTLSW':
      return { ...PLAIN, attributes: /^[01]$/.test(second) ? { input1: second === '1' } : {} };
    case 'GTSZI':
      return { ...PLAIN, ...crossing(second, before[2] ?? '') };
    case 'GTFLA':
    case 'GTEPS':
    case 'GTAIS':
      return { ...PLAIN, event: 'alarm', attributes: { alarmCode: name } };
    case 'GTTEM':
    case 'GTTMP': {
      // Models with probes have other fields here.
      if (!/^[123]$/.test(first)) return { ...PLAIN, event: 'alarm', attributes: { alarmCode: name } };
      const value = readNumber(second);
      if (name === 'GTTEM' && first === WITHIN) return { ...PLAIN, temperature: value as Celsius | null };
      return {
        ...PLAIN,
        event: 'alarm',
        temperature: value as Celsius | null,
        attributes: { alarmCode: name, temperatureAlarm: first },
      };
    }
    default:
      return PLAIN;
  }
}

/** "GTSZI" of the first models: 0 left and 1 entered the fence, as in GTGEO of later ones. */
const crossing = (fence: string, state: string): Pick<Special, 'event' | 'attributes'> => ({
  event: state === '0' ? 'geofenceExit' : state === '1' ? 'geofenceEnter' : null,
  attributes: /^\d+$/.test(fence) ? { fence: Number(fence) } : {},
});

/** "GTGSS": "GPS signal status", 0 lost and 1 found again, and "Satellite number". */
const signalOf = (status: string, satellites: string): Pick<Special, 'event' | 'satellites'> => ({
  event: status === '0' ? 'gpsLost' : status === '1' ? 'gpsFound' : null,
  satellites: /^\d{1,2}$/.test(satellites) ? Number(satellites) : null,
});

function volts(name: string, text: string, per = 1): Attributes {
  const value = readNumber(text);
  return value === null ? {} : { [name]: value / per };
}

/** Data from a device on the serial port, in hexadecimal. */
function serialData(digits: string): Attributes {
  if (!/^([0-9A-F]{2})+$/i.test(digits)) return digits === '' ? {} : { serialData: digits };
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16),
  );
  return { serialData: ascii(bytes) };
}
