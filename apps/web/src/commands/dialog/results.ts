import type { Command } from '@milepost/contract';
import type { TFunction } from 'i18next';
import { csvOf } from '../../format/csv.ts';
import { commandWord, isOpen, WORD_TONES } from '../command-state.ts';
import { isTold } from '../outcome/timeline.ts';
import type { CommandVehicle } from '../vehicle.ts';
import type { Result } from './use-run.ts';

/** A vehicle that the command was sent to, with the result so far. */
export interface ResultRow {
  readonly vehicle: CommandVehicle;
  readonly result: Result | undefined;
  readonly command: Command | undefined;
  readonly group: ResultGroup | null;
}
export type ResultGroup = 'failed' | 'under' | 'worked';

export function resultRow(
  vehicle: CommandVehicle,
  result: Result | undefined,
  commands: ReadonlyMap<string, Command>,
): ResultRow {
  const command = result && 'commandId' in result ? commands.get(result.commandId) : undefined;
  return { vehicle, result, command, group: groupOf(result, command) };
}

/** Failed, still open, or successful as far as reports can show. Null if not sent. */
function groupOf(result: Result | undefined, command: Command | undefined): ResultGroup | null {
  if (!result) return null;
  if ('error' in result) return 'failed';
  if (!command || isOpen(command)) return 'under';
  return WORD_TONES[commandWord(command)] === 'ok' ? 'worked' : 'failed';
}

/** One line per vehicle, with the table's words and times in UTC. The first line says when the file was made. */
export function resultsCsv(rows: readonly ResultRow[], nowMs: number, t: TFunction<'commands'>): string {
  const action = rows.find(({ result }) => result)?.result?.action;
  const heads = ['vehicle', 'imei', 'state', 'details', 'createdAt', 'changedAt'] as const;
  return csvOf([
    [t('result.csv.title', { action: action ? t(`action.${action}`) : '', time: new Date(nowMs).toISOString() })],
    heads.map(head => t(`result.csv.${head}`)),
    ...rows.map(row => [row.vehicle.deviceName, row.vehicle.imei, ...cellsOf(row, t)]),
  ]);
}

function cellsOf({ command, result }: ResultRow, t: TFunction<'commands'>): readonly string[] {
  if (!result) return [t('result.csv.notYet'), '', '', ''];
  if ('error' in result) return [t('notSent'), result.error, '', ''];
  if (!command) return [t('result.csv.notLoaded'), '', '', ''];
  const changedAt = command.steps.at(-1)?.at ?? '';
  return [t(`state.${commandWord(command)}`), detailsOf(command, t), command.createdAt, changedAt];
}

/** The reason for the command's state, and the tracker's reply. */
function detailsOf({ answer, steps }: Command, t: TFunction<'commands'>): string {
  const reason = steps.at(-1)?.reason ?? null;
  return [...(isTold(reason) ? [t(`why.${reason}`)] : []), ...(answer ? [answer] : [])].join(' · ');
}
