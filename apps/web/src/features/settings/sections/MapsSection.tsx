import { useTranslation } from 'react-i18next';
import { useMayChooseMap } from '../../../base/base-map.ts';
import { MapChoiceForm } from '../../../map-choice/MapChoiceForm.tsx';
import { useMapChoice } from '../../../map-choice/use-map-choice.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SectionFrame } from '../SectionFrame.tsx';

/** Where streets on everyone's map come from. */
export function MapsSection() {
  const { t } = useTranslation('settings');
  const mayChoose = useMayChooseMap();
  const { data, error, refetch } = useMapChoice();
  return (
    <SectionFrame title={t('sections.maps')}>
      {!mayChoose ? (
        <Notice>{t('maps.notYours')}</Notice>
      ) : data ? (
        <MapChoiceForm key={JSON.stringify(data.choice)} {...data} />
      ) : (
        <ReadState error={error} onRetry={() => void refetch()} />
      )}
    </SectionFrame>
  );
}
