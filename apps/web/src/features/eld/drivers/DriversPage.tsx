import { may, type RosterDriver } from '@milepost/contract';
import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { useMedia } from '../../../base/use-media.ts';
import { boardQuery } from '../../../changes/keep-board.ts';
import { useMinute } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { RegistryPage } from '../../../registry/RegistryPage.tsx';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { RegistryTable } from '../../../registry/RegistryTable.tsx';
import { matchesSearch } from '../../../registry/search.ts';
import { Toolbar } from '../../../registry/Toolbar.tsx';
import { useRegistry } from '../../../registry/use-registry.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { EldFrame } from '../EldFrame.tsx';
import { daysQuery, rosterQuery } from '../queries.ts';
import { RuleNote } from '../RuleNote.tsx';
import { Stale } from '../Stale.tsx';
import { RosterInspector } from './RosterInspector.tsx';
import { useRosterColumns } from './roster-columns.tsx';
import { daysByDriver } from './roster-days.ts';

const CarrierDialog = lazyPart(async () => (await import('./CarrierDialog.tsx')).CarrierDialog);

const FILTERS = ['show'];
/** The columns that a phone shows below the name. */
const CARD = ['status', 'certified'] as const;
const SHOWN = ['log', 'none', 'uncertified', 'exempt', 'archived'] as const;
type Shown = (typeof SHOWN)[number];
const DAY_MS = 86_400_000;
const DAYS = 8;

const IS_SHOWN: Readonly<Record<Shown, (driver: RosterDriver) => boolean>> = {
  log: ({ settings }) => settings.keepsLog,
  none: ({ settings }) => !settings.keepsLog,
  uncertified: ({ uncertifiedDays }) => uncertifiedDays > 0,
  exempt: ({ settings }) => settings.isExempt,
  archived: ({ archived }) => archived,
};

/** `/eld/drivers`: who keeps a log, under which rules, and up to when their days are certified [R2.15]. */
export function DriversPage() {
  const { t } = useTranslation('eld');
  const registry = useRegistry(FILTERS);
  const roster = useQuery(rosterQuery);
  const board = useQuery(boardQuery);
  const nowMs = useMinute();
  const to = new Date(nowMs + DAY_MS / 2).toISOString().slice(0, 10);
  const from = new Date(Date.parse(`${to}T00:00:00Z`) - DAYS * DAY_MS).toISOString().slice(0, 10);
  const days = useQuery(daysQuery(from, to));
  const mayChangeCarrier = useSession(({ me }) => me !== null && may(me, 'logbook.settings'));
  const [isCarrierOpen, setIsCarrierOpen] = useState(false);
  const isWide = useMedia('(min-width: 120em)');

  const rows = useMemo(() => new Map((board.data?.rows ?? []).map(row => [row.driverId, row])), [board.data]);
  const byDriver = useMemo(() => daysByDriver(days.data ?? []), [days.data]);
  const wanted = SHOWN.filter(one => registry.filters.show?.includes(one));
  const drivers = roster.data ?? [];
  const shown = drivers.filter(
    driver =>
      (wanted.includes('archived') || !driver.archived) &&
      wanted.every(one => IS_SHOWN[one](driver)) &&
      matchesSearch(registry.query, [driver.name, driver.licenceNumber, driver.terminal.name]),
  );
  const open = drivers.find(({ driverId }) => driverId === registry.open);
  const columns = useRosterColumns({ rows, days: byDriver, nowMs, hasRoom: open === undefined || isWide });

  return (
    <EldFrame title={t('pages.drivers')} note={<RuleNote />} flush>
      <RegistryPage
        title={t('pages.drivers')}
        count={roster.data && t('roster.count', { count: shown.length })}
        actions={
          mayChangeCarrier && (
            <Button
              icon={<IconBuildingWarehouse size={17} stroke={1.75} aria-hidden />}
              onClick={() => setIsCarrierOpen(true)}
            >
              {t('carrier.open')}
            </Button>
          )
        }
        toolbar={
          <Toolbar
            registry={registry}
            searchHint={t('roster.searchHint')}
            filters={[
              {
                id: 'show',
                label: t('roster.show'),
                options: SHOWN.map(value => ({ value, label: t(`roster.shown.${value}`) })),
              },
            ]}
          />
        }
        inspector={
          open && (
            <RosterInspector
              key={open.driverId}
              driver={open}
              days={byDriver.get(open.driverId) ?? []}
              onClose={() => registry.openRow(null)}
            />
          )
        }
      >
        <Stale query={roster} />
        {shown.length > 0 ? (
          <RegistryTable
            label={t('pages.drivers')}
            rows={shown}
            columns={columns}
            idOf={driver => driver.driverId}
            nameOf={driver => driver.name}
            sort={registry.sort ?? { column: 'name', descending: false }}
            onSort={registry.sortBy}
            open={open?.driverId ?? null}
            onOpen={registry.openRow}
            card={driver =>
              CARD.map(id => <Fragment key={id}>{columns.find(column => column.id === id)?.cell(driver)}</Fragment>)
            }
          />
        ) : (
          <RegistryState
            total={roster.data?.length}
            error={roster.error}
            onRetry={() => void roster.refetch()}
            onClear={registry.clear}
            empty={{
              title: t('roster.empty.title'),
              text: t('roster.empty.text'),
              action: (
                <Link to={paths.personal()} className={buttonLook({ variant: 'primary' })}>
                  {t('roster.empty.action')}
                </Link>
              ),
            }}
          />
        )}
      </RegistryPage>
      {isCarrierOpen && <CarrierDialog onClose={() => setIsCarrierOpen(false)} />}
    </EldFrame>
  );
}
