import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/Notice.tsx';
import styles from './FormFrame.module.css';
import { LeaveGuard } from './LeaveGuard.tsx';
import type { Form } from './use-form.ts';

interface Props<V extends object> {
  readonly form: Form<V>;
  /**
   * Ask before the user leaves with unsaved changes. Not needed for a form that starts empty and is quickly filled in
   * again.
   */
  readonly guarded?: boolean;
  readonly className?: string | undefined;
  /** ID of the form, for a button outside it. */
  readonly id?: string;
  /** Name of the form for screen readers, if no heading names it. */
  readonly label?: string;
  readonly children: ReactNode;
}

/**
 * The frame around a form's fields. After each attempt, the focus goes to the first invalid field, or to the general
 * error. If several fields are invalid, a line at the top says how many.
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
