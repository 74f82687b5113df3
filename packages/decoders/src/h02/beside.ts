import { cellOf } from '../cell-fields.ts';
import { numberOf } from '../nmea.ts';
import type { Attributes, PositionMessage } from '../protocol.ts';
import { ALARM_BITS, NEWER_ALARM_BITS, statusOf } from './status.ts';

/** Some write a space on either side, as an example in Cantrack's document does. */
export const STATUS = /^ ?[0-9A-F]{8} ?$/i;
export const ICCID = /^\d{18,19}[\dF?]$/;
const BARS = 6;
/** The battery level of six bars, as percent. */
export const levelOf = (bars: number | null): number | null =>
  bars === null || bars < 1 || bars > BARS ? null : Math.round((bars * 100) / BARS);

/** "pw", percent with two digits: "99 means 100%". */
function percentOf(written: string | undefined): number | null {
  const level = /^ ?\d{1,3} ?$/.test(written ?? '') ? Number(written) : null;
  return level === null || level > 100 ? null : level === 99 ? 100 : level;
}

/** V19 has a phone number and a SIM before the status word. */
const STATUS_WITHIN = 4;
const CELL_FIELDS = 4;

type Beside = Pick<PositionMessage, 'event' | 'ignition' | 'attributes'> &
  Partial<Pick<PositionMessage, 'satellites' | 'gsm'>>;

/** Status word, cell tower, battery level, SIM: what follows the date. */
export function beside(rest: readonly string[], keyword = ''): Beside {
  const newer = keyword === 'V6' || keyword === 'V8';
  const at = rest.slice(0, STATUS_WITHIN).findIndex(field => STATUS.test(field));
  const word = at < 0 ? null : Number.parseInt(rest[at] ?? '', 16);
  const status = word === null ? null : statusOf(word, newer ? NEWER_ALARM_BITS : ALARM_BITS);
  const cell = cellOf(rest.slice(at + 1, at + 1 + CELL_FIELDS));
  const listed = at < 0 || cell !== null ? null : listedIn(rest.slice(at + 1), keyword);
  const signals = keyword === 'V8' ? signalsIn(rest.slice(at + 1 + CELL_FIELDS)) : null;
  const iccid = rest.find(field => ICCID.test(field))?.replace(/[F?]$/, '');
  const batteryLevel = listed || signals ? null : levelBehind(rest, at + CELL_FIELDS, cell !== null, keyword);
  const behind = rest.slice(at + 1);
  const cells = cell === null || !hasNeighbors(keyword) ? '' : neighborsIn(behind, behind.slice(CELL_FIELDS + 1));
  const attributes = {
    ...status?.attributes,
    ...(cell === null ? {} : { cell }),
    ...(cells === '' ? {} : { cells }),
    ...(batteryLevel === null ? {} : { batteryLevel }),
    ...listed,
    ...signals?.attributes,
    ...(iccid === undefined ? {} : { iccid }),
  };
  const { satellites = null, gsm = null } = signals ?? {};
  return { event: status?.event ?? null, ignition: status?.ignition ?? null, satellites, gsm, attributes };
}

/** Behind the tower: bars, or with VI1 percent. */
function levelBehind(rest: readonly string[], at: number, hasCell: boolean, keyword: string): number | null {
  if (!hasCell && rest[at] !== '0') return null;
  return hasNeighbors(keyword) ? percentOf(rest[at + 1]) : levelOf(numberOf(rest[at + 1]));
}

const hasNeighbors = (keyword: string): boolean => keyword === 'VI1' || keyword === 'ALRM';
const NEIGHBOR = /^([0-9A-F]{1,8})-([0-9A-F]{1,8})-(\d{1,3})$/i;

/** VI1 and ALRM: area, cell and signal of each tower behind the battery, in the notation of the serving one. */
function neighborsIn([mcc, mnc]: readonly string[], rest: readonly string[]): string {
  return rest
    .flatMap(field => field.split('|'))
    .flatMap(field => {
      const [, area, cell, signal] = NEIGHBOR.exec(field.trim()) ?? [];
      const tower = cellOf([mcc, mnc, area, cell]);
      return tower === null ? [] : [`${tower}:${Number(signal)}`];
    })
    .join(' ');
}

/**
 * Behind the status word: percent of the battery, and a number of towers, country, network, then area and cell of each
 * (V1); nothing (VP1); or towers of another form (ALRM). Other trackers have a tower of zeros there.
 */
function listedIn(fields: readonly string[], keyword: string): Attributes | null {
  const [level, count = '', mcc = '', mnc = '', ...groups] = fields;
  const batteryLevel = percentOf(level);
  if (batteryLevel === null) return null;
  if (keyword === 'ALRM' || (keyword === 'VP1' && fields.length === 1)) return { batteryLevel };
  const towers = /^ ?[1-9] ?$/.test(count) ? Number(count) : 0;
  const cells: string[] = [];
  for (let at = 0; at + 1 < groups.length && at < 2 * towers; at += 2) {
    const cell = cellOf([mcc, mnc, groups[at], groups[at + 1]]);
    if (cell !== null) cells.push(cell);
  }
  return cells.length > 0 ? { batteryLevel, cells: cells.join(' ') } : null;
}

const SIGNAL_FIELDS = 4;
const NOISE_DBM = 110;
const MOST_BARS = 31;

/** V8: stations as MAC and signal, then satellites, signal, tenths of a volt, and percent of the battery. */
function signalsIn(fields: readonly string[]): Required<Pick<Beside, 'satellites' | 'gsm' | 'attributes'>> | null {
  const [satellites, gsm, tenths, level] = fields.slice(-SIGNAL_FIELDS).map(field => numberOf(field));
  if (fields.length < SIGNAL_FIELDS || fields.length % 2 !== 0) return null;
  const stations: string[] = [];
  for (let at = 0; at < fields.length - SIGNAL_FIELDS; at += 2) {
    const mac = (fields[at] ?? '').replace(/^0x/i, '').toUpperCase();
    if (!/^[0-9A-F]{12}$/.test(mac) || /^0+$/.test(mac)) continue;
    const signal = Number.parseInt(fields[at + 1] ?? '', 16);
    const written = mac.match(/../g)?.join(':') ?? mac;
    stations.push(Number.isNaN(signal) ? written : `${written}:${signal - NOISE_DBM}`);
  }
  const attributes = {
    ...(stations.length > 0 ? { wifi: stations.join(' ') } : {}),
    ...(tenths === null || tenths === undefined ? {} : { externalVoltage: tenths / 10 }),
    ...(typeof level === 'number' && level >= 0 && level <= 100 ? { batteryLevel: level } : {}),
  };
  return {
    satellites: satellites ?? null,
    gsm: typeof gsm === 'number' && gsm >= 0 && gsm <= MOST_BARS ? gsm : null,
    attributes,
  };
}
