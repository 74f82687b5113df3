import { DUTY_CODES, type DutyState, type RecordLog } from '@milepost/eld';
import type { Databases } from '../src/db/database.ts';
import { createAccount } from '../src/modules/accounts/accounts.ts';
import type { EntryDraft, EventDraft } from '../src/modules/logbook/draft.ts';
import { exportLog, readLog } from '../src/modules/logbook/export.ts';
import { type LogOwner, type Written, writeEntries } from '../src/modules/logbook/write.ts';
import { type TestDatabase, testDatabase } from './database.ts';

/** Logs of a fictional driver in their own database. */

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
/** 08:00 in Chicago. */
export const START = Date.parse('2026-02-03T14:00:00Z');
export const OWNER: LogOwner = { home: { timeZone: 'America/Chicago', startOfDay: 0 }, userName: 'arivera' };
export const LOG = 'driver:12';
export const NOBODY = 'unidentified:7';

export interface TestLogbook {
  readonly database: TestDatabase;
  readonly databases: Databases;
  readonly accountId: number;
  /** Switches to another account, which has no logs yet. */
  useNewAccount(): Promise<number>;
  write(drafts: EntryDraft | readonly EntryDraft[], now: number, owner?: LogOwner, db?: Databases): Promise<Written>;
  /** Writes one entry and returns its ID. */
  written(draft: EntryDraft, now: number): Promise<string>;
  exported(now?: number, log?: string): Promise<string>;
  stateOf(log?: string): Promise<RecordLog>;
  /** On duty at 8:00, driving from 8:30, off duty at 12:00. */
  workday(): Promise<Record<'on' | 'drive' | 'rest', string>>;
  close(): Promise<void>;
}

export async function openTestLogbook(): Promise<TestLogbook> {
  const database = await testDatabase();
  const { databases } = database;
  let accountId = await createAccount(databases, { name: 'Cobalt Freight' });
  const write: TestLogbook['write'] = (drafts, now, owner = OWNER, db = databases) =>
    writeEntries(db, accountId, Array.isArray(drafts) ? drafts : [drafts as EntryDraft], () => owner, now);
  const written: TestLogbook['written'] = async (draft, now) => {
    const result = await write(draft, now);
    if (!result.ok) throw new Error(result.refusal);
    return result.entries[0]?.id ?? '';
  };
  return {
    database,
    databases,
    get accountId() {
      return accountId;
    },
    useNewAccount: async () => {
      accountId = await createAccount(databases, { name: 'Another' });
      return accountId;
    },
    write,
    written,
    exported: async (now = START + 30 * DAY, log = LOG) =>
      (await databases.asAccount(accountId, trx => exportLog(trx, log, now))) ?? '',
    stateOf: (log = LOG) => databases.asAccount(accountId, trx => readLog(trx, log)),
    workday: async () => ({
      on: await written(record('ON', START), START),
      drive: await written(record('D', START + 30 * MINUTE), START + 30 * MINUTE),
      rest: await written(record('OFF', START + 240 * MINUTE), START + 240 * MINUTE),
    }),
    close: () => database.close(),
  };
}

export const event = (
  state: DutyState,
  at: number,
  annotation = '',
  origin: 'automatic' | 'driver' | 'unidentified' = 'driver',
) =>
  ({
    at,
    vehicle: { powerUnit: 'T204', vin: '1M8GDM9AXKP042788' },
    trailers: '',
    shippingDocument: 'BOL 7741',
    type: 1,
    code: DUTY_CODES[state],
    origin,
    miles: 12,
    hours: 1.5,
    lat: '41.88',
    lon: '-87.63',
    milesSinceFix: 0,
    malfunction: false,
    diagnostic: false,
    annotation,
    placeByDriver: null,
    place: '1mi E IL Chicago',
  }) satisfies EventDraft;

export const record = (state: DutyState, at: number, log = LOG): EntryDraft => ({
  action: 'record',
  log,
  device: 'vehicle:7',
  by: 'eld',
  event: event(state, at, '', state === 'D' ? 'automatic' : log === NOBODY ? 'automatic' : 'driver'),
});

/** Changes a rest to sleeper berth. */
export const sleeper = (replaces: string, at = START + 240 * MINUTE): EntryDraft => ({
  action: 'edit',
  log: LOG,
  device: 'vehicle:7',
  by: 'driver-12',
  replaces,
  event: event('SB', at, 'Slept in the berth'),
});
