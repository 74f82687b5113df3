import { type Driver, may } from '@milepost/contract';
import { IconArchive, IconPhone, IconTruck, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import type { StoredMe } from '../../../base/session/stored-me.ts';
import { useMedia } from '../../../base/use-media.ts';
import { useExpiry } from '../../../documents/use-expiry.ts';
import { performanceQuery } from '../../../logbook/performance-query.ts';
import { useBoardOf } from '../../../logbook/use-hours-of.ts';
import { startDrag } from '../../../organisation/drag.ts';
import { GroupPanel } from '../../../organisation/GroupPanel.tsx';
import { ALL_GROUPS, findNode, membersIn } from '../../../organisation/groups.ts';
import { MoveDialog } from '../../../organisation/MoveDialog.tsx';
import { useGroups } from '../../../organisation/use-groups.ts';
import { BulkAction, BulkBar } from '../../../registry/BulkBar.tsx';
import { RegistryPage } from '../../../registry/RegistryPage.tsx';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { RegistryTable } from '../../../registry/RegistryTable.tsx';
import { Toolbar } from '../../../registry/Toolbar.tsx';
import { useRegistry } from '../../../registry/use-registry.ts';
import { Button } from '../../../ui/Button.tsx';
import { usePeople } from '../use-people.ts';
import { ArchiveDialog } from './ArchiveDialog.tsx';
import { AssignVehicleDialog } from './AssignVehicleDialog.tsx';
import styles from './cells.module.css';
import { UnitCell } from './cells.tsx';
import { usePeopleColumns } from './columns.tsx';
import { PEOPLE_FILTERS, shownPeople } from './filters.ts';
import { PersonInspector } from './PersonInspector.tsx';
import { usePeopleFilters } from './use-people-filters.ts';
import { Watch } from './Watch.tsx';

const AddPersonDialog = lazyPart(async () => (await import('./AddPersonDialog.tsx')).AddPersonDialog);

const NOTHING: ReadonlySet<string> = new Set();

/** As long as the performance page shows first. */
const SCORE_DAYS = 28;

/** Each driver's score; undefined until it is known, or if the account keeps no logs. */
function useScoreOf(keepsLogs: boolean): ((driverId: string) => number | null) | undefined {
  const { data } = useQuery({ ...performanceQuery(SCORE_DAYS), enabled: keepsLogs });
  return useMemo(() => {
    if (!data) return undefined;
    const scores = new Map(data.drivers.map(({ driverId, score }) => [driverId, score]));
    return driverId => scores.get(driverId) ?? null;
  }, [data]);
}

/** The account's people, with their departments, and one person in detail. */
export function PeoplePage({ me, views }: { readonly me: StoredMe; readonly views: ReactNode }) {
  const { t } = useTranslation('personal');
  const mayWrite = may(me, 'drivers.write');
  const mayAssign = may(me, 'organisation.assign');
  const seesDepartments = may(me, 'organisation.read');

  const registry = useRegistry(PEOPLE_FILTERS);
  const { people, byId, members, loaded, error, refetch } = usePeople();
  const groups = useGroups('department', members);
  const expiryOf = useExpiry();
  const filters = usePeopleFilters();
  const [selected, setSelected] = useState(NOTHING);
  const [dialog, setDialog] = useState<'add' | 'move' | 'assign' | 'archive' | null>(null);
  const close = () => setDialog(null);
  const done = (): void => {
    close();
    setSelected(NOTHING);
  };

  const departmentId = registry.filters.department?.[0] ?? ALL_GROUPS;
  const department = findNode(groups.nodes ?? [], departmentId);
  const inDepartment = useMemo(() => membersIn(groups, departmentId), [groups, departmentId]);
  const rows = shownPeople(people, inDepartment, registry, expiryOf);

  const chosen = useMemo(() => new Set([...selected].filter(id => byId.has(id))), [selected, byId]);
  const chosenPeople = people.filter(({ id }) => chosen.has(id));
  const nameOf = useCallback((id: string) => byId.get(id)?.name ?? '', [byId]);
  const departmentOf = useCallback(
    (person: Driver) => (person.departmentId && findNode(groups.nodes ?? [], person.departmentId)?.name) || null,
    [groups.nodes],
  );
  const open = registry.open === null ? undefined : byId.get(registry.open);
  const isWide = useMedia('(min-width: 120em)');
  const dutyOf = useBoardOf();
  const scoreOf = useScoreOf(dutyOf !== undefined);
  const columns = usePeopleColumns({ departmentOf, dutyOf, scoreOf }, open === undefined || isWide);
  const [only] = chosenPeople;

  const chooseDepartment = (id: string): void => {
    const { department: _, ...others } = registry.filters;
    registry.filterBy(id === ALL_GROUPS ? others : { ...others, department: [id] });
  };

  return (
    <>
      <RegistryPage
        title={t('title')}
        count={loaded && t('count', { count: rows.length })}
        side={
          seesDepartments && (
            <GroupPanel
              kind="department"
              groups={groups}
              current={departmentId}
              onChoose={chooseDepartment}
              mayEdit={may(me, 'organisation.write')}
              mayAssign={mayAssign}
              {...(mayAssign || mayWrite ? { choice: { chosen, set: setSelected } } : {})}
              nameOf={nameOf}
            >
              <Watch people={people} onFilter={registry.filterBy} />
            </GroupPanel>
          )
        }
        actions={
          mayWrite && (
            <Button
              variant="primary"
              icon={<IconUserPlus size={17} stroke={1.75} aria-hidden />}
              onClick={() => setDialog('add')}
            >
              {t('add.open')}
            </Button>
          )
        }
        toolbar={<Toolbar registry={registry} searchHint={t('searchHint')} filters={filters} views={views} />}
        inspector={
          open && (
            <PersonInspector
              key={open.id}
              person={open}
              department={departmentOf(open)}
              nodes={groups.nodes ?? []}
              mayWrite={mayWrite}
              mayAssign={mayAssign}
              onClose={() => registry.openRow(null)}
            />
          )
        }
      >
        {rows.length > 0 ? (
          <RegistryTable
            label={t('title')}
            rows={rows}
            columns={columns}
            idOf={person => person.id}
            nameOf={person => person.name}
            sort={registry.sort ?? { column: 'name', descending: false }}
            onSort={registry.sortBy}
            open={open?.id ?? null}
            onOpen={registry.openRow}
            {...((mayAssign || mayWrite) && { selected: chosen, onSelect: setSelected })}
            menu={person => <CallLink person={person} />}
            {...(mayAssign && {
              onDragRow: (id: string, data: DataTransfer) =>
                startDrag(data, {
                  kind: 'department',
                  what: 'members',
                  ids: chosen.has(id) ? [...chosen] : [id],
                  name: nameOf(id),
                }),
            })}
            card={person => <UnitCell person={person} />}
          />
        ) : (
          <RegistryState
            total={loaded ? (registry.filtered ? people.length : rows.length) : undefined}
            error={error}
            onRetry={() => void refetch()}
            onClear={registry.clear}
            empty={{
              title: t('empty.title'),
              text: t(mayWrite ? 'empty.text' : 'empty.readOnly'),
              action: mayWrite && (
                <Button variant="primary" onClick={() => setDialog('add')}>
                  {t('empty.action')}
                </Button>
              ),
            }}
          />
        )}
        <BulkBar count={chosen.size} onClear={() => setSelected(NOTHING)}>
          {mayAssign && (
            <BulkAction icon={<IconUsers size={17} stroke={1.75} aria-hidden />} onClick={() => setDialog('move')}>
              {t('bulk.move')}
            </BulkAction>
          )}
          {mayAssign && chosen.size === 1 && !only?.archived && (
            <BulkAction icon={<IconTruck size={17} stroke={1.75} aria-hidden />} onClick={() => setDialog('assign')}>
              {t('assign.open')}
            </BulkAction>
          )}
          {mayWrite && chosenPeople.some(({ archived }) => !archived) && (
            <BulkAction icon={<IconArchive size={17} stroke={1.75} aria-hidden />} onClick={() => setDialog('archive')}>
              {t('archive.open')}
            </BulkAction>
          )}
        </BulkBar>
      </RegistryPage>
      {dialog === 'add' && (
        <AddPersonDialog
          nodes={groups.nodes ?? []}
          departmentId={department?.id ?? null}
          onClose={close}
          onAdded={id => {
            close();
            registry.openRow(id);
          }}
        />
      )}
      {dialog === 'move' && (
        <MoveDialog
          kind="department"
          nodes={groups.nodes ?? []}
          ids={[...chosen]}
          from={chosen.size === 1 ? (only?.departmentId ?? null) : null}
          nameOf={nameOf}
          onClose={close}
          onMoved={done}
        />
      )}
      {dialog === 'assign' && only && <AssignVehicleDialog person={only} onClose={close} />}
      {dialog === 'archive' && (
        <ArchiveDialog people={chosenPeople.filter(({ archived }) => !archived)} onClose={close} onDone={done} />
      )}
    </>
  );
}

/** Phone number that calls when pressed, on devices that can call. */
function CallLink({ person }: { readonly person: Driver }) {
  const { t } = useTranslation('personal');
  if (!person.phone) return null;
  const label = t('callName', { name: person.name });
  return (
    <a
      href={`tel:${person.phone}`}
      className={styles.call}
      aria-label={label}
      data-tooltip={label}
      data-tooltip-side="left"
    >
      <IconPhone size={18} stroke={1.75} aria-hidden />
    </a>
  );
}
