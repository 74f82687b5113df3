import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from, to } from 'pg-copy-streams';

export interface RawCopy {
  readonly rows: number;
  /** Rows per second of one COPY in text format, as used to restore a dump. */
  readonly text: number;
  /** The same in binary format. */
  readonly binary: number;
}

/** Copies all stored positions into a table with the same columns, partitions and primary key. */
export async function measureRawCopy(databaseUrl: string, repetitions = 3): Promise<RawCopy> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('drop table if exists raw_position');
    await client.query('create table raw_position (like position including all) partition by range (fix_at)');
    const { rows: partitions } = await client.query<{ name: string; bound: string }>(
      `select inhrelid::regclass::text as name, pg_get_expr(relpartbound, oid) as bound
       from pg_inherits join pg_class on oid = inhrelid where inhparent = 'position'::regclass`,
    );
    for (const { name, bound } of partitions) {
      await client.query(`create table raw_${name} partition of raw_position ${bound}`);
    }
    const best = { text: 0, binary: 0 };
    let rows = 0;
    for (const format of ['text', 'binary'] as const) {
      const chunks: Buffer[] = [];
      const collect = new Writable({
        write: (chunk: Buffer, _, done) => {
          chunks.push(chunk);
          done();
        },
      });
      await pipeline(client.query(to(`copy (select * from position) to stdout (format ${format})`)), collect);
      const whole = inLargePieces(Buffer.concat(chunks));
      for (let i = 0; i < repetitions; i++) {
        await client.query('truncate raw_position');
        await client.query('checkpoint');
        const began = performance.now();
        await pipeline(Readable.from(whole), client.query(from(`copy raw_position from stdin (format ${format})`)));
        const seconds = (performance.now() - began) / 1000;
        const { rows: counted } = await client.query<{ n: number }>('select count(*)::int4 as n from raw_position');
        rows = counted[0]?.n ?? 0;
        best[format] = Math.max(best[format], rows / seconds);
      }
    }
    await client.query('drop table raw_position');
    // The next measurement should not pay for this one.
    await client.query('checkpoint');
    return { rows, text: Math.round(best.text), binary: Math.round(best.binary) };
  } finally {
    await client.end();
  }
}

const PIECE_BYTES = 1024 * 1024;

function inLargePieces(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
}
