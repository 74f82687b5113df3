import {
  DOCUMENT_KINDS,
  DOCUMENT_TYPES,
  type DocumentRecord,
  documentFieldsSchema,
  newDocumentSchema,
} from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { toast } from '../base/toasts/toast.ts';
import { FormFrame } from '../forms/FormFrame.tsx';
import { changedValues } from '../forms/field-messages.ts';
import { useForm } from '../forms/use-form.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { TextArea, TextField } from '../ui/TextField.tsx';
import styles from './Documents.module.css';
import { addDocument, changeDocument, type Owner } from './owner.ts';

interface Props {
  readonly owner: Owner;
  /** Null to add a document. */
  readonly document: DocumentRecord | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const KINDS_OF = {
  vehicle: ['registration', 'insurance', 'inspection', 'permit', 'contract', 'other'],
  driver: ['licence', 'medical', 'training', 'permit', 'contract', 'other'],
} as const;

/** Adds a document with its file, or edits an existing one. */
export function DocumentDialog(props: Props) {
  const { document, onClose } = props;
  const { t } = useTranslation(['documents', 'forms']);
  return (
    <Dialog
      open
      onClose={onClose}
      title={document ? t('editTitle', { title: document.title }) : t('newTitle')}
      closeLabel={t('forms:close')}
    >
      <DocumentForm {...props} />
    </Dialog>
  );
}

interface Values {
  readonly kind: string;
  readonly title: string;
  readonly expiresOn: string;
  readonly notes: string;
  readonly file: File | null;
}

function DocumentForm({ owner, document, onClose, onSaved }: Props) {
  const { t } = useTranslation(['documents', 'forms']);
  const usual: readonly (typeof DOCUMENT_KINDS)[number][] = KINDS_OF[owner.kind];
  const done = (): void => {
    toast(t('forms:saved'));
    onSaved();
  };
  const said = {
    kind: document?.kind ?? usual[0] ?? 'other',
    title: document?.title ?? '',
    expiresOn: document?.expiresOn ?? '',
    notes: document?.notes ?? '',
  };
  const initial: Values = { ...said, file: null };
  const added = useForm({
    schema: newDocumentSchema,
    initial,
    toBody: values => ({ ...values, file: values.file ?? undefined }),
    save: body => addDocument(owner, body),
    onSaved: done,
    problemFields: { 'file-not-accepted': 'file', 'payload-too-large': 'file', 'no-space': 'file' },
  });
  const changed = useForm({
    schema: documentFieldsSchema.partial(),
    initial,
    toBody: ({ file: _, ...values }) => changedValues(said, values),
    save: body => changeDocument(owner, document?.id ?? '', body),
    onSaved: done,
  });
  const form = document ? changed : added;
  const kinds = [...usual, ...DOCUMENT_KINDS.filter(kind => !usual.includes(kind) && kind === document?.kind)];

  return (
    <FormFrame form={form} className={styles.form}>
      <SelectField
        {...form.text('kind')}
        label={t('fields.kind')}
        options={kinds.map(kind => ({ value: kind, label: t(`kind.${kind}`) }))}
        data-autofocus
      />
      <TextField {...form.text('title')} label={t('fields.title')} hint={t('fields.titleHint')} autoComplete="off" />
      {!document && (
        <Field label={t('fields.file')} hint={t('fields.fileHint')} error={form.messages.file}>
          {control => (
            <input
              {...control}
              type="file"
              name="file"
              accept={DOCUMENT_TYPES.join(',')}
              onChange={event => form.set('file', event.currentTarget.files?.[0] ?? null)}
            />
          )}
        </Field>
      )}
      <TextField
        {...form.text('expiresOn')}
        type="date"
        label={t('fields.expiresOn')}
        optional={t('forms:optional')}
        hint={t('fields.expiresOnHint')}
      />
      <TextArea {...form.text('notes')} label={t('fields.notes')} optional={t('forms:optional')} rows={2} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button
          type="submit"
          variant="primary"
          busy={form.saving}
          disabled={document !== null && form.changed.length === 0}
        >
          {document ? t('forms:save') : t('add')}
        </Button>
      </div>
    </FormFrame>
  );
}
