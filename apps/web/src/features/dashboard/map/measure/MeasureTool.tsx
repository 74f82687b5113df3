import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../../base/announce.ts';
import { joined, lengthFigure } from '../../../../format/measure.ts';
import { useMeasureSystem } from '../../../../format/use-measure-system.ts';
import type { Insets } from '../../../../map/camera.ts';
import { useMap } from '../../../../map/map-context.ts';
import { useSketch } from '../../../../map/sketch/use-sketch.ts';
import { Button } from '../../../../ui/Button.tsx';
import { openTool } from '../../state/dashboard-state.ts';
import { ToolPanel } from '../tools/ToolPanel.tsx';
import { useMapKeys } from '../tools/use-map-keys.ts';
import styles from './MeasureTool.module.css';
import { legsOf, lengthOf, type MeasuredPath, withoutLast, withPoint } from './measured-path.ts';

/** The length of a path through points set by clicks, or by keyboard at the map's center. */
export function MeasureTool({ insets }: { readonly insets: Insets }) {
  const { t } = useTranslation('dashboardMap');
  const { map } = useMap();
  const system = useMeasureSystem();
  const [path, setPath] = useState<MeasuredPath>([]);
  useSketch(useMemo(() => [path], [path]));
  const figure = (length: ReturnType<typeof lengthOf>): string => joined(lengthFigure(length, system));

  useEffect(() => {
    const onClick = ({ lngLat }: MapMouseEvent): void =>
      setPath(before => withPoint(before, { lat: lngLat.lat, lon: lngLat.lng }));
    map.on('click', onClick);
    map.getCanvas().style.cursor = 'crosshair';
    // A double click sets a second point instead of zooming in.
    map.doubleClickZoom.disable();
    return () => {
      map.off('click', onClick);
      map.getCanvas().style.cursor = '';
      map.doubleClickZoom.enable();
    };
  }, [map]);
  useMapKeys({
    Enter: () => {
      const { lat, lng } = map.getCenter();
      const next = withPoint(path, { lat, lon: lng });
      setPath(next);
      announce(t('measure.spoken', { count: next.length, length: figure(lengthOf(next)) }));
    },
    Backspace: () => setPath(withoutLast),
    Escape: () => openTool(null),
  });

  const legs = legsOf(path);
  const last = legs.at(-1);
  return (
    <>
      <span className={styles.cross} aria-hidden="true" />
      <ToolPanel title={t('measure.title')} insets={insets} onClose={() => openTool(null)}>
        <p className={styles.total}>
          <b>{figure(lengthOf(path))}</b>
          {last !== undefined && legs.length > 1 && <span>{t('measure.last', { length: figure(last) })}</span>}
        </p>
        <p className={styles.hint}>{t(path.length === 0 ? 'measure.hint' : 'measure.straight')}</p>
        <div className={styles.actions}>
          <Button
            icon={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
            disabled={path.length === 0}
            onClick={() => setPath(withoutLast)}
          >
            {t('measure.undo')}
          </Button>
          <Button
            icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
            disabled={path.length === 0}
            onClick={() => setPath([])}
          >
            {t('measure.clear')}
          </Button>
        </div>
      </ToolPanel>
    </>
  );
}
