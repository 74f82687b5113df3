import { GEOFENCE_LIMITS } from '@milepost/contract';
import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { LngLat } from 'maplibre-gl';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMap } from '../../map/map-context.ts';
import { Button } from '../../ui/Button.tsx';
import type { Area } from './area.ts';
import styles from './DrawArea.module.css';

interface Props {
  readonly kind: 'rectangle' | 'circle';
  /** Null: canceled. */
  readonly onDrawn: (area: Area | null) => void;
}

interface Drag {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/** A shorter drag counts as a click by mistake. */
const LEAST_PX = 6;

/** A layer over the map on which the user draws an area from corner to corner, or from its center outward. */
export function DrawArea({ kind, onDrawn }: Props) {
  const { t } = useTranslation('replay');
  const { map } = useMap();
  const sheet = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onDrawn(null);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [onDrawn]);

  const placeOf = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
    const { left, top } = sheet.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return [clientX - left, clientY - top];
  };
  const finish = ({ fromX, fromY, toX, toY }: Drag): void => {
    setDrag(null);
    if (Math.hypot(toX - fromX, toY - fromY) < LEAST_PX) return;
    const [from, to] = [map.unproject([fromX, fromY]), map.unproject([toX, toY])];
    onDrawn(kind === 'rectangle' ? rectangleOf(from, to) : circleOf(from, to));
  };
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      onPointerDown={event => {
        if (event.target !== event.currentTarget || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const [x, y] = placeOf(event);
        setDrag({ fromX: x, fromY: y, toX: x, toY: y });
      }}
      onPointerMove={event => {
        const [toX, toY] = placeOf(event);
        if (drag) setDrag({ ...drag, toX, toY });
      }}
      onPointerUp={() => drag && finish(drag)}
      onPointerCancel={() => setDrag(null)}
    >
      {drag && <i style={lookOf(kind, drag)} data-kind={kind} />}
      <p role="status">
        {t(`drawHint.${kind}`)}
        <Button variant="text" onClick={() => onDrawn(null)}>
          {t('cancelDraw')}
        </Button>
      </p>
    </div>
  );
}

function lookOf(kind: Props['kind'], { fromX, fromY, toX, toY }: Drag) {
  if (kind === 'circle') {
    const radius = Math.hypot(toX - fromX, toY - fromY);
    return { left: fromX - radius, top: fromY - radius, width: 2 * radius, height: 2 * radius };
  }
  return {
    left: Math.min(fromX, toX),
    top: Math.min(fromY, toY),
    width: Math.abs(toX - fromX),
    height: Math.abs(toY - fromY),
  };
}

function rectangleOf(one: LngLat, other: LngLat): Area {
  // Past the 180th meridian, the map keeps counting.
  const [west, east] = [Math.min(one.lng, other.lng), Math.max(one.lng, other.lng)];
  const around = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;
  return {
    kind: 'rectangle',
    bounds: [around(west), Math.min(one.lat, other.lat), around(east), Math.max(one.lat, other.lat)],
  };
}

function circleOf(center: LngLat, edge: LngLat): Area {
  const { lat, lng } = center.wrap();
  const radius = distanceMetres(
    { lat: degrees(lat), lon: degrees(lng) },
    { lat: degrees(edge.lat), lon: degrees(edge.wrap().lng) },
  );
  const { minRadiusM, maxRadiusM } = GEOFENCE_LIMITS;
  return { kind: 'circle', center: [lng, lat], radiusM: Math.min(maxRadiusM, Math.max(minRadiusM, radius)) };
}
