import { eventCheck } from '../check-values.ts';
import { CODES_OF_TYPE, UNIDENTIFIED_USER_NAME } from '../event/codes.ts';
import { bad, good, type Result } from '../result.ts';
import type { OutputFault } from './faults.ts';
import { authenticationOf, isPreview } from './preview.ts';
import { readLines } from './read-lines.ts';
import { LISTS, type ListName, type OutputFile } from './sections.ts';

type AddFault = (list: ListName, row: number, code: OutputFault['code'], params?: OutputFault['params']) => void;

/**
 * Reads an output file strictly: any deviation from Appendix A is a fault, and all faults are reported, in line order.
 * Never throws: any text gives a file or faults (invariant I3).
 */
export function readOutputFile(text: string): Result<OutputFile, readonly OutputFault[]> {
  const { file, faults: ofLines, lineOf } = readLines(text);
  if (!file || ofLines.length > 0) return bad(inOrder(ofLines));
  const faults: OutputFault[] = [];
  const add: AddFault = (list, row, code, params = {}) => {
    faults.push({ code, line: lineOf(list, row), section: LISTS[list].title, params });
  };
  checkNumbering(file, add);
  checkEvents(file, add);
  checkCodes(file, add);
  checkAnnotations(file, add);
  checkOrder(file, add);
  if (isPreview(file) && authenticationOf(file) !== file.header.device.authentication) {
    faults.push({ code: 'digest', line: null, section: null, params: {} });
  }
  return faults.length > 0 ? bad(inOrder(faults)) : good(file);
}

const inOrder = (faults: readonly OutputFault[]): OutputFault[] =>
  [...faults].sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY));

function checkNumbering(file: OutputFile, add: AddFault): void {
  for (const list of ['users', 'vehicles'] as const) {
    for (const [i, { order }] of file[list].entries()) {
      if (Number(order) !== i + 1) add(list, i, 'numbering', { found: order });
    }
  }
  for (const list of ['events', 'certifications', 'faults', 'unidentified'] as const) {
    for (const [i, { vehicle }] of file[list].entries()) {
      if (Number(vehicle) > file.vehicles.length) add(list, i, 'unknown-vehicle', { found: vehicle });
    }
  }
  for (const [i, { originator }] of file.events.entries()) {
    if (Number(originator) > file.users.length) add('events', i, 'unknown-user', { found: originator });
  }
}

/** The check value covers two things that are not on the line: the power unit’s number and the owner’s name. */
function checkEvents(file: OutputFile, add: AddFault): void {
  const owners = { events: file.header.driver.userName, unidentified: UNIDENTIFIED_USER_NAME } as const;
  for (const list of ['events', 'unidentified'] as const) {
    for (const [i, row] of file[list].entries()) {
      const powerUnit = file.vehicles[Number(row.vehicle) - 1]?.powerUnit ?? '';
      const expected = eventCheck({ ...row, powerUnit, userName: owners[list] });
      if (row.eventCheck !== expected) add(list, i, 'event-check', { found: row.eventCheck, expected });
    }
  }
}

function checkCodes(file: OutputFile, add: AddFault): void {
  for (const list of ['events', 'unidentified'] as const) {
    for (const [i, { type, code }] of file[list].entries()) {
      if (!CODES_OF_TYPE[Number(type)]?.includes(Number(code))) add(list, i, 'unknown-code', { type, found: code });
    }
  }
}

function checkAnnotations(file: OutputFile, add: AddFault): void {
  const key = ({ sequence, date, time }: { sequence: string; date: string; time: string }): string =>
    `${sequence.padStart(4, '0')} ${date} ${time}`;
  const events = new Set(file.events.map(key));
  for (const [i, row] of file.annotations.entries()) {
    if (!events.has(key(row))) add('annotations', i, 'lonely-annotation', { found: row.sequence });
  }
}

const ORDERED = ['events', 'annotations', 'certifications', 'faults', 'sessions', 'engine', 'unidentified'] as const;

/** Newest first. Where clocks go back, an hour is repeated and the file can’t tell the two apart. */
function checkOrder(file: OutputFile, add: AddFault): void {
  for (const list of ORDERED) {
    const rows: readonly { readonly date: string; readonly time: string }[] = file[list];
    for (const [i, row] of rows.entries()) {
      const above = rows[i - 1];
      if (!above || sortable(row) <= sortable(above)) continue;
      if (!(isRepeatedHour(row) && isRepeatedHour(above) && row.date === above.date)) add(list, i, 'order');
    }
  }
}

const sortable = ({ date, time }: { date: string; time: string }): string =>
  `${centuryOf(date)}${date.slice(4)}${date.slice(0, 4)}${time}`;
const centuryOf = (date: string): string => (Number(date.slice(4)) < 70 ? '20' : '19');

/** 01:00 to 02:00 on the first Sunday of November, when daylight saving ends in the United States (15 U.S.C. 260a). */
function isRepeatedHour({ date, time }: { date: string; time: string }): boolean {
  if (!time.startsWith('01') || !date.startsWith('110') || Number(date.slice(2, 4)) > 7) return false;
  const year = Number(`${centuryOf(date)}${date.slice(4)}`);
  return new Date(Date.UTC(year, 10, Number(date.slice(2, 4)))).getUTCDay() === 0;
}
