import { addDays, dayOf, type LogEntry, startOfDate } from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { DAYS_TO_CERTIFY } from '../../../logs/uncertified.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';

const KEPT_MS = 184 * 24 * 3_600_000;

/** Today and the days before that an officer may see: as many as the longest cycle needs. */
export const officerDays = ({ ruleSet }: Pick<DriverTerms, 'ruleSet'>): number => (ruleSet.startsWith('CA_') ? 15 : 8);

export interface PhoneDays {
  /** Newest first: those that an officer may see, those that the desk wants certified, and older ones that wait. */
  readonly dates: readonly string[];
  /** Older ones that changed because the driver accepted a change or claimed driving, and are to be certified again. */
  readonly olderToCertify: readonly string[];
}

/** The days of their log that a driver has on the phone. */
export async function phoneDaysOf(trx: AccountTransaction, terms: DriverTerms, now: number): Promise<PhoneDays> {
  const home = homeOfTerminal(terms.terminal);
  const today = dayOf(epochMs(now), home);
  const count = Math.max(officerDays(terms), 1 + DAYS_TO_CERTIFY);
  const recent = Array.from({ length: count }, (_, nth) => addDays(today, -nth));
  const first = recent.at(-1) ?? today;
  const open = new Set<string>();
  const olderToCertify = new Set<string>();
  const entries = await entriesOf(trx, terms.driverId, [...PROPOSING, ...CLAIMING], now);
  const proposed = proposalsIn(entries, home);
  for (const { date, isOpen } of proposed) if (isOpen && date < first) open.add(date);
  for (const { changedAt, date } of [...proposed, ...claimsIn(entries, home)]) {
    if (changedAt === null || date >= first) continue;
    const start = startOfDate(date, home);
    if (!(await isCertifiedAfter(trx, terms.driverId, start, changedAt))) olderToCertify.add(date);
  }
  const older = [...new Set([...open, ...olderToCertify])].sort().reverse();
  return { dates: [...recent, ...older], olderToCertify: [...olderToCertify].sort() };
}

/** How many proposed changes wait for the driver's answer. */
export async function openProposals(trx: AccountTransaction, terms: DriverTerms, now: number): Promise<number> {
  const entries = await entriesOf(trx, terms.driverId, PROPOSING, now);
  return proposalsIn(entries, homeOfTerminal(terms.terminal)).filter(({ isOpen }) => isOpen).length;
}

interface Changed {
  readonly date: string;
  /** The position in the log from which it counts; null: it doesn’t. */
  readonly changedAt: number | null;
}
type Proposed = Changed & { readonly isOpen: boolean };

type PlacedEntry = { readonly position: number; readonly entry: LogEntry };

const PROPOSING = ['propose', 'accept', 'reject', 'withdraw'] as const;
const CLAIMING = ['assume', 'take-over'] as const;

/** A driver's entries of these kinds, as long as logs are kept. */
async function entriesOf(
  trx: AccountTransaction,
  driverId: number,
  actions: readonly (typeof PROPOSING | typeof CLAIMING)[number][],
  now: number,
): Promise<PlacedEntry[]> {
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['position', 'entry'])
    .where('log', '=', logOfDriver(driverId))
    .where('action', 'in', actions)
    .where('recorded_at', '>=', new Date(now - KEPT_MS))
    .execute();
  return rows.map(({ entry, position }) => ({ position, entry: JSON.parse(entry) as LogEntry }));
}

function proposalsIn(entries: readonly PlacedEntry[], home: HomeTerminal): Proposed[] {
  const answers = new Map(
    entries.flatMap(({ entry, position }) =>
      'proposal' in entry ? [[entry.proposal, { position, isAccepted: entry.action === 'accept' }] as const] : [],
    ),
  );
  return entries.flatMap(({ entry }): Proposed[] => {
    if (entry.action !== 'propose') return [];
    const answer = answers.get(entry.id);
    const date = dayOf(epochMs(entry.event.at), home);
    return [{ date, isOpen: !answer, changedAt: answer?.isAccepted ? answer.position : null }];
  });
}

/** Driving that the driver took over. */
const claimsIn = (entries: readonly PlacedEntry[], home: HomeTerminal): Changed[] =>
  entries.flatMap(({ entry, position }) =>
    entry.action === 'assume' || entry.action === 'take-over'
      ? [{ date: dayOf(epochMs(entry.event.at), home), changedAt: position }]
      : [],
  );

async function isCertifiedAfter(
  trx: AccountTransaction,
  driverId: number,
  startMs: number,
  position: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('duty_entry')
    .select('position')
    .where('log', '=', logOfDriver(driverId))
    .where('action', '=', 'certify')
    .where('touches_at', '=', new Date(startMs))
    .where('position', '>', position)
    .executeTakeFirst();
  return row !== undefined;
}
