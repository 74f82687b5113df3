import { useTranslation } from 'react-i18next';
import type { Form } from '../../forms/use-form.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { TextArea } from '../../ui/TextField.tsx';
import { MessageField } from './MessageField.tsx';
import type { RuleValues } from './rule-form.ts';

interface Props {
  readonly form: Form<RuleValues>;
  readonly mayEdit: boolean;
  /** What the alert is called. */
  readonly name: string;
}

/** What to do about an alert, and what it says. */
export function Instructions({ form, mayEdit, name }: Props) {
  const { t } = useTranslation('rules');
  const { action, needsNote } = form.values;
  if (mayEdit) {
    return (
      <>
        <TextArea {...form.text('action')} label={t('action')} placeholder={t('actionHint')} />
        <Checkbox {...form.flag('needsNote')}>{t('needsNote')}</Checkbox>
        <MessageField form={form} name={name} />
      </>
    );
  }
  return (
    <>
      {action !== '' && (
        <p>
          <b>{t('action')}</b> {action}
        </p>
      )}
      {needsNote && <p>{t('needsNote')}</p>}
    </>
  );
}
