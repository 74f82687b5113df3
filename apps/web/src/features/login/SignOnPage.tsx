import { finishSignOn, readSignOnLink, startSignOn } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { replaceSession } from '../../base/session/sign-out.ts';
import { paths, returnPath } from '../../paths.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { FrontDoor, StepHead } from './FrontDoor.tsx';
import styles from './Steps.module.css';

/** The router's name for the address with which the app was opened. */
const OPENED = 'default';

/** Begins to sign in at the provider; the page stays until the browser has left it. */
async function leave(key: string | undefined, from: string): Promise<true> {
  const { url } = await call(startSignOn, { body: { from, ...(key !== undefined && { key }) } });
  location.assign(url);
  return true;
}

/**
 * `/sign-on` goes on to the identity provider, which comes back here with its answer. It takes a press of a button, here
 * or on the sign-in page, because anyone can send a link. `?with=` names the account of such a link.
 */
export function Component() {
  const { t } = useTranslation('signOn');
  const { key: visit, search } = useLocation();
  const parameters = new URLSearchParams(search);
  const key = parameters.get('with') ?? undefined;
  return (
    <FrontDoor title={t('page.title')}>
      {parameters.has('state') ? (
        <Arrive answer={search.slice(1)} />
      ) : (
        <Depart isPressed={visit !== OPENED} linkKey={key} from={returnPath(search)} />
      )}
    </FrontDoor>
  );
}

function Arrive({ answer }: { readonly answer: string }) {
  const { t } = useTranslation('signOn');
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ['sign-on-answer', answer],
    queryFn: async () => {
      const { token, from } = await call(finishSignOn, { body: { answer } });
      replaceSession(token);
      return from;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) void navigate(returnPath(`?${new URLSearchParams({ from: data })}`), { replace: true });
  }, [data, navigate]);
  return error ? (
    <Failed error={error} onAgain={() => void navigate(paths.signOn(), { replace: true })} />
  ) : (
    <p role="status">{t('page.coming')}</p>
  );
}

interface Departure {
  /** On the sign-in page, or to start again. */
  readonly isPressed: boolean;
  readonly linkKey: string | undefined;
  readonly from: string;
}

function Depart({ isPressed, linkKey, from }: Departure) {
  const { t } = useTranslation('signOn');
  if (linkKey !== undefined) return <ByLink linkKey={linkKey} from={from} />;
  if (isPressed) return <Going from={from} />;
  return <Ask title={t('page.title')} label={t('page.continue')} linkKey={undefined} from={from} />;
}

function Going({ from }: { readonly from: string }) {
  const { t } = useTranslation('signOn');
  const { error, refetch } = useQuery({
    queryKey: ['sign-on-start', from],
    queryFn: () => leave(undefined, from),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return error ? <Failed error={error} onAgain={() => void refetch()} /> : <p role="status">{t('page.going')}</p>;
}

function ByLink({ linkKey, from }: { readonly linkKey: string; readonly from: string }) {
  const { t } = useTranslation('signOn');
  const { data, error } = useQuery({
    queryKey: ['sign-on-link', linkKey],
    queryFn: () => call(readSignOnLink, { params: { key: linkKey } }),
    retry: false,
  });
  if (error) return <Failed error={error} />;
  if (!data) return <p role="status">{t('page.checking')}</p>;
  const title = t('page.linkTitle', { organization: data.organization });
  return <Ask title={title} label={data.label} linkKey={linkKey} from={from} />;
}

interface Question extends Omit<Departure, 'isPressed'> {
  readonly title: string;
  readonly label: string;
}

function Ask({ title, label, linkKey, from }: Question) {
  const { t } = useTranslation('signOn');
  const start = useMutation({ mutationFn: () => leave(linkKey, from) });
  return (
    <>
      <StepHead title={title} lead={t('page.linkLead')} />
      <div className={styles.form}>
        {start.error && (
          <Notice tone="critical" role="alert">
            {describeError(start.error).message}
          </Notice>
        )}
        <p className={styles.next}>
          <Button
            variant="primary"
            size="large"
            wide
            busy={start.isPending || start.isSuccess}
            onClick={() => start.mutate()}
          >
            {label}
          </Button>
        </p>
      </div>
    </>
  );
}

function Failed({ error, onAgain }: { readonly error: Error; readonly onAgain?: () => void }) {
  const { t } = useTranslation(['signOn', 'login']);
  return (
    <>
      <h1>{t('page.failed')}</h1>
      <div className={styles.form}>
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
        {onAgain && (
          <p className={styles.next}>
            <Button variant="primary" size="large" wide onClick={onAgain}>
              {t('page.again')}
            </Button>
          </p>
        )}
        <p className={styles.next}>
          <Link to={paths.login()} className={buttonLook({ size: 'large', wide: true })}>
            {t('login:invitation.toSignIn')}
          </Link>
        </p>
      </div>
    </>
  );
}
