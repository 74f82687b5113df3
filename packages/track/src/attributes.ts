import { type ByteReader, type ByteWriter, DamagedTrack } from './bytes.ts';
import { readNumbers, writeNumbers } from './numbers.ts';
import { readTexts, writeTexts } from './texts.ts';

type Attributes = Readonly<Record<string, unknown>>;

const NUMBERS = 0;
const JSON_TEXTS = 1;

/** Which names each has, in their order; then a column for every name. Finite numbers stand in columns of numbers. */
export function writeAttributes(to: ByteWriter, rows: readonly Attributes[]): void {
  const columns = new Map<string, unknown[]>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const column = columns.get(name);
      if (column) column.push(value);
      else columns.set(name, [value]);
    }
  }
  writeTexts(
    to,
    rows.map(row => JSON.stringify(Object.keys(row))),
  );
  for (const values of columns.values()) {
    if (values.every(value => typeof value === 'number' && Number.isFinite(value))) {
      to.byte(NUMBERS);
      writeNumbers(to, values as number[]);
    } else {
      to.byte(JSON_TEXTS);
      writeTexts(
        to,
        values.map(value => JSON.stringify(value)),
      );
    }
  }
}

export function readAttributes(from: ByteReader, count: number): Attributes[] {
  const shapes = readTexts(from, count).map(text => fromJson(text) as string[]);
  const counts = new Map<string, number>();
  for (const shape of shapes) {
    if (!Array.isArray(shape)) throw new DamagedTrack('Attributes of the track have no names');
    for (const name of shape) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const columns = new Map<string, Iterator<unknown>>();
  for (const [name, length] of counts) columns.set(name, readColumn(from, length).values());
  return shapes.map(shape => Object.fromEntries(shape.map(name => [name, columns.get(name)?.next().value])));
}

function readColumn(from: ByteReader, count: number): unknown[] {
  const kind = from.byte();
  if (kind === NUMBERS) return readNumbers(from, count);
  if (kind === JSON_TEXTS) return readTexts(from, count).map(fromJson);
  throw new DamagedTrack(`The track has attributes of an unknown kind: ${kind}`);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedTrack('An attribute of the track is not JSON');
  }
}
