import { useTranslation } from 'react-i18next';
import { PasswordField } from '../ui/PasswordField.tsx';
import styles from './NewPasswordFields.module.css';
import { passwordStrength } from './password-strength.ts';
import type { Form } from './use-form.ts';

interface Props<V extends { readonly [P in N]: string } & { readonly repeat: string }, N extends string> {
  readonly form: Form<V>;
  /** Name of the first field. The second one is `repeat`. */
  readonly name?: N;
  readonly className?: string | undefined;
  readonly autoFocus?: boolean;
}

/** Two fields for a new password, with a bar that shows its strength. */
export function NewPasswordFields<
  V extends { readonly [P in N]: string } & { readonly repeat: string },
  N extends string = 'password',
>({ form, name = 'password' as N, className, autoFocus }: Props<V, N>) {
  const { t } = useTranslation('forms');
  const fields = form as unknown as Form<Record<string, string>>;
  const password = fields.values[name] ?? '';
  const strength = passwordStrength(password);
  return (
    <>
      <div className={styles.password}>
        <PasswordField
          {...fields.text(name)}
          label={t('password.new')}
          hint={t('password.hint')}
          className={className}
          autoComplete="new-password"
          showLabel={t('showPassword')}
          autoFocus={autoFocus}
        />
        <div className={styles.strength} data-strength={strength} role="status">
          {password !== '' && (
            <>
              <span aria-hidden="true" className={styles.bar} />
              <span>{t(`password.${strength}`)}</span>
            </>
          )}
        </div>
      </div>
      <PasswordField
        {...fields.text('repeat')}
        label={t('password.repeat')}
        className={className}
        autoComplete="new-password"
        showLabel={t('showRepeated')}
      />
    </>
  );
}
