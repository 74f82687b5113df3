import { stateCode } from '@milepost/contract';
import {
  type FileUser,
  isDutyEvent,
  type LogRecord,
  type OutputSubject,
  type Person,
  type RecordLog,
  UNIDENTIFIED_USER,
} from '@milepost/eld';
import { ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { readLogs } from '../days/read-log.ts';
import { coDriverAt } from '../duty/team.ts';
import { type DriverTerms, logOfDriver, readDriverTerms, unidentifiedLogOf } from '../settings/driver-terms.ts';

/** What an output file of a driver’s log needs (Appendix A, 4.8.2.1), between two moments. */
export async function outputSubject(
  trx: AccountTransaction,
  terms: DriverTerms,
  log: RecordLog,
  period: { readonly from: number; readonly to: number },
  comment: string,
  now: number,
): Promise<OutputSubject> {
  const isInside = ({ event: { at } }: LogRecord): boolean => at >= period.from && at < period.to;
  const records = log.records().filter(isInside);
  const unidentified = await unidentifiedOf(trx, records, isInside);
  const newest = [...records].sort((a, b) => b.event.at - a.event.at);
  const last = (newest[0] ?? log.records().at(-1))?.event;
  const lastPlace = newest.map(({ event }) => event).find(isDutyEvent);
  const totals = newest.map(({ event }) => event).find(event => event.type === 5 || event.type === 6);
  const driver = personOf(terms.name, terms.userName);
  const id = terms.userId ?? `driver-${terms.driverId}`;
  return {
    driver: {
      ...driver,
      id,
      licenceState: stateOf(terms.licence.region ?? ''),
      licenceNumber: terms.licence.number ?? '',
    },
    coDriver: await coDriverOf(trx, terms, now),
    vehicle: {
      powerUnit: last?.vehicle.powerUnit ?? '',
      vin: last?.vehicle.vin ?? '',
      trailers: last?.trailers ?? '',
    },
    carrier: {
      usdot: terms.carrier.usdotNumber ?? '',
      name: terms.carrier.name ?? '',
      multidayBasis: ruleSets[terms.ruleSet].cycle.days === 7 ? 7 : 8,
    },
    home: log.home(),
    shippingDocument: last?.shippingDocument ?? '',
    exempt: terms.settings.isExempt,
    now: {
      at: epochMs(now),
      lat: lastPlace?.lat ?? 'X',
      lon: lastPlace?.lon ?? 'X',
      totalMiles: totals && 'totalMiles' in totals ? totals.totalMiles : null,
      totalHours: totals && 'totalHours' in totals ? totals.totalHours : null,
    },
    comment,
    users: await usersOf(trx, { ...driver, id, accountType: 'D' }, records),
    vehicles: vehiclesOf([...newest, ...unidentified]),
    records,
    unidentified,
  };
}

/** Unclaimed records of the vehicles that the driver was in; those that a driver declined stay in the file, too. */
async function unidentifiedOf(
  trx: AccountTransaction,
  records: readonly LogRecord[],
  isInside: (record: LogRecord) => boolean,
): Promise<LogRecord[]> {
  return openRecords(await readLogs(trx, vehiclesIn(records).map(unidentifiedLogOf), null), isInside);
}

/** The vehicles whose devices made these records. */
export const vehiclesIn = (records: readonly Pick<LogRecord, 'device'>[]): number[] =>
  [...new Set(records.map(({ device }) => Number(device.replace('vehicle:', ''))))].filter(Number.isInteger);

export const openRecords = (
  logs: ReadonlyMap<string, RecordLog>,
  isInside: (record: LogRecord) => boolean,
): LogRecord[] =>
  [...logs.values()].flatMap(log => log.records().filter(record => record.status === 'active' && isInside(record)));

/** The state's two letters; nothing if it has none, which the file's writer then says. */
const stateOf = (region: string): string =>
  stateCode(region) ?? (/^[A-Za-z]{2}$/.test(region) ? region.toUpperCase() : '');

/** The file has first and last names: the last word is the last name. */
function personOf(name: string, userName: string): Person {
  const words = name.trim().split(/\s+/);
  const lastName = words.pop() ?? '';
  return { lastName, firstName: words.join(' '), userName };
}

/** The co-driver according to the log’s newest entry about it, or null. */
async function coDriverOf(trx: AccountTransaction, { driverId }: DriverTerms, now: number): Promise<Person | null> {
  const coDriver = await coDriverAt(trx, logOfDriver(driverId), now);
  if (coDriver === null) return null;
  const [terms] = await readDriverTerms(trx, [Number(coDriver.replace('driver:', ''))]);
  return terms ? personOf(terms.name, terms.userName) : null;
}

/** The driver, then the others who wrote or annotated these records, most recent first. */
async function usersOf(trx: AccountTransaction, driver: FileUser, records: readonly LogRecord[]): Promise<FileUser[]> {
  const ids = new Set(
    records
      .toReversed()
      .flatMap(({ by, annotatedBy }) => [by, annotatedBy])
      .filter(id => id !== null && id !== 'eld' && id !== driver.id),
  );
  const rows = await trx.selectFrom('person').select(['id', 'user_name', 'display_name', 'role']).execute();
  const known = new Map(rows.map(row => [row.id, row]));
  const others = [...ids].map((id): FileUser => {
    const user = known.get(id ?? '');
    const person = personOf(user?.display_name ?? 'Former user', user?.user_name ?? 'former-user');
    return { ...person, id: id ?? '', accountType: user?.role === 'driver' ? 'D' : 'S' };
  });
  return [driver, ...others, UNIDENTIFIED_USER];
}

function vehiclesOf(records: readonly LogRecord[]): { readonly powerUnit: string; readonly vin: string }[] {
  const found = new Map<string, { readonly powerUnit: string; readonly vin: string }>();
  for (const { event } of records) {
    const { powerUnit, vin } = event.vehicle;
    const key = `${powerUnit} ${vin}`;
    if (!found.has(key)) found.set(key, { powerUnit, vin });
  }
  return [...found.values()];
}
