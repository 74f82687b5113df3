import { type Command, listCommands } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { call } from '../../base/api.ts';
import { commandWord } from '../command-state.ts';
import { keepCommands, useCommandStore, useFreshCommands } from '../command-store.ts';
import type { Result } from './use-run.ts';

/** With more commands than this, results are summarized instead of announced one by one. */
const TOLD_SINGLY = 3;

/**
 * The command that the dialog shows for one vehicle: the one sent here, otherwise an earlier one that is still open.
 */
export function useFollowed(results: ReadonlyMap<string, Result>, vehicleId: string): Command | undefined {
  const commands = useCommandStore(state => state.commands);
  const { data: open } = useQuery({
    queryKey: ['commands', vehicleId, 'open'],
    queryFn: async () => {
      const list = await call(listCommands, { query: { deviceId: vehicleId, open: 'true', limit: 1 } });
      keepCommands(...list);
      return list;
    },
    staleTime: 0,
  });
  const result = results.get(vehicleId);
  const id = result === undefined ? open?.[0]?.id : 'commandId' in result ? result.commandId : undefined;

  const sent = useMemo(
    () => [...results.values()].flatMap(one => ('commandId' in one ? [one.commandId] : [])),
    [results],
  );
  useFreshCommands(useMemo(() => (id === undefined || sent.includes(id) ? sent : [...sent, id]), [sent, id]));
  useTold(sent);
  return id === undefined ? undefined : commands.get(id);
}

/** Announces each step of a few commands once. */
function useTold(ids: readonly string[]): void {
  const { t } = useTranslation('commands');
  const commands = useCommandStore(state => state.commands);
  const told = useRef(new Map<string, string>());
  useEffect(() => {
    if (ids.length > TOLD_SINGLY) return;
    for (const id of ids) {
      const command = commands.get(id);
      if (!command) continue;
      const word = commandWord(command);
      if (told.current.get(id) === word) continue;
      told.current.set(id, word);
      const { deviceName: vehicle, action } = command;
      announce(t('announce', { vehicle, action: t(`action.${action}`), state: t(`state.${word}`) }));
    }
  }, [ids, commands, t]);
}
