import { pino } from 'pino';
import { startEmbedded } from '../src/db/embedded.ts';

/** Runs an embedded database in its own process, for tests that kill that process: node keep-database.ts DATA_DIR */
const { url } = await startEmbedded({ dataDir: process.argv[2] ?? '', log: pino({ level: 'silent' }) });
process.stdout.write(`${url}\n`);
