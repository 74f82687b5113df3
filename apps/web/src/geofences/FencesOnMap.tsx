import { IconPolygon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { showFences, useFencesOnMap, useMaySeeFences, useShowsFences } from './use-fences-on-map.ts';

/** The account's geofences on the surrounding map, with a button among its tools that hides and shows them. */
export function FencesOnMap() {
  useFencesOnMap();
  return useMaySeeFences() && <FencesButton />;
}

/** Hides and shows geofences on all maps. */
export function FencesButton() {
  const { t } = useTranslation('map');
  const isShown = useShowsFences();
  return (
    <IconButton label={t('geofences')} tooltip="left" aria-pressed={isShown} onClick={() => showFences(!isShown)}>
      <IconPolygon size={18} stroke={1.75} aria-hidden />
    </IconButton>
  );
}
