import '../../app/theme/mantine-fields.ts';
import { PasswordInput, TextInput } from '@mantine/core';
import { credentialsSchema, signIn } from '@milepost/contract';
import { IconAlertCircle, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/api.ts';
import { describeError } from '../../app/describe-error.ts';
import { beginSession } from '../../app/session/session.ts';
import { MantineRoot } from '../../app/theme/MantineRoot.tsx';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import styles from './SignInForm.module.css';

const FIELDS = ['userName', 'password'] as const;
type FieldErrors = Partial<Record<string, string>>;

/** The sign-in form: the contract's own schema decides, and nothing that was typed is lost [R5.03, R7.01]. */
export function SignInForm() {
  const { t } = useTranslation('login');
  const form = useRef<HTMLFormElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: (typeof signIn)['body']['_zod']['input']) => call(signIn, { body }),
    onSuccess: ({ token }) => beginSession(token),
    onError: cause => showErrors(describeError(cause).fields.map(({ field, message }) => [field, message])),
  });

  // What the server said is read out and reached first, wherever the focus was.
  useEffect(() => {
    if (error) failure.current?.focus();
  }, [error]);

  function showErrors(entries: readonly (readonly [string, string])[]): void {
    setErrors(Object.fromEntries(entries));
    const first = FIELDS.find(name => entries.some(([field]) => field === name));
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLInputElement) input.focus();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const entered = {
      userName: data.get('userName'),
      password: data.get('password'),
      keepSignedIn: data.has('keepSignedIn'),
    };
    const result = credentialsSchema.safeParse(entered);
    // The first message of a field is the one to act on.
    showErrors(result.error?.issues.map(issue => [String(issue.path[0]), issue.message] as const).toReversed() ?? []);
    if (result.success) mutate(result.data);
  }

  const clear = (name: string) => setErrors(({ [name]: _, ...others }) => others);

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {error && !isPending && (
        <div ref={failure} className={styles.failure} role="alert" tabIndex={-1}>
          <IconAlertCircle size={18} stroke={1.75} aria-hidden />
          {describeError(error).message}
        </div>
      )}
      <MantineRoot>
        <TextInput
          name="userName"
          label={t('userName')}
          error={errors.userName && <FieldMessage>{errors.userName}</FieldMessage>}
          onChange={() => clear('userName')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          classNames={FIELD}
        />
        <PasswordInput
          name="password"
          label={t('password')}
          error={errors.password && <FieldMessage>{errors.password}</FieldMessage>}
          onChange={() => clear('password')}
          autoComplete="current-password"
          visible={visible}
          onVisibilityChange={setVisible}
          visibilityToggleFocusable
          visibilityToggleIcon={EyeIcon}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), 'aria-pressed': visible }}
          classNames={FIELD}
        />
      </MantineRoot>
      <Checkbox name="keepSignedIn" className={styles.keep ?? ''}>
        {t('keep')} <span className={styles.quiet}>{t('keepFor')}</span>
      </Checkbox>
      <Button type="submit" variant="primary" size="large" wide busy={isPending}>
        {t('submit')}
      </Button>
    </form>
  );
}

const FieldMessage = ({ children }: { readonly children: string }) => (
  <>
    <IconAlertCircle size={14} stroke={1.75} aria-hidden />
    {children}
  </>
);

const EyeIcon = ({ reveal }: { readonly reveal: boolean }) =>
  reveal ? <IconEyeOff size={19} stroke={1.75} aria-hidden /> : <IconEye size={19} stroke={1.75} aria-hidden />;

const FIELD = {
  root: styles.field ?? '',
  label: styles.label ?? '',
  input: styles.input ?? '',
  error: styles.error ?? '',
};
