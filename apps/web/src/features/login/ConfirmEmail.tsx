import { ProblemError } from '@milepost/client';
import { confirmEmail } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { refreshMe } from '../../base/session/use-me.ts';
import { paths } from '../../paths.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { FrontDoor, StepHead } from './FrontDoor.tsx';
import styles from './Steps.module.css';

/**
 * `/login#email=…` confirms an e-mail address for anyone who has the link, signed in or not. It takes a press of a
 * button, because mail programs open links before people do.
 */
export function ConfirmEmail({ token }: { readonly token: string }) {
  const { t } = useTranslation('login');
  const isSignedIn = useSession(session => session.token !== null);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => call(confirmEmail, { body: { token } }),
    onSuccess: refreshMe,
  });
  const isOver = error instanceof ProblemError && error.code === 'email-link-over';
  const title = t(data ? 'email.doneTitle' : isOver ? 'email.overTitle' : 'email.title');
  return (
    <FrontDoor title={title}>
      {data || isOver ? <h1>{title}</h1> : <StepHead title={title} lead={t('email.lead')} />}
      <div className={styles.form}>
        {data && (
          <Notice tone="ok" role="status">
            {t('email.done', { email: data.email })}
          </Notice>
        )}
        {error && (
          <Notice tone={isOver ? 'warning' : 'critical'} role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <p className={styles.next}>
          {data || isOver ? (
            <Link
              to={isSignedIn ? paths.profile('you') : paths.login()}
              className={buttonLook({ size: 'large', wide: true })}
            >
              {t(isSignedIn ? 'email.toProfile' : 'invitation.toSignIn')}
            </Link>
          ) : (
            <Button variant="primary" size="large" wide busy={isPending} onClick={() => mutate()}>
              {t('email.submit')}
            </Button>
          )}
        </p>
      </div>
    </FrontDoor>
  );
}
