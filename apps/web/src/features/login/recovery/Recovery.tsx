import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths, returnPath } from '../../../paths.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { AskStep } from './AskStep.tsx';
import { CodeStep, type Proof } from './CodeStep.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { setVerifyData, useVerifyData } from './verify-data.ts';

/** A forgotten password in three steps: ask for a code, enter it, choose a new password [R4.15]. */
export function Recovery({ onDone }: { readonly onDone: (userName: string) => void }) {
  const { t } = useTranslation('login');
  const { search } = useLocation();
  const asked = useVerifyData(state => state.myVerifyData);
  const [userName, setUserName] = useState('');
  const [proof, setProof] = useState<Proof | null>(null);
  const startOver = (): void => {
    setProof(null);
    setVerifyData(null);
  };
  return (
    <>
      {proof ? (
        <PasswordStep
          proof={proof}
          onDone={() => {
            setVerifyData(null);
            onDone(userName);
          }}
          onStartOver={startOver}
        />
      ) : asked ? (
        <CodeStep asked={asked} onVerified={setProof} onStartOver={startOver} />
      ) : (
        <AskStep
          userName={userName}
          onAsked={(name, data) => {
            setUserName(name);
            setVerifyData(data);
          }}
        />
      )}
      <Link to={paths.login(returnPath(search))} className={buttonLook({ variant: 'text', size: 'large', wide: true })}>
        {t('recovery.back')}
      </Link>
    </>
  );
}
