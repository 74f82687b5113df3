import { createDriver, newDriverSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import type { GroupNode } from '../../../organisation/groups.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { PersonFields, PROBLEM_FIELDS } from './PersonFields.tsx';
import { EMPTY_PERSON } from './person-values.ts';

interface Props {
  readonly nodes: readonly GroupNode[];
  /** The department that is open; the new person is added to it. */
  readonly departmentId: string | null;
  readonly onClose: () => void;
  readonly onAdded: (id: string) => void;
}

export function AddPersonDialog(props: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  return (
    <Dialog open onClose={props.onClose} title={t('add.title')} closeLabel={t('forms:close')}>
      <AddPersonForm {...props} />
    </Dialog>
  );
}

function AddPersonForm({ nodes, departmentId, onClose, onAdded }: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  const form = useForm({
    schema: newDriverSchema,
    initial: { ...EMPTY_PERSON, departmentId: departmentId ?? '' },
    save: body => call(createDriver, { body }),
    onSaved: ({ id, name }) => {
      toast(t('add.done', { name }));
      void changedHere(['driver', id]);
      onAdded(id);
    },
    problemFields: PROBLEM_FIELDS,
  });
  return (
    <FormFrame form={form} label={t('add.title')}>
      <PersonFields form={form} nodes={nodes} autoFocus />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('add.action')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
