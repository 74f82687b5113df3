import { filledMessage, RULE_TAGS, type RuleTag, wrongTag } from '@milepost/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Form } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/TextField.tsx';
import styles from './RuleForm.module.css';
import type { RuleValues } from './rule-form.ts';

/** The message with its tags, which are checked while typing, and a preview. */
export function MessageField({ form, name }: { readonly form: Form<RuleValues>; readonly name: string }) {
  const { t } = useTranslation('rules');
  const box = useRef<HTMLDivElement>(null);
  const { action, message } = form.values;
  const wrong = wrongTag(message);
  const field = form.text('message');
  const example: Record<RuleTag, string> = {
    rule: name,
    vehicle: t('message.example.vehicle'),
    driver: t('message.example.driver'),
    geofence: t('message.example.geofence'),
    other: t('message.example.other'),
    time: t('message.example.time'),
    place: t('message.example.place'),
    speed: t('message.example.speed'),
    measured: t('message.example.measured'),
    action: action.trim() || '–',
  };
  function insert(tag: RuleTag): void {
    const area = box.current?.querySelector('textarea');
    const at = area?.selectionStart ?? message.length;
    form.set('message', `${message.slice(0, at)}{${tag}}${message.slice(area?.selectionEnd ?? at)}`);
    area?.focus();
  }
  return (
    <div ref={box} className={styles.message}>
      <TextArea
        {...field}
        label={t('message.label')}
        placeholder={t('message.hint')}
        error={wrong === null ? field.error : t('message.wrong', { tag: wrong })}
      />
      <fieldset className={styles.tags} aria-label={t('message.tags')}>
        {RULE_TAGS.map(tag => (
          <Button key={tag} variant="text" aria-label={t('message.insert', { tag })} onClick={() => insert(tag)}>
            {`{${tag}}`}
          </Button>
        ))}
      </fieldset>
      {message.trim() !== '' && wrong === null && (
        <p className={styles.quiet}>{t('message.reads', { text: filledMessage(message, example) })}</p>
      )}
    </div>
  );
}
