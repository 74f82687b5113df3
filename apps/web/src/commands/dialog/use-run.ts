import { ProblemError } from '@milepost/client';
import {
  type CommandAction,
  type CommandMode,
  type CommandRunResults,
  cancelCommandRun,
  confirmControlPassword,
  createCommand,
  createCommandRun,
} from '@milepost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { keepCommands } from '../command-store.ts';
import type { OfferedCommand } from '../offers.ts';
import { isRunning, RUNS, useCommandRun, useCommandsOfRun } from '../runs.ts';
import type { CommandVehicle } from '../vehicle.ts';
import { type CommandBody, needsPassword } from './command-form.ts';

/** The result of sending to one vehicle: the command's ID, or the error. */
export type Result =
  | { readonly action: CommandAction; readonly commandId: string }
  | { readonly action: CommandAction; readonly error: string };

export interface Progress {
  readonly done: number;
  readonly all: number;
  readonly failed: number;
}

/** A run that ended while this dialog followed it. */
export interface EndedRun extends Progress {
  readonly action: CommandAction;
}

/**
 * Sends a command to one vehicle, or has the server send it to many, and collects the results. With `initialRun`, it
 * follows that earlier run.
 */
export function useRun(initialRun: string | null) {
  const queries = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [starting, setStarting] = useState<Progress | null>(null);
  const [runId, setRunId] = useState(initialRun);
  const [ended, setEnded] = useState<EndedRun | null>(null);
  const wasRunning = useRef(false);
  const { data: followed } = useCommandRun(runId);
  useCommandsOfRun(followed);

  useEffect(() => {
    if (!followed) return;
    setResults(before => new Map([...before, ...resultsOf(followed)]));
    if (!isRunning(followed) && wasRunning.current) setEnded({ ...progressOf(followed), action: followed.action });
    wasRunning.current = isRunning(followed);
  }, [followed]);

  async function sendOne(command: OfferedCommand, vehicle: CommandVehicle, body: CommandBody, mode?: CommandMode) {
    const { action } = command;
    const { imei, deviceName, id } = vehicle;
    const { params, reason, controlPassword } = body;
    const chosen = mode && { mode };
    const grant = needsPassword(command)
      ? (await call(confirmControlPassword, { body: { action, imei, deviceName, controlPassword, ...chosen } })).grant
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
    keepCommands(sent);
    setResults(before => new Map([...before, [id, { action, commandId: sent.id }]]));
  }

  async function sendMany(
    { action, ...command }: OfferedCommand,
    vehicles: readonly CommandVehicle[],
    { params, reason, controlPassword }: CommandBody,
    mode?: CommandMode,
  ) {
    const { id } = await call(createCommandRun, {
      body: {
        imeis: vehicles.map(({ imei }) => imei),
        action,
        params: { ...params },
        ...(mode && { mode }),
        ...(needsPassword({ action, ...command }) && { controlPassword }),
        ...(reason && { reason }),
      },
    });
    wasRunning.current = true;
    setRunId(id);
    void queries.invalidateQueries({ queryKey: [RUNS] });
  }

  async function run(
    command: OfferedCommand,
    vehicles: readonly CommandVehicle[],
    body: CommandBody,
    mode: CommandMode | undefined,
  ): Promise<void> {
    const [only] = vehicles;
    if (!only) return;
    setStarting({ done: 0, all: vehicles.length, failed: 0 });
    try {
      await (vehicles.length === 1 ? sendOne(command, only, body, mode) : sendMany(command, vehicles, body, mode));
    } finally {
      setStarting(null);
    }
  }

  async function stop(): Promise<void> {
    if (runId === null) return;
    try {
      await call(cancelCommandRun, { params: { id: runId } });
    } catch (error) {
      toast(describeError(error).message, 'error');
    }
    await queries.invalidateQueries({ queryKey: [RUNS] });
  }

  return {
    results,
    progress: starting ?? (followed && isRunning(followed) ? progressOf(followed) : null),
    ended,
    /** Why the run stopped early. */
    problem: followed?.problem ? new ProblemError(followed.problem) : null,
    run,
    stop: () => void stop(),
  };
}

const progressOf = ({ done, total, vehicles }: CommandRunResults): Progress => ({
  done,
  all: total,
  failed: vehicles.filter(({ problem }) => problem !== null).length,
});

function resultsOf({ action, vehicles }: CommandRunResults): [id: string, result: Result][] {
  return vehicles.flatMap(({ deviceId, commandId, problem }): [string, Result][] => {
    if (commandId !== null) return [[deviceId, { action, commandId }]];
    if (problem === null) return [];
    return [[deviceId, { action, error: describeError(new ProblemError(problem)).message }]];
  });
}
