import { may, newViewSchema, type SavedView } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../base/session/session.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { changeView, keepView } from './use-views.ts';

interface Props {
  /** The view to rename; null saves a new one. */
  readonly view: SavedView | null;
  /** What a new view saves. */
  readonly query: string;
  readonly onClose: () => void;
  readonly onKept: (view: SavedView) => void;
}

/** Saves the current view under a name, or renames a view. */
export function ViewDialog(props: Props) {
  const { t } = useTranslation(['fleet', 'forms']);
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t(props.view ? 'views.renameTitle' : 'views.newTitle')}
      closeLabel={t('forms:close')}
    >
      <ViewForm {...props} />
    </Dialog>
  );
}

function ViewForm({ view, query, onClose, onKept }: Props) {
  const { t } = useTranslation(['fleet', 'forms']);
  const me = useSession(session => session.me);
  const mayShare = me !== null && may(me, 'views.share');
  const form = useForm({
    schema: newViewSchema.pick({ name: true, shared: true }),
    problemFields: { 'view-name-taken': 'name' },
    initial: { name: view?.name ?? '', shared: view?.shared ?? false },
    save: ({ name, shared }) =>
      view ? changeView(view.id, { name, ...(mayShare && { shared }) }) : keepView(name, query, shared),
    onSaved: kept => {
      onKept(kept);
      onClose();
    },
  });
  return (
    <FormFrame form={form} label={t(view ? 'views.renameTitle' : 'views.newTitle')}>
      <TextField {...form.text('name')} label={t('views.name')} autoComplete="off" data-autofocus />
      {mayShare && <Checkbox {...form.flag('shared')}>{t('views.shared')}</Checkbox>}
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t(view ? 'views.renameAction' : 'views.keepAction')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
