import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { isReadyMessage, type ReadyMessage } from '../apps/server/src/lifecycle/launcher.ts';
import { buildWebWhenStale } from './launch/build-web.ts';
import { ROOT } from './launch/install.mjs';
import { SERVER_FLAGS } from './launch/server-flags.ts';
import { superviseChildren } from './launch/supervise.ts';

/**
 * `npm start` and `npm run dev`: builds the web app if it is out of date, runs the server and, in a demo, the program
 * that drives the fleet; ends them all when it ends, however it ends.
 */
const SERVER = join(ROOT, 'apps/server/src/main.ts');
const SIMULATOR = join(ROOT, 'apps/simulator/src/main.ts');
const WEB_WITH_RELOAD = join(ROOT, 'tools/launch/serve-web.ts');

const dev = process.argv.includes('--dev');
const children = superviseChildren();
let simulator: ChildProcess | null = null;
let webIsServed = false;

if (dev || (await buildWebWhenStale(children))) startServer();
else void children.stop(1);

function startServer(): void {
  say('Starting the server…');
  const server = children.start(SERVER, {
    // On a terminal the greeting stays visible, and only problems are printed below it.
    env: {
      ...(dev && { NODE_ENV: 'development' }),
      ...(!dev && process.stdout.isTTY && !process.env.LOG_LEVEL && { LOG_LEVEL: 'warn' }),
    },
    execArgv: [...SERVER_FLAGS, ...(dev ? ['--watch', '--watch-preserve-output'] : [])],
    onExit: code => {
      // With an exit status, the server has printed the reason; without one, it was ended by a signal.
      if (code === null) say('The server was killed. Stopping everything.');
      void children.stop(code || 1);
    },
  });
  server.on('message', message => {
    if (!isReadyMessage(message)) return;
    if (message.demo) driveDemo(message, message.demo);
    if (dev) serveWeb(message.url);
    else greet(message);
  });
}

/** Called again at each start of the server under `npm run dev`. */
function driveDemo({ url, trackerPorts }: ReadyMessage, demo: NonNullable<ReadyMessage['demo']>): void {
  simulator?.kill();
  const started = children.start(SIMULATOR, {
    // The fleet's eight weeks of history pass through memory once: without a limit, the garbage would stay for hours.
    execArgv: ['--max-old-space-size=192', '--max-semi-space-size=4'],
    env: {
      MILEPOST_URL: url,
      MILEPOST_TOKEN: demo.simulatorToken,
      MILEPOST_TRACKER_PORTS: JSON.stringify(trackerPorts),
      MILEPOST_FLEET: JSON.stringify(demo.fleet),
    },
    onExit: code => {
      if (simulator !== started) return;
      simulator = null;
      say(`The demo fleet stopped unexpectedly (exit status ${code}). The server keeps running without it.`);
    },
  });
  simulator = started;
}

function serveWeb(url: string): void {
  if (webIsServed) return;
  webIsServed = true;
  children.start(WEB_WITH_RELOAD, {
    env: { MILEPOST_URL: url },
    onExit: code => void children.stop(code || 1),
  });
}

function greet({ url, demo, ownerLink }: ReadyMessage): void {
  const lines = [`Milepost is running:  ${url}`];
  if (demo?.signIn) {
    const { userName, password, others } = demo.signIn;
    lines.push(`Sign in as ${userName} with the password ${password}.`);
    lines.push(`Other users with the same password: ${others.join(', ')}. Without signing in: ${url}/demo`);
  } else if (demo) lines.push(`This is a public demo. Nobody signs in; visitors open ${url}/demo`);
  else if (ownerLink)
    lines.push('Nobody can sign in yet. Create the owner with this link, which works once:', ownerLink);
  else lines.push('Sign in as the owner. To create an owner or reset a password: npm run owner -- NAME');
  lines.push('Ctrl-C stops everything.');
  say(`\n${lines.map(line => `  ${line}`).join('\n')}\n`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
