import { type Command, listCommands } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { Skeleton } from '../../base/Skeleton.tsx';
import { formatAge } from '../../format/duration.ts';
import { usePast } from '../../live/past.ts';
import { useNow } from '../../live/view.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { CommandChip } from '../CommandChip.tsx';
import { COMMAND_ICONS } from '../command-icons.ts';
import { isCancellable, isOpen } from '../command-state.ts';
import { keepCommands, useCommandStore, useFreshCommands } from '../command-store.ts';
import { Decide } from '../decision/Decide.tsx';
import { Cancel } from '../dialog/Footer.tsx';
import { Outcome } from '../outcome/Outcome.tsx';
import styles from './History.module.css';

/** Number of commands per page. "Show older" adds a page. */
const PAGE = 20;

/**
 * All commands to one vehicle, newest first. Each can be expanded to its steps. At a past moment, those given by then,
 * with how each ended, and nothing can be done about them.
 */
export function Component({ vehicleId }: { readonly vehicleId: string }) {
  const { t } = useTranslation('commands');
  const [wanted, setWanted] = useState(PAGE);
  const past = usePast();
  const at = past && new Date(past.atMs).toISOString();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['commands', vehicleId, wanted, at],
    queryFn: async () => {
      const list = await call(listCommands, { query: { deviceId: vehicleId, limit: wanted, at } });
      keepCommands(...list);
      return list;
    },
    staleTime: 0,
    placeholderData: before => before,
  });
  const known = useCommandStore(state => state.commands);
  const commands = useMemo(() => {
    const all = merge(data ?? [], known, vehicleId);
    return at === undefined ? all : all.filter(({ createdAt }) => Date.parse(createdAt) <= Date.parse(at));
  }, [data, known, vehicleId, at]);
  useFreshCommands(useMemo(() => commands.filter(isOpen).map(({ id }) => id), [commands]));

  if (error && !data) {
    return (
      <Notice tone="critical" role="alert">
        {t('history.failed')} {describeError(error).message}{' '}
        <RetryButton error={error} onRetry={() => void refetch()} />
      </Notice>
    );
  }
  if (!data) return <Skeleton bones={6} />;
  if (commands.length === 0) {
    return (
      <div className={styles.empty}>
        <b>{t('history.empty')}</b>
        <p>{t('history.emptyText')}</p>
      </div>
    );
  }
  return (
    <>
      <ul className={styles.list} aria-label={t('history.label')}>
        {commands.map(command => (
          <Row key={command.id} command={command} />
        ))}
      </ul>
      {data.length === wanted && (
        <Button busy={isFetching} onClick={() => setWanted(wanted + PAGE)}>
          {t('history.more')}
        </Button>
      )}
    </>
  );
}

/** The loaded list with later updates, plus commands that are newer than the list. */
function merge(list: readonly Command[], known: ReadonlyMap<string, Command>, vehicleId: string): readonly Command[] {
  const byId = new Map(list.map(command => [command.id, known.get(command.id) ?? command]));
  const oldest = list.at(-1)?.createdAt ?? '';
  for (const command of known.values()) {
    if (command.deviceId === vehicleId && command.createdAt >= oldest) byId.set(command.id, command);
  }
  return [...byId.values()].toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

function Row({ command }: { readonly command: Command }) {
  const { t } = useTranslation('commands');
  const nowMs = useNow();
  const isLive = usePast() === undefined;
  const Icon = COMMAND_ICONS[command.action];
  const lastAt = command.steps.at(-1)?.at ?? command.createdAt;
  const name = command.createdBy?.name ?? t('history.someone');
  return (
    <li>
      <details className={styles.command}>
        <summary>
          <Icon size={18} stroke={1.75} aria-hidden />
          <span className={styles.words}>
            <b>{t(`action.${command.action}`)}</b>
            <small>{command.reason ? t('history.by', { name, reason: command.reason }) : name}</small>
          </span>
          <CommandChip command={command} />
          <span className={styles.age}>{formatAge(nowMs - Date.parse(lastAt))}</span>
        </summary>
        <div className={styles.steps}>
          <Outcome command={command} />
          {isLive && <Decide command={command} />}
          {isLive && isCancellable(command) && <Cancel command={command} />}
        </div>
      </details>
    </li>
  );
}
