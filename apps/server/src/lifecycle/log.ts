import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.ts';

/** Logs one JSON object per line to standard output, or readable lines on a terminal. */
export function createLog(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ sync: true, translateTime: 'HH:MM:ss', ignore: 'part', messageFormat: '{msg}' }));
}
