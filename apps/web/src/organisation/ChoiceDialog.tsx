import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import styles from './GroupDialog.module.css';

interface Props {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
  /** Whether the options have loaded. */
  readonly ready?: boolean;
  readonly action: string;
  /** Whether there is a change to save. */
  readonly enabled?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** A dialog for choosing one option from a list, such as a folder or a driver. */
export function ChoiceDialog(props: Props) {
  const { title, chosen, onChoose, ready = true, action, enabled = true, busy, error, onSave, onClose } = props;
  const { t } = useTranslation('forms');
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          if (!busy) onSave();
        }}
      >
        <SelectField
          label={props.label}
          hint={props.hint}
          value={chosen}
          onChange={event => onChoose(event.currentTarget.value)}
          options={props.options}
          disabled={!ready}
          data-autofocus
        />
        {Boolean(error) && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={!enabled}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
