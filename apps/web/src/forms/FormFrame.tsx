import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/Notice.tsx';
import styles from './FormFrame.module.css';
import { LeaveGuard } from './LeaveGuard.tsx';
import type { Form } from './use-form.ts';

interface Props<V extends object> {
  readonly form: Form<V>;
  /** Asks before unsaved changes are left behind. Not for a form that begins empty and is quickly typed again. */
  readonly guarded?: boolean;
  readonly className?: string | undefined;
  /** For a button outside the form. */
  readonly id?: string;
  /** Names the form for screen readers, where no heading does. */
  readonly label?: string;
  readonly children: ReactNode;
}

/**
 * A form around its fields: after each try the focus goes to the first wrong field, or to the sentence that belongs to
 * none; with more than one wrong field a line on top says how many.
 */
export function FormFrame<V extends object>({ form, guarded = false, className, id, label, children }: Props<V>) {
  const { t } = useTranslation('forms');
  const element = useRef<HTMLFormElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  const { attempts, messages } = form;
  const wrong = Object.keys(messages).length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once a try, not at each keystroke.
  useEffect(() => {
    if (attempts === 0) return;
    const fields = element.current?.querySelectorAll<HTMLElement>('[name], [data-field]') ?? [];
    const first = [...fields].find(
      field => (field.getAttribute('name') ?? field.dataset.field ?? '') in messages && isReachable(field),
    );
    (first ?? failure.current)?.focus();
  }, [attempts]);

  return (
    <form
      ref={element}
      id={id}
      className={className ? `${styles.form} ${className}` : styles.form}
      aria-label={label}
      onSubmit={form.submit}
      noValidate
    >
      {form.failure !== null && (
        <Notice ref={failure} tone="critical" role="alert" tabIndex={-1} className={styles.failure}>
          {form.failure}
        </Notice>
      )}
      {form.failure === null && wrong > 1 && (
        <Notice tone="critical" role="alert">
          {t('wrongFields', { count: wrong })}
        </Notice>
      )}
      {children}
      {guarded && <LeaveGuard dirty={form.changed.length > 0 && !form.saving} />}
    </form>
  );
}

const isReachable = (field: HTMLElement): boolean => !(field instanceof HTMLInputElement && field.type === 'hidden');
