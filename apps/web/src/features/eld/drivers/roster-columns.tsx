import type { BoardRow, RosterDriver } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAge } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { useFromNow } from '../../../live/view.ts';
import type { RegistryColumn } from '../../../registry/columns.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { NextCell } from '../desk/cells.tsx';
import styles from './Roster.module.css';
import type { RosterDays } from './roster-days.ts';
import { StatusStrip } from './StatusStrip.tsx';

const DAY_MS = 86_400_000;
const NO_DAYS: RosterDays = [];

interface Sources {
  readonly rows: ReadonlyMap<string, BoardRow>;
  readonly days: ReadonlyMap<string, RosterDays>;
  /** Rounded to the minute. */
  readonly nowMs: number;
  /** False next to a drawer, where fewer columns fit. */
  readonly hasRoom: boolean;
}

/** The columns of the roster. */
export function useRosterColumns({ rows, days, nowMs, hasRoom }: Sources): RegistryColumn<RosterDriver>[] {
  const { t } = useTranslation(['eld', 'logbook']);
  return useMemo(() => {
    const all: RegistryColumn<RosterDriver>[] = [
      {
        id: 'name',
        header: t('columns.driver'),
        cell: ({ name, licenceRegion, licenceNumber }) => (
          <span className={styles.driver}>
            <Avatar name={name} kind="person" size={28} />
            <span>
              <b>{name}</b>
              <small>{[licenceRegion, licenceNumber].filter(Boolean).join(' ') || t('roster.noLicence')}</small>
            </span>
          </span>
        ),
        sortBy: ({ name }) => name,
      },
      {
        id: 'status',
        header: t('roster.now'),
        cell: ({ driverId }) => {
          const row = rows.get(driverId);
          return row && <DutyChip status={row.status} label={t(`logbook:status.${row.status}`)} />;
        },
        sortBy: ({ driverId }) => rows.get(driverId)?.status ?? null,
      },
      {
        id: 'day',
        header: t('roster.day'),
        cell: ({ driverId }) => (
          <StatusStrip days={days.get(driverId) ?? NO_DAYS} fromMs={nowMs - DAY_MS} toMs={nowMs} />
        ),
        from: 1024,
      },
      {
        id: 'next',
        header: t('columns.next'),
        cell: ({ driverId }) => {
          const row = rows.get(driverId);
          return row && <NextCell row={row} />;
        },
        from: 1024,
      },
      {
        id: 'terminal',
        header: t('roster.terminal'),
        cell: ({ terminal }) => terminal.name,
        sortBy: ({ terminal }) => terminal.name,
        from: 1440,
      },
      {
        id: 'rules',
        header: t('roster.ruleSet'),
        cell: ({ ruleSet }) => t(`logbook:ruleSet.${ruleSet}`),
        sortBy: ({ ruleSet }) => ruleSet,
        from: 1440,
      },
      {
        id: 'allowed',
        header: t('roster.allowed'),
        cell: ({ mayUsePersonally, mayMoveInYard, settings }) => (
          <span className={styles.chips}>
            {mayUsePersonally && <DutyChip status="PC" label={t('logbook:status.PC')} />}
            {mayMoveInYard && <DutyChip status="YM" label={t('logbook:status.YM')} />}
            {settings.isExempt && <Chip tone="info">{t('roster.exempt')}</Chip>}
          </span>
        ),
        from: 1440,
      },
      {
        id: 'certified',
        header: t('certification.title'),
        cell: ({ settings, certifiedDays, uncertifiedDays }) =>
          !settings.keepsLog ? (
            <span className={styles.quiet}>{t('roster.noLog')}</span>
          ) : uncertifiedDays > 0 ? (
            <Chip tone="warning">
              {t('roster.uncertified', { count: uncertifiedDays, n: formatCount(uncertifiedDays) })}
            </Chip>
          ) : (
            <Chip tone={certifiedDays > 0 ? 'ok' : 'neutral'}>
              {t('roster.certified', { count: certifiedDays, n: formatCount(certifiedDays) })}
            </Chip>
          ),
        sortBy: ({ uncertifiedDays, certifiedDays }) => (uncertifiedDays > 0 ? uncertifiedDays : -certifiedDays),
      },
      {
        id: 'sync',
        header: t('columns.phone'),
        align: 'end',
        cell: ({ lastSyncAt }) => lastSyncAt && <Age at={lastSyncAt} />,
        sortBy: ({ lastSyncAt }) => lastSyncAt,
        from: 1440,
      },
    ];
    return hasRoom ? all : all.filter(({ from }) => from !== 1440);
  }, [t, rows, days, nowMs, hasRoom]);
}

function Age({ at }: { readonly at: string }) {
  return <span className={styles.quiet}>{useFromNow(nowMs => formatAge(nowMs - Date.parse(at)))}</span>;
}
