import { may, type Vehicle } from '@milepost/contract';
import { IconDownload, IconEdit, IconFolderSymlink } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { Part } from '../../base/chunks/Part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useMedia } from '../../base/use-media.ts';
import { useExpiry } from '../../documents/use-expiry.ts';
import { showLivePositions } from '../../live/live.ts';
import { startDrag } from '../../organisation/drag.ts';
import { GroupPanel } from '../../organisation/GroupPanel.tsx';
import { ALL_GROUPS, findNode, membersIn, NO_GROUP } from '../../organisation/groups.ts';
import { MoveDialog } from '../../organisation/MoveDialog.tsx';
import { useGroups } from '../../organisation/use-groups.ts';
import { BulkAction, BulkBar } from '../../registry/BulkBar.tsx';
import { RegistryPage } from '../../registry/RegistryPage.tsx';
import { RegistryState } from '../../registry/RegistryState.tsx';
import { RegistryTable } from '../../registry/RegistryTable.tsx';
import { Toolbar } from '../../registry/Toolbar.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { Button } from '../../ui/Button.tsx';
import { AddVehicleDialog } from '../../vehicles/add-vehicle/lazy.ts';
import { AssetActions } from './AssetActions.tsx';
import { CardLines } from './cells.tsx';
import { useAssetColumns } from './columns.tsx';
import { exportCsv } from './export.ts';
import { ASSET_FILTERS, type AssetView, shownVehicles } from './filters.ts';
import { ImportDialog } from './import/ImportDialog.tsx';
import { VehicleInspector } from './inspector/VehicleInspector.tsx';
import { useAssetFilters } from './use-asset-filters.ts';
import { useVehicles } from './use-vehicles.ts';

const BulkEditDialog = lazyPart(async () => (await import('./bulk/BulkEditDialog.tsx')).BulkEditDialog);

const NOTHING: ReadonlySet<string> = new Set();

/** The list of vehicles, with their folders, and one vehicle in detail. */
export function Component() {
  const { t } = useTranslation(['assets', 'shell']);
  useEffect(showLivePositions, []);
  const me = useSession(session => session.me);
  const mayWrite = me !== null && may(me, 'vehicles.write');
  const mayAssign = me !== null && may(me, 'organisation.assign');
  const mayEditFolders = me !== null && may(me, 'organisation.write');
  const seesFolders = me !== null && may(me, 'organisation.read');

  const registry = useRegistry(ASSET_FILTERS);
  const { vehicles, byId, members, loaded, error, refetch } = useVehicles();
  const groups = useGroups('folder', members);
  const expiryOf = useExpiry();
  const filters = useAssetFilters(vehicles);
  const [selected, setSelected] = useState(NOTHING);
  const [dialog, setDialog] = useState<'add' | 'import' | 'move' | 'edit' | null>(null);
  const close = () => setDialog(null);

  const folderId = registry.filters.folder?.[0] ?? ALL_GROUPS;
  const folder = findNode(groups.nodes ?? [], folderId);
  const inFolder = useMemo(() => membersIn(groups, folderId), [groups, folderId]);
  const { query, filters: chosenFilters } = registry;
  // Filter thousands of vehicles only when the search or the filters have changed.
  const wanted = useDeferredValue(JSON.stringify([query, chosenFilters]));
  const rows = useMemo(() => {
    const [text, values] = JSON.parse(wanted) as [string, AssetView['filters']];
    return shownVehicles(vehicles, inFolder, { query: text, filters: values }, expiryOf);
  }, [vehicles, inFolder, wanted, expiryOf]);

  // Vehicles that no longer exist are no longer selected.
  const chosen = useMemo(() => new Set([...selected].filter(id => byId.has(id))), [selected, byId]);
  const nameOf = useCallback((id: string) => byId.get(id)?.deviceName ?? '', [byId]);
  const folderOf = useCallback(
    (vehicle: Vehicle) => (vehicle.folderId && findNode(groups.nodes ?? [], vehicle.folderId)?.name) || null,
    [groups.nodes],
  );
  const open = registry.open === null ? undefined : byId.get(registry.open);
  const isWide = useMedia('(min-width: 120em)');
  // Next to the drawer there is no room for the details that the drawer shows anyway.
  const hasRoom = open === undefined || isWide;
  const namesFolder = seesFolders && hasRoom && (folder === undefined || folder.children.length > 0);
  const columns = useAssetColumns(namesFolder ? folderOf : null, hasRoom);

  const chooseFolder = (id: string): void => {
    const { folder: _, ...others } = registry.filters;
    registry.filterBy(id === ALL_GROUPS ? others : { ...others, folder: [id] });
  };
  const download = (ids: readonly string[] | null): void => {
    exportCsv(ids).catch((cause: unknown) => toast(describeError(cause).message, 'error'));
  };
  const title = folder?.name ?? (folderId === NO_GROUP ? t('noFolder') : t('all'));
  const ids = [...chosen];

  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <RegistryPage
        title={title}
        count={loaded && t('count', { count: rows.length })}
        side={
          seesFolders && (
            <GroupPanel
              kind="folder"
              groups={groups}
              current={folderId}
              onChoose={chooseFolder}
              mayEdit={mayEditFolders}
              mayAssign={mayAssign}
              {...(mayAssign || mayWrite ? { choice: { chosen, set: setSelected } } : {})}
              nameOf={nameOf}
            />
          )
        }
        actions={
          <AssetActions
            mayWrite={mayWrite}
            isEmpty={rows.length === 0}
            onExport={() => download(rows.length === vehicles.length ? null : rows.map(({ id }) => id))}
            onImport={() => setDialog('import')}
            onAdd={() => setDialog('add')}
          />
        }
        toolbar={<Toolbar registry={registry} searchHint={t('searchHint')} filters={filters} />}
        inspector={
          open && (
            <VehicleInspector
              key={open.id}
              vehicle={open}
              nodes={groups.nodes ?? []}
              mayWrite={mayWrite}
              mayAssign={mayAssign}
              nameOf={nameOf}
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
            idOf={vehicle => vehicle.id}
            nameOf={vehicle => vehicle.deviceName}
            sort={registry.sort ?? { column: 'unit', descending: false }}
            onSort={registry.sortBy}
            open={open?.id ?? null}
            onOpen={registry.openRow}
            selected={chosen}
            onSelect={setSelected}
            {...(mayAssign && {
              onDragRow: (id: string, data: DataTransfer) =>
                startDrag(data, {
                  kind: 'folder',
                  what: 'members',
                  ids: chosen.has(id) ? ids : [id],
                  name: nameOf(id),
                }),
            })}
            card={vehicle => <CardLines vehicle={vehicle} />}
          />
        ) : (
          <RegistryState
            total={loaded ? (registry.filtered ? vehicles.length : rows.length) : undefined}
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
        <BulkBar count={ids.length} onClear={() => setSelected(NOTHING)}>
          {mayAssign && (
            <BulkAction
              icon={<IconFolderSymlink size={17} stroke={1.75} aria-hidden />}
              onClick={() => setDialog('move')}
            >
              {t('bulk.move')}
            </BulkAction>
          )}
          {mayWrite && (
            <BulkAction icon={<IconEdit size={17} stroke={1.75} aria-hidden />} onClick={() => setDialog('edit')}>
              {t('bulk.edit')}
            </BulkAction>
          )}
          <BulkAction icon={<IconDownload size={17} stroke={1.75} aria-hidden />} onClick={() => download(ids)}>
            {t('export')}
          </BulkAction>
        </BulkBar>
      </RegistryPage>
      <Part>{dialog === 'add' && <AddVehicleDialog open imei="" folderId={folder?.id ?? null} onClose={close} />}</Part>
      {dialog === 'import' && <ImportDialog onClose={close} />}
      {dialog === 'edit' && <BulkEditDialog ids={ids} onClose={close} />}
      {dialog === 'move' && (
        <MoveDialog
          kind="folder"
          nodes={groups.nodes ?? []}
          ids={ids}
          from={ids.length === 1 ? (byId.get(ids[0] ?? '')?.folderId ?? null) : null}
          nameOf={nameOf}
          onClose={close}
          onMoved={() => {
            close();
            setSelected(NOTHING);
          }}
        />
      )}
    </>
  );
}
