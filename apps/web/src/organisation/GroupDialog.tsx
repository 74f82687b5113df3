import { newGroupSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { toast } from '../base/toasts/toast.ts';
import { FormFrame } from '../forms/FormFrame.tsx';
import { useForm } from '../forms/use-form.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './GroupDialog.module.css';
import { type GroupNode, mayContain } from './groups.ts';
import type { GroupKind } from './organisation.ts';
import { groupOptions } from './use-group-list.ts';
import { changeGroup, createGroup } from './writes.ts';

interface Props {
  readonly kind: GroupKind;
  readonly nodes: readonly GroupNode[];
  /** Null to create a group. */
  readonly group: GroupNode | null;
  /** The parent selected at first for a new group. */
  readonly parentId?: string | null;
  readonly onClose: () => void;
}

/** Creates, renames or moves a folder or department. */
export function GroupDialog(props: Props) {
  const { kind, group, onClose } = props;
  const { t } = useTranslation(['organisation', 'forms']);
  return (
    <Dialog
      open
      onClose={onClose}
      title={group ? t(`${kind}.editTitle`, { name: group.name }) : t(`${kind}.newTitle`)}
      closeLabel={t('forms:close')}
    >
      <GroupForm {...props} />
    </Dialog>
  );
}

function GroupForm({ kind, nodes, group, parentId = group?.parentId ?? null, onClose }: Props) {
  const { t } = useTranslation(['organisation', 'forms']);
  const form = useForm({
    schema: newGroupSchema,
    initial: { name: group?.name ?? '', parentId: parentId ?? '' },
    toBody: values => ({ ...values, parentId: values.parentId === '' ? null : values.parentId }),
    save: body => (group ? changeGroup(kind, group.id, body) : createGroup(kind, body)),
    onSaved: ({ name }) => {
      toast(t(group ? `${kind}.changed` : `${kind}.created`, { name }));
      onClose();
    },
    problemFields: {
      'folder-name-taken': 'name',
      'department-name-taken': 'name',
      'inside-itself': 'parentId',
      'too-deep': 'parentId',
      'not-found': 'parentId',
    },
  });
  const parents = groupOptions(nodes).filter(({ value }) => !group || mayContain(group, value));
  return (
    <FormFrame form={form} className={styles.form}>
      <TextField {...form.text('name')} label={t(`${kind}.name`)} autoComplete="off" maxLength={60} data-autofocus />
      <SelectField
        {...form.text('parentId')}
        label={t(`${kind}.parent`)}
        options={[{ value: '', label: t(`${kind}.top`) }, ...parents]}
      />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {group ? t('forms:save') : t(`${kind}.create`)}
        </Button>
      </div>
    </FormFrame>
  );
}
