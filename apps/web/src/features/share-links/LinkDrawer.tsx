import type { Share } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { Inspector, InspectorBody } from '../../registry/Inspector.tsx';
import { LinkActions } from '../../sharing/links/LinkActions.tsx';
import { TONE_OF_STATE, useShareWords } from '../../sharing/links/share-words.ts';
import { Chip } from '../../ui/Chip.tsx';
import { FactList } from '../../ui/FactList.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { replayOfShare } from './replay-of-share.ts';
import styles from './ShareLinksPage.module.css';

interface Props {
  readonly share: Share;
  readonly nowMs: number;
  readonly onClose: () => void;
}

/** One link in detail, with the button that ends it. */
export function LinkDrawer({ share, nowMs, onClose }: Props) {
  const { t } = useTranslation(['shareLinks', 'sharing']);
  const { titleOf, windowOf } = useShareWords();
  const {
    createdAt,
    createdBy,
    hidden,
    lastViewedAt,
    note,
    showGeofences,
    showSpeed,
    showTrail,
    state,
    vehicles,
    views,
  } = share;
  const replay = replayOfShare(share, nowMs);
  const moment = (iso: string) => formatMoment(Date.parse(iso), nowMs);
  const shown = [t('position'), showTrail && t('trail'), showSpeed && t('speed'), showGeofences && t('geofences')]
    .filter(Boolean)
    .join(', ');
  return (
    <Inspector
      id={share.id}
      title={titleOf(share)}
      subtitle={<Chip tone={TONE_OF_STATE[state]}>{t(`sharing:state.${state}`)}</Chip>}
      onClose={onClose}
    >
      <InspectorBody>
        <FactList
          facts={[
            [t('window'), windowOf(share, nowMs)],
            [
              t('past'),
              replay && (
                <Link key="replay" to={replay}>
                  {t('replay')}
                </Link>
              ),
            ],
            [t('columns.by'), createdBy.name],
            [t('made'), moment(createdAt)],
            [t('columns.views'), formatCount(views)],
            [t('columns.viewed'), lastViewedAt === null ? t('never') : moment(lastViewedAt)],
            [t('shown'), shown],
            [t('sharing:note'), note && <span className={styles.note}>{note}</span>],
            [
              t('vehicles'),
              <span key="vehicles" className={styles.vehicles}>
                {vehicles.map(({ id, deviceName }) => (
                  <Plate key={id}>{deviceName}</Plate>
                ))}
                {hidden > 0 && t('sharing:hidden', { count: hidden })}
                {vehicles.length + hidden === 0 && t('sharing:noVehicles')}
              </span>,
            ],
          ]}
        />
        <LinkActions key={share.id} share={share} />
      </InspectorBody>
    </Inspector>
  );
}
