import { acceptInvitation, invitationAcceptanceSchema, type RouteAnswer, readInvitation } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { replaceSession } from '../../base/session/sign-out.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { NewPasswordFields } from '../../forms/NewPasswordFields.tsx';
import { withRepeat } from '../../forms/repeat-password.ts';
import { useForm } from '../../forms/use-form.ts';
import { paths } from '../../paths.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FrontDoor, StepHead } from './FrontDoor.tsx';
import styles from './Steps.module.css';

/** `/login#invitation=…` accepts an invitation. The token is behind the `#`, so no server logs it. */
export function Invitation({ token }: { readonly token: string }) {
  const { t } = useTranslation('login');
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(readInvitation, { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <FrontDoor title={t('invitation.title')}>
      {data ? (
        <Accept token={token} invitation={data} onJoined={() => void navigate(paths.login(), { replace: true })} />
      ) : error ? (
        <Over message={describeError(error).message} />
      ) : (
        <p role="status">{t('invitation.checking')}</p>
      )}
    </FrontDoor>
  );
}

function Over({ message }: { readonly message: string }) {
  const { t } = useTranslation('login');
  return (
    <>
      <h1>{t('invitation.overTitle')}</h1>
      <div className={styles.form}>
        <Notice tone="warning" role="alert">
          {message}
        </Notice>
        <p>
          <Link to={paths.login()} className={buttonLook({ size: 'large', wide: true })}>
            {t('invitation.toSignIn')}
          </Link>
        </p>
      </div>
    </>
  );
}

interface AcceptProps {
  readonly token: string;
  readonly invitation: RouteAnswer<typeof readInvitation>;
  readonly onJoined: () => void;
}

const schema = withRepeat(invitationAcceptanceSchema.omit({ displayName: true }));

function Accept({ token, invitation, onJoined }: AcceptProps) {
  const { t } = useTranslation('login');
  const form = useForm({
    schema,
    initial: { password: '', repeat: '' },
    toBody: values => ({ ...values, token }),
    save: ({ repeat: _, ...body }) => call(acceptInvitation, { body }),
    onSaved: answer => {
      replaceSession(answer.token);
      onJoined();
    },
  });
  return (
    <>
      <StepHead
        title={t('invitation.title')}
        lead={t('invitation.lead', { name: invitation.displayName, organisation: invitation.organisation })}
      />
      <FormFrame form={form} className={styles.form}>
        <TextField
          label={t('invitation.userName')}
          hint={t('invitation.userNameHint')}
          className={styles.large}
          value={invitation.userName}
          autoComplete="username"
          readOnly
        />
        <NewPasswordFields form={form} className={styles.large} autoFocus />
        <Button type="submit" variant="primary" size="large" wide busy={form.saving}>
          {t('invitation.submit')}
        </Button>
      </FormFrame>
    </>
  );
}
