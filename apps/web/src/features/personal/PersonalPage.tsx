import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { Segments } from '../../ui/Segments.tsx';
import { MinePage } from './mine/MinePage.tsx';
import { PeoplePage } from './people/PeoplePage.tsx';

const VIEWS = ['people', 'mine'] as const;
type View = (typeof VIEWS)[number];
const VIEW = 'view';

/** Two tabs: the account's people, and the user's own data. A driver sees only the second. */
export function Component() {
  const { t } = useTranslation(['personal', 'shell']);
  const me = useSession(session => session.me);
  const [parameters, setParameters] = useSearchParams();
  const seesPeople = me !== null && may(me, 'drivers.read');
  const wanted = VIEWS.find(view => view === parameters.get(VIEW));
  // Users who manage people start with the list of people.
  const view: View = seesPeople ? (wanted ?? (me.role === 'driver' ? 'mine' : 'people')) : 'mine';
  const views = seesPeople && (
    <Segments
      segments={VIEWS.map(id => ({ id, label: t(`views.${id}`) }))}
      chosen={view}
      onChoose={id => setParameters({ [VIEW]: id })}
      label={t('views.label')}
    />
  );
  if (me === null) return null;
  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      {view === 'people' ? <PeoplePage me={me} views={views} /> : <MinePage views={views} />}
    </>
  );
}
