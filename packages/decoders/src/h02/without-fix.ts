import { cellsOf } from '../cell-fields.ts';
import { numberOf, timeOf } from '../nmea.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { ICCID, levelOf, STATUS } from './beside.ts';
import { CLOCK, reportIn } from './place.ts';
import { otherKeyword, report, type TextReader } from './report.ts';
import { ALARM_BITS, STATION_ALARM_BITS, statusOf } from './status.ts';

/** HTBT, XT: a heartbeat with the battery level in percent. */
export const heartbeat: TextReader = fields => {
  const level = numberOf(fields.at(-1));
  const attributes: Attributes = level === null || fields.length < 2 ? {} : { batteryLevel: level };
  return [{ kind: 'heartbeat', attributes }];
};

/** LINK: time, signal, satellites, battery in percent, steps, turns, date, status. */
export const link: TextReader = ([, clock = '', gsm, satellites, battery, steps, , date = '', word]) => {
  const status = word !== undefined && STATUS.test(word) ? statusOf(Number.parseInt(word, 16)) : null;
  const values = {
    gsm: numberOf(gsm),
    satellites: numberOf(satellites),
    batteryLevel: numberOf(battery),
    steps: numberOf(steps),
  };
  const attributes = { ...Object.fromEntries(Object.entries(values).filter(isSent)), ...status?.attributes };
  return [{ kind: 'status', time: timeOf(clock, date, 'dmy'), event: status?.event ?? null, attributes }];
};
const isSent = (entry: [string, number | null]): entry is [string, number] => entry[1] !== null;

/** Ends with date and status; a level in bars may follow. */
function ending(
  fields: readonly string[],
  alarms = ALARM_BITS,
): {
  date: string;
  status: ReturnType<typeof statusOf> | null;
  level: number | null;
} {
  const at = fields.findLastIndex(field => STATUS.test(field));
  return {
    date: fields[at - 1] ?? '',
    status: at < 0 ? null : statusOf(Number.parseInt(fields[at] ?? '', 16), alarms),
    level: at < 0 ? null : levelOf(numberOf(fields[at + 1])),
  };
}

const status = (fields: readonly string[], cells: string): DecodedMessage[] => {
  const { date, status, level } = ending(fields);
  const attributes = {
    ...(cells === '' ? {} : { cells }),
    ...status?.attributes,
    ...(level === null ? {} : { batteryLevel: level }),
  };
  return [{ kind: 'status', time: timeOf(fields[1] ?? '', date, 'dmy'), event: status?.event ?? null, attributes }];
};

/** NBR: time, country, network, delay, number of towers, and for each its area, cell and signal. */
export const neighbours: TextReader = fields => {
  const [, , mcc = '', mnc = '', , count = ''] = fields;
  const towers = Math.min(Number(count) || 0, 16);
  return status(fields, cellsOf(mcc, mnc, fields.slice(6, 6 + towers * 3), 3));
};

/**
 * V3: time, country with network, number of towers, and for each its area, cell, signal and delay. Of the ST-901 and its
 * like, a report whose address is asked for in English (V2: in Chinese).
 */
export const towers: TextReader = (fields, receivedAt) => {
  if (/^[AV]$/i.test(fields[2] ?? '') && reportIn(fields, receivedAt)) return report(fields, receivedAt);
  // The description has a comma between country and network, the example has none.
  const [, , network = '', ...rest] = fields;
  const mnc = network.length > COUNTRY_DIGITS ? network.slice(COUNTRY_DIGITS) : (rest.shift() ?? '');
  const groups = Math.min(Number(rest[0]) || 0, 16);
  return status(fields, cellsOf(network.slice(0, COUNTRY_DIGITS), mnc, rest.slice(1, 1 + groups * 4), 4));
};
const COUNTRY_DIGITS = 3;

const STATION = /^[0-9A-F]{14}$/i;

/** V5 of the G20LS: time, which its example leaves out, number of stations, each as MAC and a signal without a unit, battery. */
export const stations: TextReader = (fields, receivedAt) => {
  if (reportIn(fields, receivedAt)) return report(fields, receivedAt);
  const at = CLOCK.test(fields[1] ?? '') ? 2 : 1;
  const count = /^\d$/.test(fields[at] ?? '') ? Number(fields[at]) : null;
  const found = fields.slice(at + 1, at + 1 + (count ?? 0));
  if (count === null || !found.every(field => STATION.test(field))) return report(fields, receivedAt);
  const { date, status } = ending(fields, STATION_ALARM_BITS);
  const wifi = found
    .map(field =>
      field
        .slice(0, 12)
        .toUpperCase()
        .replace(/(..)(?=.)/g, '$1:'),
    )
    .join(' ');
  const attributes = { ...(wifi === '' ? {} : { wifi }), ...status?.attributes };
  const time = at === 2 ? timeOf(fields[1] ?? '', date, 'dmy') : null;
  return [{ kind: 'status', time, event: status?.event ?? null, attributes }];
};

/** The SIM's number. */
export const sim: TextReader = (fields, receivedAt) =>
  ICCID.test(fields[1] ?? '')
    ? [{ kind: 'status', time: null, event: null, attributes: { iccid: (fields[1] ?? '').replace(/[F?]$/, '') } }]
    : otherKeyword(fields, receivedAt);

/** VP1: a report without a time; or `V`, country, network, then area, cell and signal, further ones after a `Y`. */
export const watchTowers: TextReader = (fields, receivedAt) => {
  if (reportIn(fields, receivedAt)) return report(fields, receivedAt);
  const [, flag, mcc = '', mnc = '', ...rest] = fields;
  return flag === 'V' ? status([], cellsOf(mcc, mnc, rest.join(',').replaceAll('Y', ',').split(','), 3)) : null;
};
