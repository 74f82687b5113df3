import { join } from 'node:path';
import { createServer } from 'vite';
import { ROOT } from './install.mjs';

/** The web app with live reload, for `npm run dev`. Ends with the launcher. */
const server = await createServer({ root: join(ROOT, 'apps/web') });
await server.listen();
server.printUrls();

const stop = () => void server.close().finally(() => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, stop);
