import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { postgresOf } from './binaries.ts';
import { type Place, spoolOf } from './place.ts';

export const SUPERUSER = 'milepost';

/** The whole environment of the database's processes: no secrets, and a fixed locale. */
export const DATABASE_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs PostgreSQL and shuts it down (SIGINT, "fast shutdown") when our end of its standard input closes, even if we
 * are killed. Standard input is the only thing that still reacts to a kill -9 of our process. The signal is repeated: a
 * shell starts programs in the background with SIGINT ignored, so that one in the first moments is lost.
 */
const LIFELINE = `
exec 3<&0
"$@" </dev/null 3<&- &
database=$!
{ read -r _ <&3; while kill -INT "$database"; do sleep 1; done; } 2>/dev/null &
lifeline=$!
wait "$database"
code=$?
kill "$lifeline" 2>/dev/null
wait "$lifeline"
exit "$code"`;

/**
 * Copies a finished file of the journal into the spool, safely and under its own name last; without a spool the journal
 * is not kept. A file that was copied before must be the same (PostgreSQL documentation, "Setting Up WAL Archiving").
 */
function archiveCommand(spool: string): string {
  const to = `'${spool.replaceAll("'", `'\\''`)}'`.replaceAll('%', '%%');
  const copy = `cp "%p" ${to}/%f.part && sync ${to}/%f.part && mv ${to}/%f.part ${to}/%f`;
  return `test ! -d ${to} || cmp -s "%p" ${to}/%f || { test ! -e ${to}/%f && ${copy}; }`;
}

export interface Postmaster {
  /** Resolves to null once it accepts connections, or to the reason why it failed to start. */
  readonly started: Promise<string | null>;
  readonly ended: Promise<void>;
  /** Shuts it down cleanly, even with open connections. */
  stop(): Promise<void>;
}

export function runPostmaster(
  place: Place,
  port: number,
  settings: Readonly<Record<string, string>>,
  log: Logger,
  { isGentle = false } = {},
): Postmaster {
  const flags = Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    max_connections: '60',
    archive_mode: 'on',
    archive_command: archiveCommand(spoolOf(place)),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', LIFELINE, 'milepost-database', ...(isGentle ? ['nice', '-n', '10'] : [])],
      ...[postgresOf(place.binaries), '-D', place.cluster, ...flags],
    ],
    // In its own process session: Ctrl-C signals a terminal's whole process group, and the server must stop the
    // database last.
    { ...place.user, detached: true, cwd: '/', env: DATABASE_ENVIRONMENT, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  // The pipe carries no data; an error on it means that the other end is gone, which `ended` reports.
  child.stdin.on('error', () => {});

  let reason: string | null = null;
  let stopping = false;
  const ended = new Promise<void>(resolve => {
    child.on('close', () => resolve());
    child.on('error', error => {
      reason = error.message;
      resolve();
    });
  });
  const started = new Promise<string | null>(resolve => {
    createInterface({ input: child.stderr }).on('line', line => {
      const { level, message = line } = LINE.exec(line)?.groups ?? {};
      if (level === 'FATAL' || level === 'PANIC' || level === 'postgres') {
        // The first error is the cause, later ones are consequences.
        reason ??= message;
        // Lost connections are expected while it is stopping.
        log[stopping ? 'debug' : 'warn']({ database: line }, 'The database reports an error');
      } else {
        log.debug({ database: line }, 'The database says');
      }
      if (message.includes('ready to accept connections')) resolve(null);
    });
    ended.then(() => resolve(reason ?? 'it ended without a word'));
  });
  return {
    started,
    ended,
    stop: () => {
      stopping = true;
      child.stdin.end();
      return ended;
    },
  };
}

/** `FATAL:  lock file exists`; `postgres: could not find the database system`. */
const LINE = /^(?<level>[A-Z]+|postgres): +(?<message>.*)$/;
