import type { BoardRow, Driver } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpiryChip } from '../../../documents/ExpiryChip.tsx';
import type { RegistryColumn } from '../../../registry/columns.ts';
import styles from './cells.module.css';
import { DutyCell, PersonCell, ScoreCell, UnitCell } from './cells.tsx';
import { spacedCard, spacedPhone } from './person-values.ts';

interface Known {
  readonly departmentOf: (person: Driver) => string | null;
  /** The driver's row on the logbook's board; undefined if the account keeps no logs. */
  readonly dutyOf: ((driverId: string) => BoardRow | null) | undefined;
  /** The score of the last 28 days; undefined if the user may not see scores. */
  readonly scoreOf: ((driverId: string) => number | null) | undefined;
}

/** The columns of the people list; fewer next to a drawer. */
export function usePeopleColumns({ departmentOf, dutyOf, scoreOf }: Known, hasRoom: boolean): RegistryColumn<Driver>[] {
  const { t } = useTranslation('personal');
  return useMemo(() => {
    const all: RegistryColumn<Driver>[] = [
      {
        id: 'name',
        header: t('columns.name'),
        cell: person => <PersonCell person={person} department={departmentOf(person)} />,
        sortBy: ({ name }) => name,
      },
      ...(dutyOf
        ? [
            {
              id: 'duty',
              header: t('columns.duty'),
              cell: ({ id }: Driver) => <DutyCell row={dutyOf(id)} />,
              sortBy: ({ id }: Driver) => dutyOf(id)?.status ?? null,
            },
          ]
        : []),
      {
        id: 'unit',
        header: t('columns.unit'),
        cell: person => <UnitCell person={person} />,
        sortBy: ({ vehicle }) => vehicle?.deviceName ?? null,
      },
      {
        id: 'phone',
        header: t('columns.phone'),
        cell: ({ phone }) => phone && <span className={styles.nowrap}>{spacedPhone(phone)}</span>,
        sortBy: ({ phone }) => phone,
        from: 1024,
      },
      {
        id: 'licence',
        header: t('columns.licence'),
        cell: ({ licenceRegion, licenceNumber }) => (
          <span className={styles.nowrap}>{[licenceRegion, licenceNumber].filter(Boolean).join(' ')}</span>
        ),
        sortBy: ({ licenceRegion, licenceNumber }) => [licenceRegion, licenceNumber].filter(Boolean).join(' ') || null,
        from: 1024,
      },
      {
        id: 'until',
        header: t('columns.until'),
        cell: ({ licenceExpiresOn }) => licenceExpiresOn && <ExpiryChip expiresOn={licenceExpiresOn} />,
        sortBy: ({ licenceExpiresOn }) => licenceExpiresOn,
      },
      {
        id: 'card',
        header: t('columns.card'),
        cell: ({ card }) => card && <span className={styles.mono}>{spacedCard(card)}</span>,
        sortBy: ({ card }) => card,
        // The score needs the room more.
        from: scoreOf ? 1920 : 1440,
      },
      {
        id: 'documents',
        header: t('columns.documents'),
        cell: ({ documentsExpireOn }) => documentsExpireOn && <ExpiryChip expiresOn={documentsExpireOn} />,
        sortBy: ({ documentsExpireOn }) => documentsExpireOn,
        from: 1440,
      },
      ...(scoreOf
        ? [
            {
              id: 'score',
              header: t('columns.score'),
              cell: ({ id }: Driver) => <ScoreCell score={scoreOf(id)} />,
              sortBy: ({ id }: Driver) => scoreOf(id),
              from: 1440 as const,
            },
          ]
        : []),
    ];
    return hasRoom ? all : all.filter(({ from = 0 }) => from < 1440);
  }, [t, departmentOf, dutyOf, scoreOf, hasRoom]);
}
