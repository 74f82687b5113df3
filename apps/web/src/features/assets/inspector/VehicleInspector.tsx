import { may, type Vehicle } from '@milepost/contract';
import { IconDots, IconEdit, IconFolderSymlink, IconMap2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ChangeLog } from '../../../audit/ChangeLog.tsx';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { Documents } from '../../../documents/Documents.tsx';
import { formatDuration } from '../../../format/duration.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import { findNode, type GroupNode } from '../../../organisation/groups.ts';
import { MoveDialog } from '../../../organisation/MoveDialog.tsx';
import { paths } from '../../../paths.ts';
import { Inspector, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import { DeleteVehicleDialog } from './DeleteVehicleDialog.tsx';
import { DeviceKeyDialog } from './DeviceKeyDialog.tsx';
import { DeviceTab } from './DeviceTab.tsx';
import { LocatorMap } from './LocatorMap.tsx';
import { SignInCodeDialog } from './SignInCodeDialog.tsx';
import { SummaryTab } from './SummaryTab.tsx';
import styles from './VehicleInspector.module.css';

const EditVehicle = lazyPart(async () => (await import('./EditVehicle.tsx')).EditVehicle);

interface Props {
  readonly vehicle: Vehicle;
  readonly nodes: readonly GroupNode[];
  readonly mayWrite: boolean;
  readonly mayAssign: boolean;
  readonly nameOf: (id: string) => string;
  readonly onClose: () => void;
}

const TABS = ['summary', 'documents', 'device', 'log'] as const;
type Tab = (typeof TABS)[number];

/** One vehicle in detail: position, data, documents and tracker. */
export function VehicleInspector({ vehicle, nodes, mayWrite, mayAssign, nameOf, onClose }: Props) {
  const { t } = useTranslation(['assets', 'vehicle', 'registry']);
  const [tab, setTab] = useState<Tab>('summary');
  const [editing, setEditing] = useState(false);
  const [dialog, setDialog] = useState<'move' | 'code' | 'key' | 'delete' | null>(null);
  const folder = vehicle.folderId === null ? undefined : findNode(nodes, vehicle.folderId);
  const mayAudit = useSession(({ me }) => me !== null && may(me, 'audit.read'));
  const close = () => setDialog(null);

  return (
    <Inspector
      id={vehicle.id}
      title={modelOf(vehicle) || t('noModel')}
      subtitle={folder?.name ?? (vehicle.folderId === null && t('noFolder'))}
      art={<Plate size="lg">{vehicle.deviceName}</Plate>}
      label={t('vehicle', { name: vehicle.deviceName })}
      wide
      onClose={onClose}
    >
      {editing ? (
        <EditVehicle vehicle={vehicle} nodes={nodes} onDone={() => setEditing(false)} />
      ) : (
        <>
          <Status imei={vehicle.imei} />
          <LocatorMap imei={vehicle.imei} />
          <Tabs
            tabs={TABS.filter(id => id !== 'log' || mayAudit).map(id => ({ id, label: t(`tabs.${id}`) }))}
            chosen={tab}
            onChoose={setTab}
            label={t('tabs.label')}
          >
            <div className={styles.tab}>
              {tab === 'summary' && <SummaryTab vehicle={vehicle} />}
              {tab === 'documents' && (
                <Documents
                  owner={{ kind: 'vehicle', id: vehicle.id }}
                  mayEdit={mayWrite}
                  onChanged={() => void changedHere(['vehicle', vehicle.id])}
                />
              )}
              {tab === 'device' && <DeviceTab vehicle={vehicle} />}
              {tab === 'log' && <ChangeLog kind="vehicle" id={vehicle.id} />}
            </div>
          </Tabs>
          <InspectorFoot>
            <div className={styles.foot}>
              <Link to={paths.vehicleOnMap(vehicle.imei)} className={buttonLook()}>
                <IconMap2 size={16} stroke={1.75} aria-hidden />
                {t('showOnMap')}
              </Link>
              {mayAssign && !mayWrite && (
                <Button
                  icon={<IconFolderSymlink size={16} stroke={1.75} aria-hidden />}
                  onClick={() => setDialog('move')}
                >
                  {t('bulk.move')}
                </Button>
              )}
              {mayWrite && (
                <>
                  <Button icon={<IconEdit size={16} stroke={1.75} aria-hidden />} onClick={() => setEditing(true)}>
                    {t('bulk.edit')}
                  </Button>
                  <Menu
                    trigger={trigger => (
                      <IconButton
                        {...trigger}
                        bordered
                        label={t('registry:actionsFor', { name: vehicle.deviceName })}
                        tooltip="none"
                      >
                        <IconDots size={17} stroke={1.75} aria-hidden />
                      </IconButton>
                    )}
                  >
                    {mayAssign && <MenuItem onClick={() => setDialog('move')}>{t('bulk.move')}</MenuItem>}
                    <MenuItem onClick={() => setDialog('code')}>{t('signInCode.open')}</MenuItem>
                    <MenuItem onClick={() => setDialog('key')}>{t('key.open')}</MenuItem>
                    <MenuItem onClick={() => setDialog('delete')}>{t('delete.open')}</MenuItem>
                  </Menu>
                </>
              )}
            </div>
          </InspectorFoot>
        </>
      )}
      {dialog === 'move' && (
        <MoveDialog
          kind="folder"
          nodes={nodes}
          ids={[vehicle.id]}
          from={vehicle.folderId}
          nameOf={nameOf}
          onClose={close}
          onMoved={close}
        />
      )}
      {dialog === 'code' && <SignInCodeDialog vehicle={vehicle} onClose={close} />}
      {dialog === 'key' && <DeviceKeyDialog vehicle={vehicle} onClose={close} />}
      {dialog === 'delete' && <DeleteVehicleDialog vehicle={vehicle} onClose={close} onDeleted={onClose} />}
    </Inspector>
  );
}

/** Its current status, and since when. */
function Status({ imei }: { readonly imei: string }) {
  const { t } = useTranslation('vehicle');
  const entry = useVehicle(imei);
  const nowMs = useNow();
  if (!entry) return null;
  const { status, sinceMs } = entry.now;
  return (
    <p className={styles.status}>
      <StatusChip shape={shapeOfEntry(entry)} course={courseOf(entry)}>
        {t(`status.${status}`)} {sinceMs !== null && formatDuration(nowMs - sinceMs)}
      </StatusChip>
    </p>
  );
}
