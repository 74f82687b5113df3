import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { useNavigation } from '../../base/navigation.ts';
import { startPage } from '../../base/session/start-page.ts';
import { useMe } from '../../base/session/use-me.ts';
import { paths, returnPath } from '../../paths.ts';
import { FrontDoor } from './FrontDoor.tsx';

/** The user is signed in: go on to the page they wanted [R2.18], or to their start page. */
export function StartPageRedirect({ search }: { readonly search: string }) {
  const { t } = useTranslation('login');
  const { data: me, isError } = useMe();
  const places = useNavigation();
  const wanted = returnPath(search);
  if (wanted !== paths.dashboard()) return <Navigate to={wanted} replace />;
  if (!me && !isError) {
    return (
      <FrontDoor title={t('title')}>
        <p role="status">{t('signedIn')}</p>
      </FrontDoor>
    );
  }
  return <Navigate to={startPage(me, places)} replace />;
}
