import { type Command, readCommand } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { formatClock } from '../../format/time.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { CommandChip } from '../CommandChip.tsx';
import { COMMAND_ICONS } from '../command-icons.ts';
import { keepCommands, useCommandStore, useFreshCommands } from '../command-store.ts';
import { Outcome } from '../outcome/Outcome.tsx';
import { Decide } from './Decide.tsx';
import styles from './Requests.module.css';

/** One command that needs a second person: who requests it and why, then the decision or the outcome. */
export function Request({ id }: { readonly id: string }) {
  const { t } = useTranslation('commands');
  const known = useCommandStore(({ commands }) => commands.get(id));
  const { data, error } = useQuery({
    queryKey: ['commands', 'request', id],
    queryFn: async () => {
      const command = await call(readCommand, { params: { id } });
      keepCommands(command);
      return command;
    },
    staleTime: 0,
  });
  useFreshCommands(useMemo(() => [id], [id]));
  const command = known ?? data;
  if (!command)
    return error ? <Notice tone="critical">{`${t('decision.failed')} ${describeError(error).message}`}</Notice> : null;
  return <Card command={command} />;
}

function Card({ command }: { readonly command: Command }) {
  const { t } = useTranslation('commands');
  const headingId = useId();
  const { action, createdAt, createdBy, deviceName, expiresAt, mode, reason, state } = command;
  const Icon = COMMAND_ICONS[action];
  const time = formatClock(Date.parse(createdAt));
  const until = formatClock(Date.parse(expiresAt));
  const isWaiting = state === 'awaiting-second';
  return (
    <article className={styles.card} aria-labelledby={headingId} data-waiting={isWaiting || undefined}>
      <header>
        <Icon size={20} stroke={1.75} aria-hidden />
        <h2 id={headingId}>
          {t('decision.title', { name: createdBy?.name ?? t('history.someone'), action: t(`action.${action}`) })}
        </h2>
        <Plate>{deviceName}</Plate>
        <CommandChip command={command} />
      </header>
      <dl>
        <dt>{t('decision.reason')}</dt>
        <dd>{reason}</dd>
        {mode && (
          <>
            <dt>{t('decision.when')}</dt>
            <dd>{t(`mode.${mode}`)}</dd>
          </>
        )}
      </dl>
      {isWaiting ? (
        <>
          <p>{t('decision.asked', { time, until })}</p>
          <Decide command={command} />
        </>
      ) : (
        <Outcome command={command} />
      )}
    </article>
  );
}
