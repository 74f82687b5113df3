import type { TrackPosition } from '@milepost/track';
import { type RawBuilder, sql } from 'kysely';
import { decimalOfFour } from './four-bytes.ts';

/** The columns that have the same name in the database and in a packed day. */
export type ColumnName = Exclude<keyof TrackPosition, 'fixAt' | 'receivedAt'>;

/** How a row has it: a number of eight or four bytes, a whole one, or yes and no. */
const NUMBERS = {
  lat: 'eight',
  lon: 'eight',
  odometer: 'eight',
  speed: 'four',
  course: 'four',
  altitude: 'four',
  fuel: 'four',
  temperature: 'four',
  hdop: 'four',
  satellites: 'whole',
  gsm: 'whole',
  ignition: 'yes-no',
} as const satisfies Partial<Record<ColumnName, string>>;
type NumberName = keyof typeof NUMBERS;

/** Nearly all reports say the same of these, so only of the others is it written down. */
const USUAL = { valid: true, doubts: 0, late: false, event: null, rfid: null } as const;
type UsualName = keyof typeof USUAL;

const isNumber = (name: ColumnName): name is NumberName => Object.hasOwn(NUMBERS, name);
const isUsual = (name: ColumnName): name is UsualName => Object.hasOwn(USUAL, name);

/** Rows as the database has put them together; plain values, so that a worker can read them. */
export interface RowsTogether {
  /** Four numbers of each row in a block, one block after the other. */
  readonly numbers: Uint8Array;
  /** As JSON: of the rows that say something unusual their time and what they say. */
  readonly unusual: string | null;
  /** As JSON: the columns that are neither. */
  readonly others: string | null;
}

const [BLOCK, EIGHT] = [4, 8];

/**
 * The rows of `fix`, which have `fix_at` and these columns, put together by the database: a fragment that selects
 * `numbers`, `unusual` and `others`. Four numbers at a time are written as a line of geometry has its ends, because a call
 * costs the database as much as the rest: a value of its own for each column takes three times as long, and JSON even
 * longer. Rows have to be in the order of time, either way.
 */
export function rowsTogether(names: readonly ColumnName[]): RawBuilder<unknown> {
  const numbers = [TIME, ...names.filter(isNumber).map(numberOf)];
  const blocks: RawBuilder<unknown>[] = [];
  for (let at = 0; at < numbers.length; at += BLOCK) {
    const [a, b, c, d] = Array.from({ length: BLOCK }, (_, i) => numbers[at + i] ?? sql`0`);
    blocks.push(sql`string_agg(lseg_send(lseg(point(${a}, ${b}), point(${c}, ${d}))), ''::bytea)`);
  }
  const usual = names.filter(isUsual);
  const others = names.filter(name => !isNumber(name) && !isUsual(name));
  const unusual = sql`json_agg(json_build_array(${sql.join([TIME, ...usual.map(name => sql.ref(name))])}))
    filter (where ${sql.join(usual.map(isUnusual), sql` or `)})`;
  return sql`${sql.join(blocks, sql` || `)} as numbers,
    ${usual.length === 0 ? sql`null::text` : sql`(${unusual})::text`} as unusual,
    ${others.length === 0 ? sql`null::text` : sql`json_build_array(${sql.join(others.map(name => sql`json_agg(${sql.ref(name)})`))})::text`} as others`;
}

const TIME = sql`date_part('epoch', fix_at)`;

function numberOf(name: NumberName): RawBuilder<unknown> {
  const column = sql.ref(name);
  return NUMBERS[name] === 'yes-no'
    ? sql`case when ${column} then 1::float8 when not ${column} then 0 else 'NaN' end`
    : sql`coalesce(${column}::float8, 'NaN')`;
}

function isUnusual(name: UsualName): RawBuilder<unknown> {
  const [column, usual] = [sql.ref(name), USUAL[name]];
  if (usual === null) return sql`${column} is not null`;
  return usual === 0 ? sql`${column} <> 0` : usual ? sql`not ${column}` : column;
}

/** The columns of these rows, in the order in which they were put together. */
export function columnsOfRows<N extends ColumnName>(
  { numbers, others: json, unusual }: RowsTogether,
  names: readonly N[],
): { [K in N | 'fixAt']: TrackPosition[K][] } {
  const columns: Record<string, unknown[]> = {};
  const all: readonly ColumnName[] = names;
  const asked = all.filter(isNumber);
  const blocks = Math.ceil((asked.length + 1) / BLOCK);
  const count = numbers.length / (blocks * BLOCK * EIGHT);
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const times = columnAt(view, 0, count);
  // The database counts in microseconds.
  columns.fixAt = times.map(second => Math.floor(second * 1000));
  for (const [i, name] of asked.entries()) columns[name] = valuesOf(name, columnAt(view, i + 1, count));
  const usual = all.filter(isUsual);
  for (const name of usual) columns[name] = new Array<unknown>(count).fill(USUAL[name]);
  let at = 0;
  for (const [time, ...values] of (unusual === null ? [] : JSON.parse(unusual)) as unknown[][]) {
    while (at < count && times[at] !== time) at++;
    for (const [i, name] of usual.entries()) (columns[name] as unknown[])[at] = values[i];
  }
  const others = (json === null ? [] : JSON.parse(json)) as unknown[][];
  for (const [i, name] of all.filter(name => !isNumber(name) && !isUsual(name)).entries()) {
    columns[name] = others[i] ?? [];
  }
  return columns as { [K in N | 'fixAt']: TrackPosition[K][] };
}

/** The nth number of each row. */
function columnAt(view: DataView, nth: number, count: number): number[] {
  const values = new Array<number>(count);
  let at = (Math.floor(nth / BLOCK) * count * BLOCK + (nth % BLOCK)) * EIGHT;
  for (let i = 0; i < count; i++, at += BLOCK * EIGHT) values[i] = view.getFloat64(at);
  return values;
}

function valuesOf(name: NumberName, values: number[]): unknown[] {
  const kind = NUMBERS[name];
  if (kind === 'yes-no') return values.map(value => (Number.isNaN(value) ? null : value === 1));
  if (kind === 'four') return values.map(value => (Number.isNaN(value) ? null : decimalOfFour(value)));
  return values.map(value => (Number.isNaN(value) ? null : value));
}
