import '../../app/theme/mantine-fields.ts';
import { PasswordInput, TextInput } from '@mantine/core';
import { ProblemError } from '@milepost/client';
import { type Credentials, credentialsSchema, signIn } from '@milepost/contract';
import { IconAlertCircle, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { call } from '../../app/api.ts';
import { describeError } from '../../app/describe-error.ts';
import { beginSession } from '../../app/session/session.ts';
import { MantineRoot } from '../../app/theme/MantineRoot.tsx';
import { paths, returnPath } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import styles from './SignInForm.module.css';

const FIELDS = ['userName', 'password'] as const;
type FieldErrors = Partial<Record<string, string>>;

interface Props {
  /** Known already after a recovery. */
  readonly userName: string;
  /** Name and password were right, and this user has a second factor. */
  readonly onSecondFactor: (credentials: Credentials) => void;
}

/** The sign-in form: the contract's own schema decides, and nothing that was typed is lost [R5.03, R7.01]. */
export function SignInForm({ userName, onSecondFactor }: Props) {
  const { t } = useTranslation('login');
  const { search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Credentials) => call(signIn, { body }),
    onSuccess: ({ token }) => beginSession(token),
    onError: (cause, body) => {
      if (cause instanceof ProblemError && cause.code === 'second-factor-needed') onSecondFactor(body);
      else showErrors(describeError(cause).fields.map(({ field, message }) => [field, message]));
    },
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
          defaultValue={userName}
          onChange={() => clear('userName')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={userName === ''}
          classNames={FIELD}
        />
        <div className={styles.password}>
          <PasswordInput
            name="password"
            label={t('password')}
            error={errors.password && <FieldMessage>{errors.password}</FieldMessage>}
            onChange={() => clear('password')}
            autoComplete="current-password"
            visible={visible}
            autoFocus={userName !== ''}
            onVisibilityChange={setVisible}
            visibilityToggleFocusable
            visibilityToggleIcon={EyeIcon}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), 'aria-pressed': visible }}
            classNames={FIELD}
          />
          <Link to={paths.recovery(returnPath(search))} className={styles.forgot}>
            {t('forgot')}
          </Link>
        </div>
      </MantineRoot>
      <Checkbox name="keepSignedIn" className={styles.keep ?? ''}>
        {t('keep')} <span className={styles.quiet}>{t('keepFor')}</span>
      </Checkbox>
      <Button type="submit" variant="primary" size="large" wide busy={isPending}>
        {t('submit')}
      </Button>
      <PasskeySignIn keepSignedIn={() => new FormData(form.current ?? undefined).has('keepSignedIn')} />
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
