import { readFileSync } from 'node:fs';
import {
  contentOf,
  type LogEntry,
  type LogFileHead,
  nextLink,
  readOutputFile,
  replay,
  sequenceAt,
  verifyText,
  withCheck,
  writeLogFile,
  writeOutputFile,
} from '@milepost/eld';
import { table } from './table.ts';

/** Duty records on one core: `npm run bench -- eld`. A table, then one JSON object. */

const HOME = { timeZone: 'America/Chicago', startOfDay: 0 };
const LOG = 'driver:12';
const START = Date.parse('2026-02-02T06:00:00Z');
/** Duty statuses, intermediate logs and the rest: a busy day has about thirty events. */
const EVENTS_A_DAY = 30;
const DAYS = 184;
const SAMPLE = new URL('../packages/eld/src/testing/eld-output-sample.csv', import.meta.url);

function entriesOf(days: number): LogEntry[] {
  const every = 86_400_000 / EVENTS_A_DAY;
  return Array.from({ length: days * EVENTS_A_DAY }, (_, i) => {
    const at = START + Math.floor((i * every) / 1000) * 1000;
    const event = withCheck(
      {
        sequence: sequenceAt(i),
        at,
        vehicle: { powerUnit: 'T204', vin: '1M8GDM9AXKP042788' },
        trailers: '53017',
        shippingDocument: 'BOL 7741',
        type: i % 3 === 2 ? 2 : 1,
        code: i % 3 === 0 ? 3 : i % 3 === 1 ? 4 : 1,
        origin: 'automatic',
        miles: i % 10_000,
        hours: (i % 1000) / 10,
        lat: '41.88',
        lon: '-87.63',
        milesSinceFix: 0,
        malfunction: false,
        diagnostic: false,
        annotation: '',
        placeByDriver: null,
        place: '6mi SSW IL Chicago',
      },
      'arivera',
      HOME.timeZone,
    );
    const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    return { action: 'record', id, log: LOG, device: 'vehicle:7', by: 'eld', recordedAt: at, event };
  });
}

function chained(entries: readonly LogEntry[]) {
  const chains = [LOG, 'vehicle:7'] as const;
  const last: (ReturnType<typeof nextLink> | null)[] = [null, null];
  const own = [];
  const device = [];
  for (const entry of entries) {
    const content = contentOf(entry) ?? '';
    for (const [i, chain] of chains.entries()) last[i] = nextLink({ chain, log: LOG, content }, last[i] ?? null);
    const [log, vehicle] = last;
    if (log) own.push({ chain: log.chain, position: log.position, hash: log.hash, entry });
    if (vehicle) device.push(vehicle);
  }
  return { own, device };
}

/** Microseconds per unit, the best of three. */
function best(units: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    work();
    least = Math.min(least, ((performance.now() - started) * 1000) / units);
  }
  return Math.round(least * 10) / 10;
}

export async function run(): Promise<void> {
  const entries = entriesOf(DAYS);
  const { own, device } = chained(entries);
  const head: LogFileHead = { format: 'milepost-log/1', log: LOG, ...HOME, exportedAt: START };
  const exported = writeLogFile(head, [...own, ...device], []) ?? '';
  const sample = readOutputFile(readFileSync(SAMPLE, 'latin1'));
  if (!sample.ok || !verifyText(exported).ok) throw new Error('The bench’s own files do not verify.');
  const figures = {
    'entry into two chains, µs': best(entries.length, () => chained(entries)),
    'entry into a log by its rules, µs': best(entries.length, () => replay({ log: LOG, home: HOME }, entries)),
    'entry of an exported log verified, µs': best(entries.length, () => verifyText(exported)),
    'output file of 29 data lines written, µs': best(100, () => {
      for (let i = 0; i < 100; i++) writeOutputFile(sample.value);
    }),
  };
  const megabytes = Math.round(exported.length / 1e5) / 10;
  const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
  process.stdout.write(table(['what', 'best of three'], rows));
  process.stdout.write(`Six months of a driver: ${entries.length} records, ${megabytes} MB exported.\n`);
  process.stdout.write(`${JSON.stringify({ bench: 'eld', records: entries.length, megabytes, figures })}\n`);
}
