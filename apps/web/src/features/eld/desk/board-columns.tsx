import type { BoardRow } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { CLOCKS, type ClockName } from '../../../logbook/clocks.ts';
import type { RegistryColumn } from '../../../registry/columns.ts';
import {
  AgeCell,
  ClockCell,
  DeviceCell,
  DriverCell,
  NextCell,
  PlaceCell,
  SinceCell,
  StatusCell,
  UnitCell,
  ViolationCell,
} from './cells.tsx';

/**
 * The columns of the board. `urgent` is the driver whose row is highlighted; `limits` are the hours that all rows
 * share.
 */
export function useBoardColumns(
  urgent: string | null,
  limits: Readonly<Partial<Record<ClockName, number>>>,
): RegistryColumn<BoardRow>[] {
  const { t } = useTranslation('eld');
  const key = JSON.stringify(limits);
  return useMemo(() => {
    const shared: Readonly<Partial<Record<ClockName, number>>> = JSON.parse(key);
    const header = (name: (typeof CLOCKS)[number]): string => {
      const hours = shared[name];
      const title = t(`columns.${name}`);
      return hours === undefined ? title : t('columns.of', { title, hours: formatCount(hours) });
    };
    return [
      {
        id: 'name',
        header: t('columns.driver'),
        cell: row => <DriverCell row={row} urgent={row.driverId === urgent} />,
        sortBy: ({ name }) => name,
      },
      {
        id: 'status',
        header: t('columns.status'),
        cell: row => <StatusCell row={row} />,
        sortBy: ({ status }) => status,
      },
      {
        id: 'since',
        header: t('columns.since'),
        align: 'end',
        cell: row => <SinceCell row={row} />,
        sortBy: ({ since }) => since,
      },
      {
        id: 'unit',
        header: t('columns.unit'),
        cell: row => <UnitCell row={row} />,
        sortBy: ({ vehicle }) => vehicle?.deviceName ?? null,
      },
      { id: 'place', header: t('columns.place'), cell: row => <PlaceCell row={row} />, from: 1440 },
      ...CLOCKS.map(
        (name): RegistryColumn<BoardRow> => ({
          id: name,
          header: header(name),
          cell: row => <ClockCell row={row} name={name} />,
          sortBy: ({ clocks }) => clocks[name]?.leftS ?? null,
        }),
      ),
      { id: 'next', header: t('columns.next'), cell: row => <NextCell row={row} /> },
      { id: 'violation', header: t('columns.violation'), cell: row => <ViolationCell row={row} />, from: 1024 },
      { id: 'device', header: t('columns.device'), cell: row => <DeviceCell row={row} />, from: 1440 },
      {
        id: 'report',
        header: t('columns.report'),
        align: 'end',
        cell: row => <AgeCell at={row.reportAt} />,
        sortBy: ({ reportAt }) => reportAt,
        from: 1440,
      },
      {
        id: 'phone',
        header: t('columns.phone'),
        align: 'end',
        cell: row => <AgeCell at={row.syncAt} />,
        sortBy: ({ syncAt }) => syncAt,
        from: 1920,
      },
    ];
  }, [t, urgent, key]);
}
