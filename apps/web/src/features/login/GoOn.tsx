import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { useMe } from '../../app/session/use-me.ts';
import { useNavigation } from '../../app/shell/navigation.ts';
import { paths, returnPath } from '../../paths.ts';
import { FrontDoor } from './FrontDoor.tsx';

/** Somebody is signed in: on to where they wanted [R2.18], or to the page that they have chosen to start with. */
export function GoOn({ search }: { readonly search: string }) {
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
  const start = places.find(({ path }) => path === me?.preferences.startPage);
  return <Navigate to={start?.path ?? paths.dashboard()} replace />;
}
