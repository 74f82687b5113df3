import { type Driver, may } from '@milepost/contract';
import { IconArchive, IconDots, IconEdit, IconPhone, IconTruck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeLog } from '../../../audit/ChangeLog.tsx';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { Documents } from '../../../documents/Documents.tsx';
import type { GroupNode } from '../../../organisation/groups.ts';
import { MoveDialog } from '../../../organisation/MoveDialog.tsx';
import { Inspector, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { ArchiveDialog } from './ArchiveDialog.tsx';
import { AssignVehicleDialog } from './AssignVehicleDialog.tsx';
import { DeletePersonDialog } from './DeletePersonDialog.tsx';
import { PersonFacts } from './PersonFacts.tsx';
import styles from './PersonInspector.module.css';
import { useRestore } from './use-restore.ts';

const EditPerson = lazyPart(async () => (await import('./EditPerson.tsx')).EditPerson);

interface Props {
  readonly person: Driver;
  readonly department: string | null;
  readonly nodes: readonly GroupNode[];
  readonly mayWrite: boolean;
  readonly mayAssign: boolean;
  readonly onClose: () => void;
}

const TABS = ['summary', 'documents', 'log'] as const;

/** One person in detail: contact, license and documents. */
export function PersonInspector({ person, department, nodes, mayWrite, mayAssign, onClose }: Props) {
  const { t } = useTranslation(['personal', 'registry']);
  const [tab, setTab] = useState<(typeof TABS)[number]>('summary');
  const [editing, setEditing] = useState(false);
  const [dialog, setDialog] = useState<'assign' | 'move' | 'archive' | 'delete' | null>(null);
  const restore = useRestore();
  const mayAudit = useSession(({ me }) => me !== null && may(me, 'audit.read'));
  const close = () => setDialog(null);
  const mayMove = mayAssign && !person.archived;

  return (
    <Inspector
      id={person.id}
      title={person.name}
      subtitle={person.archived ? t('archived') : (department ?? (person.departmentId === null && t('noDepartment')))}
      art={<Avatar name={person.name} kind="person" size={40} />}
      wide
      onClose={onClose}
    >
      {editing ? (
        <EditPerson person={person} nodes={nodes} onDone={() => setEditing(false)} />
      ) : (
        <>
          {person.phone && (
            <p className={styles.call}>
              <a href={`tel:${person.phone}`} className={buttonLook({ variant: 'primary', wide: true })}>
                <IconPhone size={17} stroke={1.75} aria-hidden />
                {t('callName', { name: person.name })}
              </a>
            </p>
          )}
          <Tabs
            tabs={TABS.filter(id => id !== 'log' || mayAudit).map(id => ({ id, label: t(`tabs.${id}`) }))}
            chosen={tab}
            onChoose={setTab}
            label={t('tabs.label')}
          >
            <div className={styles.tab}>
              {tab === 'summary' && <PersonFacts person={person} />}
              {tab === 'documents' && (
                <Documents
                  owner={{ kind: 'driver', id: person.id }}
                  mayEdit={mayWrite}
                  onChanged={() => void changedHere(['driver', person.id])}
                />
              )}
              {tab === 'log' && <ChangeLog kind="driver" id={person.id} />}
            </div>
          </Tabs>
          {(mayWrite || mayMove) && (
            <InspectorFoot>
              <div className={styles.foot}>
                {mayMove && (
                  <Button icon={<IconTruck size={16} stroke={1.75} aria-hidden />} onClick={() => setDialog('assign')}>
                    {t('assign.open')}
                  </Button>
                )}
                {mayWrite && (
                  <Button icon={<IconEdit size={16} stroke={1.75} aria-hidden />} onClick={() => setEditing(true)}>
                    {t('edit.open')}
                  </Button>
                )}
                <Menu
                  trigger={trigger => (
                    <IconButton
                      {...trigger}
                      bordered
                      label={t('registry:actionsFor', { name: person.name })}
                      tooltip="none"
                    >
                      <IconDots size={17} stroke={1.75} aria-hidden />
                    </IconButton>
                  )}
                >
                  {mayMove && <MenuItem onClick={() => setDialog('move')}>{t('bulk.move')}</MenuItem>}
                  {mayWrite &&
                    (person.archived ? (
                      <MenuItem onClick={() => restore(person)}>{t('archive.restore')}</MenuItem>
                    ) : (
                      <MenuItem
                        icon={<IconArchive size={16} stroke={1.75} aria-hidden />}
                        onClick={() => setDialog('archive')}
                      >
                        {t('archive.open')}
                      </MenuItem>
                    ))}
                  {mayWrite && <MenuItem onClick={() => setDialog('delete')}>{t('delete.open')}</MenuItem>}
                </Menu>
              </div>
            </InspectorFoot>
          )}
        </>
      )}
      {dialog === 'assign' && <AssignVehicleDialog person={person} onClose={close} />}
      {dialog === 'move' && (
        <MoveDialog
          kind="department"
          nodes={nodes}
          ids={[person.id]}
          from={person.departmentId}
          nameOf={() => person.name}
          onClose={close}
          onMoved={close}
        />
      )}
      {dialog === 'archive' && (
        <ArchiveDialog
          people={[person]}
          onClose={close}
          onDone={() => {
            close();
            onClose();
          }}
        />
      )}
      {dialog === 'delete' && <DeletePersonDialog person={person} onClose={close} onDeleted={onClose} />}
    </Inspector>
  );
}
