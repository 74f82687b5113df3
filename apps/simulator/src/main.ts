import { readFileSync } from 'node:fs';
import { readOrder, readReplay, USAGE } from './command-line.ts';
import { driveFleet } from './drive-fleet.ts';
import { sendLoad } from './load/load.ts';
import { readRecording } from './replay/recording.ts';
import { replay } from './replay/replay.ts';

/**
 * Virtual vehicles for a running server: started by the launcher for the demo, and by `npm run simulate` for any other
 * account, or for load.
 */
/** How long to wait for the server's answers after a recording has ended. */
const ANSWER_TIMEOUT_MS = 1500;

const say = (text: string): void => console.log(text);

// Exits when the launcher ends, even by kill -9.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));

if (process.argv.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}

try {
  const recorded = readReplay(process.argv.slice(2), process.env);
  if (recorded) {
    const recording = readRecording(readFileSync(recorded.file, 'utf8'));
    const port = recorded.port ?? recorded.ports[recording.protocol];
    if (!port) throw new Error(`The gateway of ${recording.protocol} is off.`);
    const { sent, answers } = await replay(recording, { ...recorded, port, timeoutMs: ANSWER_TIMEOUT_MS }, say);
    say(`${sent} frames of tracker ${recording.imei} sent, ${answers.length} answers received`);
    process.exit(0);
  }
  const { target, load, daysBehind, behaviour } = await readOrder(process.argv.slice(2), process.env);
  if (load) {
    console.log(JSON.stringify(await sendLoad(target, load, say)));
    process.exit(0);
  }
  await driveFleet(target, say, daysBehind, behaviour);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
