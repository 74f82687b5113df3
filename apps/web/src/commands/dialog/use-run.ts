import { NetworkError, ProblemError } from '@milepost/client';
import { type Command, type CommandMode, confirmControlPassword, createCommand } from '@milepost/contract';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../app/api.ts';
import { describeError } from '../../app/describe-error.ts';
import { keepCommands } from '../command-store.ts';
import type { OfferedCommand } from '../offers.ts';
import { sendAll } from '../send-all.ts';
import type { CommandVehicle } from '../vehicle.ts';
import { type CommandBody, needsPassword } from './command-form.ts';
import { retryWhenLimited } from './retry-when-limited.ts';

/** What sending to one vehicle gave: a command to follow, or why there is none. */
export type Result =
  | { readonly action: string; readonly commandId: string }
  | { readonly action: string; readonly error: string };

export interface Progress {
  readonly done: number;
  readonly all: number;
  readonly failed: number;
}

/** Said of one, true for all that are left. */
const CONCERN_ALL: ReadonlySet<string> = new Set([
  'control-password-wrong',
  'control-password-missing',
  'controls-locked',
  'not-allowed',
  'read-only',
  'invalid-input',
  'not-signed-in',
  'session-ended',
]);
const SHOWN_EVERY_MS = 150;

const codeOf = (error: unknown): string | null => (error instanceof ProblemError ? error.code : null);

/** Sends one command to many vehicles and remembers what became of each. */
export function useRun() {
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [progress, setProgress] = useState<Progress | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function run(
    command: OfferedCommand,
    vehicles: readonly CommandVehicle[],
    { params, reason, controlPassword }: CommandBody,
    mode: CommandMode | undefined,
  ): Promise<Progress> {
    const { action } = command;
    const controller = new AbortController();
    abort.current = controller;
    let now: Progress = { done: 0, all: vehicles.length, failed: 0 };
    setProgress(now);
    // Shown a few times a second, however many there are.
    const gathered: [id: string, result: Result][] = [];
    const sentNow: Command[] = [];
    let running = true;
    const show = (): void => {
      const news = gathered.splice(0);
      keepCommands(...sentNow.splice(0));
      setResults(before => new Map([...before, ...news]));
      if (running) setProgress(now);
    };
    const note = (vehicle: CommandVehicle, result: Result): void => {
      now = { ...now, done: now.done + 1, failed: now.failed + ('error' in result ? 1 : 0) };
      if (gathered.push([vehicle.id, result]) === 1) setTimeout(show, SHOWN_EVERY_MS);
    };
    const fail = (vehicle: CommandVehicle, error: unknown): void =>
      note(vehicle, { action, error: describeError(error).message });
    try {
      await sendAll({
        items: vehicles,
        signal: controller.signal,
        concernsAll: error =>
          vehicles.length === 1 || error instanceof NetworkError || CONCERN_ALL.has(codeOf(error) ?? ''),
        onFailure: fail,
        send: vehicle =>
          retryWhenLimited(controller.signal, async () => {
            const { imei, deviceName } = vehicle;
            const chosen = mode && { mode };
            const grant = needsPassword(command)
              ? (await call(confirmControlPassword, { body: { action, imei, deviceName, controlPassword, ...chosen } }))
                  .grant
              : undefined;
            const sent = await call(createCommand, {
              body: {
                imei,
                action,
                params: { ...params },
                ...chosen,
                ...(grant && { grant }),
                ...(reason && { reason }),
              },
            });
            sentNow.push(sent);
            note(vehicle, { action, commandId: sent.id });
          }),
      });
      return now;
    } finally {
      running = false;
      show();
      setProgress(null);
    }
  }

  return { results, progress, run, stop: () => abort.current?.abort() };
}
