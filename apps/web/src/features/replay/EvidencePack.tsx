import {
  EVIDENCE_VEHICLES_MAX,
  LANGUAGES,
  listReportRuns,
  may,
  type ReportRun,
  startEvidencePack,
} from '@milepost/contract';
import { IconFileCertificate } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { useLanguage } from '../../base/language/language.ts';
import { useSession } from '../../base/session/session.ts';
import { formatCount } from '../../format/locale.ts';
import { formatDay, formatTime } from '../../format/time.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { Range } from './address.ts';
import styles from './EvidencePack.module.css';
import { PackProgress } from './PackProgress.tsx';
import type { Player } from './player.ts';

interface Props {
  readonly player: Player;
  readonly range: Range;
  readonly vehicles: readonly string[];
  readonly names: readonly string[];
  /** The address asks for it. */
  readonly startsOpen: boolean;
}

/** The reports page has the same key; it lists the packs. */
const RUNS = ['report-runs'];
const LOOK_MS = 1000;

/** Creates an evidence pack: the replayed time, or the part between A and B, as a file that can be verified. */
export function EvidencePack({ player, range, vehicles, names, startsOpen }: Props) {
  const { t } = useTranslation('replay');
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  const [isOpen, setIsOpen] = useState(startsOpen && mayWrite);
  if (!mayWrite) return null;
  return (
    <>
      <Button
        disabled={vehicles.length === 0}
        icon={<IconFileCertificate size={16} stroke={1.75} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        <span>{t('pack.title')}</span>
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('pack.title')}
        subtitle={t('pack.text')}
        closeLabel={t('pack.close')}
      >
        {isOpen && vehicles.length > 0 && <Pack range={player.state.loop ?? range} vehicles={vehicles} names={names} />}
      </Dialog>
    </>
  );
}

/** With its day, also today: the pack is read on other days. */
const written = (ms: number): string => `${formatDay(ms)} ${formatTime(ms)}`;

function Pack({ range, vehicles, names }: Pick<Props, 'range' | 'vehicles' | 'names'>) {
  const { t } = useTranslation('replay');
  const chosen = useLanguage(({ language }) => language);
  const queries = useQueryClient();
  const [id, setId] = useState<string | null>(null);
  const { data: run = null } = useQuery({
    queryKey: RUNS,
    queryFn: () => call(listReportRuns),
    enabled: id !== null,
    select: (runs): ReportRun | null => runs.find(each => each.id === id) ?? null,
    refetchInterval: ({ state }) =>
      state.data?.some(each => each.id === id && each.endedAt === null) === false ? false : LOOK_MS,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(startEvidencePack, {
        body: {
          vehicles: [...vehicles],
          from: new Date(range.fromMs).toISOString(),
          to: new Date(range.toMs).toISOString(),
          language: LANGUAGES.find(each => each === chosen) ?? 'en-US',
        },
      }),
    onSuccess: started => setId(started.id),
    onSettled: () => queries.invalidateQueries({ queryKey: RUNS }),
  });
  const isDone = run?.state === 'done';
  useEffect(() => {
    if (isDone) announce(t('pack.ready'));
  }, [isDone, t]);
  const isTooMany = vehicles.length > EVIDENCE_VEHICLES_MAX;
  return (
    <div className={styles.pack}>
      <dl>
        <dt>{t('pack.vehicles')}</dt>
        <dd>{names.join(', ')}</dd>
        <dt>{t('pack.period')}</dt>
        <dd>
          {written(range.fromMs)} – {written(range.toMs)}
        </dd>
      </dl>
      {isTooMany && <Notice tone="warning">{t('pack.tooMany', { n: formatCount(EVIDENCE_VEHICLES_MAX) })}</Notice>}
      {error && (
        <Notice tone="warning" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {id === null ? (
        <Button variant="primary" busy={isPending} disabled={isTooMany} onClick={() => mutate()}>
          {t('pack.create')}
        </Button>
      ) : (
        <PackProgress run={run} onAgain={() => mutate()} isAsking={isPending} />
      )}
    </div>
  );
}
