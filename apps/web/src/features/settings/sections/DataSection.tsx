import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../base/session/session.ts';
import { Exports } from '../data/Exports.tsx';
import { Imports } from '../data/Imports.tsx';
import { SectionFrame } from '../SectionFrame.tsx';

/** Export of all data, and import elsewhere. */
export function DataSection() {
  const { t } = useTranslation('settings');
  const mayImport = useSession(({ me }) => me !== null && may(me, 'data.write'));
  return (
    <SectionFrame title={t('sections.data')}>
      <Exports />
      {mayImport && <Imports />}
    </SectionFrame>
  );
}
