import { MAP_KINDS } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { chooseMapKind, useHasStreets, useMapKind } from '../../../base/map-kind.ts';
import { Segments } from '../../../ui/Segments.tsx';
import styles from './MapNotice.module.css';

/** Switches between the built-in outline and streets, if the installation has both. */
export function MapKindSwitch() {
  const { t } = useTranslation('dashboardMap');
  const kind = useMapKind();
  if (!useHasStreets()) return null;
  return (
    <div className={styles.kinds}>
      <Segments
        label={t('kinds.label')}
        segments={MAP_KINDS.map(id => ({ id, label: t(`kinds.${id}`) }))}
        chosen={kind}
        onChoose={chosen => void chooseMapKind(chosen)}
      />
    </div>
  );
}
