import { openDatabases } from '../src/db/database.ts';
import { openDirectory } from '../src/fleet/directory.ts';
import { loadLiveStates } from '../src/fleet/live.ts';
import { openOrganisation } from '../src/fleet/organisation.ts';
import { reportContextOf } from '../src/ingest/report.ts';
import { createJobs } from '../src/jobs/jobs.ts';
import { openDailyFigures } from '../src/modules/history/days/daily-figures.ts';
import { openPlaces } from '../src/modules/places/places.ts';
import { openReportRuns } from '../src/modules/reports/report-runs.ts';
import { createReportSources } from '../src/modules/reports/sources.ts';
import { createWorkers } from '../src/workers/workers.ts';
import { testContext } from './context.ts';

/**
 * Writes reports in a process of its own, for tests that kill that process: node run-reports.ts DATABASE_URL DATA_DIR.
 */
const [connectionString = '', dataDir = ''] = process.argv.slice(2);
const databases = openDatabases({ connectionString });
const made = testContext(databases, { dataDir });
const jobs = createJobs(databases, made.log, { lookEverySeconds: 0.5, superviseEverySeconds: 1, heartbeatSeconds: 10 });
const context = { ...made, jobs };
await context.feed.open();
const directory = await openDirectory(context);
const live = await loadLiveStates(databases.system);
const organisation = await openOrganisation(context, directory, live);
const figures = openDailyFigures(context, { directory, live });
const places = await openPlaces();
const workers = createWorkers(context.metrics);
const reportContext = reportContextOf(places, organisation.roster);
openReportRuns(context, createReportSources(context, { ...organisation, figures, places, reportContext, workers }));
jobs.start();
