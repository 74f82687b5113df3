import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { Hints } from './Hints.tsx';
import { Welcome } from './Welcome.tsx';

/** `/demo`, open to everyone [R2.03]: the way into the demo fleet, and, for visitors already in it, what to look at. */
export function Component() {
  const { t } = useTranslation(['demo', 'shell']);
  const isVisitor = useSession(({ token, me }) => token !== null && me?.readOnly === true && me.account.demo);
  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      {isVisitor ? <Hints /> : <Welcome />}
    </>
  );
}
