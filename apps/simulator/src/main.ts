import { readOrder } from './command-line.ts';
import { driveFleet } from './drive-fleet.ts';
import { sendLoad } from './load/load.ts';

/**
 * Virtual vehicles on a running server: started by the launcher for the demo, and by `npm run simulate` for any other
 * account, or for load.
 */
const say = (text: string): void => console.log(text);

// The launcher's end, be it by kill -9, is ours.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));

try {
  const { target, load, daysBehind } = await readOrder(process.argv.slice(2), process.env);
  if (load) {
    console.log(JSON.stringify(await sendLoad(target, load, say)));
    process.exit(0);
  }
  await driveFleet(target, say, daysBehind);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
