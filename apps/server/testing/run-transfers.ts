import { openDatabases } from '../src/db/database.ts';
import { openDirectory } from '../src/fleet/directory.ts';
import { loadLiveStates } from '../src/fleet/live.ts';
import { openOrganisation } from '../src/fleet/organisation.ts';
import { createJobs } from '../src/jobs/jobs.ts';
import { openExports } from '../src/modules/data-transfer/exports.ts';
import { openImports } from '../src/modules/data-transfer/imports.ts';
import { openFiles } from '../src/modules/documents/files.ts';
import { testContext } from './context.ts';

/**
 * Runs exports and imports in a process of its own, for tests that kill that process: node run-transfers.ts
 * DATABASE_URL DATA_DIR.
 */
const [connectionString = '', dataDir = ''] = process.argv.slice(2);
const databases = openDatabases({ connectionString });
const made = testContext(databases, { dataDir });
const jobs = createJobs(databases, made.log, { lookEverySeconds: 0.5, superviseEverySeconds: 1, heartbeatSeconds: 10 });
const context = { ...made, jobs };
await context.feed.open();
const directory = await openDirectory(context);
const organisation = await openOrganisation(context, directory, await loadLiveStates(databases.system));
const documents = openFiles(dataDir);
openExports(context, documents);
openImports(context, documents, organisation);
jobs.start();
