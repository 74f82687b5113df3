import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import {
  changeText,
  figureText,
  isOffTarget,
  rowsOf,
  type Tile,
  tileFigure,
  toneOf,
} from '../../../figures/tile-words.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { Sparkline } from './Sparkline.tsx';
import styles from './TileCard.module.css';

/** A tile's content in one sentence, for screen readers. */
export function useTileName(): (tile: Tile) => string {
  const { t } = useTranslation('overview');
  const system = useMeasureSystem();
  return tile => {
    const { key, value, previous, change, target } = tile;
    const text = (of: number): string => figureText(tileFigure(key, of, system, t('units.perDay')));
    const parts = [t('tileName', { name: t(`tiles.${key}`), value: value === null ? '–' : text(value) })];
    if (change !== null) parts.push(t('tileChange', { change: changeText(key, change, system, t('units.points')) }));
    else if (previous !== null) parts.push(t('tileBefore', { value: text(previous) }));
    if (target !== null) {
      parts.push(t('tileTarget', { value: text(target) }), t(isOffTarget(tile) ? 'offTargetName' : 'onTarget'));
    }
    const rows = rowsOf(tile);
    if (rows !== null) parts.push(t(`rows.${rows.key}`, { count: rows.count }));
    return parts.join(', ');
  };
}

/** A figure, its change, its course over the days, and its target. */
export function TileCard({ tile }: { readonly tile: Tile }) {
  const { t } = useTranslation('overview');
  const system = useMeasureSystem();
  const { key, value, previous, change, series, target } = tile;
  const figure = value === null ? null : tileFigure(key, value, system, t('units.perDay'));
  const text = (of: number): string => figureText(tileFigure(key, of, system, t('units.perDay')));
  const rows = rowsOf(tile);
  return (
    <div className={styles.tile}>
      <div className={styles.head}>
        <span>{t(`tiles.${key}`)}</span>
        {isOffTarget(tile) && <IconAlertTriangle size={15} stroke={1.75} className={styles.off} aria-hidden />}
      </div>
      <div className={styles.value}>
        <b>{figure?.value ?? '–'}</b>
        <small>{figure?.unit}</small>
        {change !== null && (
          <span data-tone={toneOf(key, change)}>{changeText(key, change, system, t('units.points'))}</span>
        )}
      </div>
      <Sparkline series={series} />
      <div className={styles.foot}>
        {target !== null
          ? t('target', { value: text(target) })
          : rows !== null
            ? t(`rows.${rows.key}`, { count: rows.count })
            : previous !== null && change === null
              ? t('tileBefore', { value: text(previous) })
              : previous === null
                ? t('noComparison')
                : '\u00a0'}
      </div>
    </div>
  );
}
