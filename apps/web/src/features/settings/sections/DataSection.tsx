import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { useSession } from '../../../base/session/session.ts';
import { Exports } from '../data/Exports.tsx';
import { Imports } from '../data/Imports.tsx';
import { SectionFrame } from '../SectionFrame.tsx';

const MovingIn = withTexts(() => import('../moving-in/MovingIn.tsx'), {
  'moving-in': () => import('../../../locales/en-US/moving-in.json'),
});

/** Export of all data, import elsewhere, and moving in from files and from Traccar. */
export function DataSection() {
  const { t } = useTranslation('settings');
  const mayImport = useSession(({ me }) => me !== null && may(me, 'data.write'));
  return (
    <SectionFrame title={t('sections.data')}>
      <Exports />
      {mayImport && (
        <>
          <Imports />
          <Part>
            <MovingIn />
          </Part>
        </>
      )}
    </SectionFrame>
  );
}
