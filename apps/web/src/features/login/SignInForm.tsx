import { ProblemError } from '@milepost/client';
import { type Credentials, signIn } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { call } from '../../base/api.ts';
import { loadChunk } from '../../base/chunks/load-chunk.ts';
import { describeError } from '../../base/describe-error.ts';
import { beginSession } from '../../base/session/session.ts';
import { paths, returnPath } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import styles from './SignInForm.module.css';
import steps from './Steps.module.css';

const FIELDS = ['userName', 'password'] as const;
const loadCheck = () => loadChunk(() => import('./check-credentials.ts'));
type FieldErrors = Partial<Record<string, string>>;

interface Props {
  /** Already known after a password recovery. */
  readonly userName: string;
  /** Name and password were right, but this user has a second factor. */
  readonly onSecondFactor: (credentials: Credentials) => void;
}

/** The sign-in form. The contract's own schema validates it, and what was typed is never lost [R5.03, R7.01]. */
export function SignInForm({ userName, onSecondFactor }: Props) {
  const { t } = useTranslation('login');
  const { search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Credentials) => call(signIn, { body }),
    onSuccess: ({ token }) => beginSession(token),
    onError: (cause, body) => {
      if (cause instanceof ProblemError && cause.code === 'second-factor-needed') onSecondFactor(body);
      else showErrors(describeError(cause).fields.map(({ field, message }) => [field, message]));
    },
  });

  // The first page of a visit appears without zod; its schema loads while the user types.
  useEffect(() => void loadCheck().catch(() => {}), []);

  // Move the focus to the server's error, so that it is read out and reached first.
  useEffect(() => {
    if (error) failure.current?.focus();
  }, [error]);

  function showErrors(entries: readonly (readonly [string, string])[]): void {
    setErrors(Object.fromEntries(entries));
    const first = FIELDS.find(name => entries.some(([field]) => field === name));
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLInputElement) input.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const entered = {
      userName: String(data.get('userName')),
      password: String(data.get('password')),
      keepSignedIn: data.has('keepSignedIn'),
    };
    // If it can't be loaded, the server's answer says what is wrong.
    const { credentials, errors: found } = await loadCheck().then(
      ({ checkCredentials }) => checkCredentials(entered),
      () => ({ credentials: entered, errors: [] }),
    );
    showErrors(found);
    if (credentials) mutate(credentials);
  }

  const clear = (name: string) => setErrors(({ [name]: _, ...others }) => others);

  return (
    <form ref={form} className={styles.form} onSubmit={event => void submit(event)} noValidate>
      {error && !isPending && (
        <Notice ref={failure} tone="critical" role="alert" tabIndex={-1} className={styles.failure}>
          {describeError(error).message}
        </Notice>
      )}
      <TextField
        name="userName"
        label={t('userName')}
        error={errors.userName}
        defaultValue={userName}
        onChange={() => clear('userName')}
        className={steps.large}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={userName === ''}
      />
      <div className={styles.password}>
        <PasswordField
          name="password"
          label={t('password')}
          error={errors.password}
          onChange={() => clear('password')}
          className={steps.large}
          autoComplete="current-password"
          autoFocus={userName !== ''}
          showLabel={t('showPassword')}
        />
        <Link to={paths.recovery(returnPath(search))} className={styles.forgot}>
          {t('forgot')}
        </Link>
      </div>
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
