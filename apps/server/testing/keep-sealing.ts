/** Packs old days until a test kills it in the middle of one. */
import pino from 'pino';
import { openDatabases } from '../src/db/database.ts';
import { sealOldDays } from '../src/tracks/seal.ts';
import { packDay } from '../src/tracks/sealed-day.ts';

const { pool } = openDatabases({ connectionString: process.argv[2] });
const sealing = {
  pool,
  log: pino({ level: 'silent' }),
  pack: async (rows: Parameters<typeof packDay>[0]) => packDay(rows),
  afterDays: 2,
  withinMs: 60_000,
  isStopped: () => false,
};
for (;;) await sealOldDays(sealing);
