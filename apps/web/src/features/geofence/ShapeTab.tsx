import type { GeofenceKind, GeofenceShape, GeoPoint } from '@milepost/contract';
import { IconAlertCircle, IconPlus, IconScissors, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import {
  moved,
  type PolygonShape,
  pointsOf,
  problemOf,
  withHole,
  withoutHole,
  withoutPoint,
  withPoint,
  withPointAfter,
} from '../../geofences/shapes.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { changeShape, choosePoint, chooseTool, useDraft } from './draft.ts';
import styles from './GeofenceForm.module.css';
import { TOOL_ICONS } from './GeofenceMap.tsx';
import { metersOf, typedLength } from './geofence-form.ts';
import { PointFields } from './PointFields.tsx';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const KINDS = ['polygon', 'circle', 'rectangle', 'corridor'] as const;
/** Size in meters of a shape that is added without a click. */
const NEW_M = 150;
const SLIDER = { min: 20, max: 2000, step: 5 };

interface Props {
  readonly error: string | undefined;
  readonly mayEdit: boolean;
  readonly center: () => readonly [number, number];
}

/** The shape in numbers, so that everything the map offers also works by keyboard. */
export function ShapeTab({ error, mayEdit, center }: Props) {
  const { t } = useTranslation(['geofence', 'problems']);
  const shape = useDraft(draft => draft.shape);
  const problem = shape && problemOf(shape);
  const begin = (kind: GeofenceKind): void => {
    changeShape(beginning(kind, [...center()]));
    choosePoint(0);
    chooseTool('select');
  };
  return (
    <>
      {error && (
        <Notice tone="critical" role="alert">
          {shape ? error : t('needsShape')}
        </Notice>
      )}
      {problem && (
        <p className={styles.problem} role="status">
          <IconAlertCircle {...ICON} />
          {t(`problems:${problem.code}`, { point: problem.point + 1, min: 3 })}
        </p>
      )}
      {mayEdit && (
        <div className={styles.kinds}>
          <p>{t(shape ? 'anotherShape' : 'firstShape')}</p>
          {KINDS.map(kind => {
            const Icon = TOOL_ICONS[kind];
            return (
              <Button key={kind} icon={<Icon {...ICON} />} onClick={() => begin(kind)}>
                {t(`tool.${kind}`)}
              </Button>
            );
          })}
        </div>
      )}
      {shape?.kind === 'circle' && (
        <Length
          key={shape.kind}
          label="radius"
          meters={shape.radiusM}
          slider
          onChange={radiusM => changeShape({ ...shape, radiusM })}
        />
      )}
      {shape?.kind === 'corridor' && (
        <Length
          key={shape.kind}
          label="width"
          meters={shape.widthM}
          onChange={widthM => changeShape({ ...shape, widthM })}
        />
      )}
      {shape?.kind === 'polygon' && mayEdit && <CutHole shape={shape} />}
      {shape && (
        <table className={styles.points}>
          <caption>{t('points')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('pointNumber')}</th>
              <th scope="col">{t('coordinates')}</th>
              <td />
            </tr>
          </thead>
          {ringsOf(shape).map(({ first, points }, ring) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a ring is identified by its position in the shape.
            <tbody key={ring}>
              {ring > 0 && shape.kind === 'polygon' && <HoleHead shape={shape} ring={ring} mayEdit={mayEdit} />}
              {points.map((point, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a point is identified by its position in the outline.
                <PointRow key={first + i} {...{ shape, point, mayEdit }} at={first + i} />
              ))}
            </tbody>
          ))}
        </table>
      )}
    </>
  );
}

interface PointRowProps {
  readonly shape: GeofenceShape;
  readonly point: GeoPoint;
  readonly at: number;
  readonly mayEdit: boolean;
}

function PointRow({ shape, point, at, mayEdit }: PointRowProps) {
  const chosen = useDraft(draft => draft.point);
  return (
    <tr data-chosen={at === chosen || undefined} onFocus={() => choosePoint(at)}>
      <th scope="row">{at + 1}</th>
      <td className={styles.coordinates}>
        <PointFields
          point={point}
          number={at + 1}
          disabled={!mayEdit}
          onChange={to => changeShape(withPoint(shape, at, to))}
        />
      </td>
      <td>{mayEdit && <PointActions shape={shape} at={at} />}</td>
    </tr>
  );
}

function CutHole({ shape }: { readonly shape: PolygonShape }) {
  const { t } = useTranslation('geofence');
  const cut = problemOf(shape) === null ? withHole(shape) : null;
  return (
    <div className={styles.kinds}>
      <Button
        icon={<IconScissors {...ICON} />}
        disabled={cut === null}
        onClick={() => {
          if (cut === null) return;
          changeShape(cut);
          choosePoint(shape.rings.flat().length);
          chooseTool('select');
        }}
      >
        {t('tool.hole')}
      </Button>
    </div>
  );
}

interface HoleProps {
  readonly shape: PolygonShape;
  readonly ring: number;
  readonly mayEdit: boolean;
}

function HoleHead({ shape, ring, mayEdit }: HoleProps) {
  const { t } = useTranslation('geofence');
  return (
    <tr className={styles.hole}>
      <th scope="rowgroup" colSpan={2}>
        {t('hole', { number: ring })}
      </th>
      <td>
        {mayEdit && (
          <IconButton
            label={t('removeHole', { number: ring })}
            tooltip="left"
            onClick={() => {
              changeShape(withoutHole(shape, ring));
              choosePoint(0);
            }}
          >
            <IconTrash {...ICON} />
          </IconButton>
        )}
      </td>
    </tr>
  );
}

/** The points of each ring, and the index of its first one among all. */
function ringsOf(shape: GeofenceShape): { readonly first: number; readonly points: readonly GeoPoint[] }[] {
  if (shape.kind !== 'polygon') return [{ first: 0, points: pointsOf(shape) }];
  let next = 0;
  return shape.rings.map(points => {
    const first = next;
    next += points.length;
    return { first, points };
  });
}

function PointActions({ shape, at }: { readonly shape: GeofenceShape; readonly at: number }) {
  const { t } = useTranslation('geofence');
  if (shape.kind === 'circle' || shape.kind === 'rectangle') return null;
  const without = withoutPoint(shape, at);
  return (
    <span className={styles.actions}>
      <IconButton
        label={t('addAfter', { number: at + 1 })}
        tooltip="left"
        onClick={() => changeShape(withPointAfter(shape, at))}
      >
        <IconPlus {...ICON} />
      </IconButton>
      <IconButton
        label={t('removePoint', { number: at + 1 })}
        tooltip="left"
        disabled={without === null}
        onClick={() => without && changeShape(without)}
      >
        <IconTrash {...ICON} />
      </IconButton>
    </span>
  );
}

interface LengthProps {
  readonly label: 'radius' | 'width';
  readonly meters: number;
  readonly slider?: boolean;
  readonly onChange: (meters: number) => void;
}

function Length({ label, meters, slider = false, onChange }: LengthProps) {
  const { t } = useTranslation('geofence');
  const system = useMeasureSystem();
  const [typed, setTyped] = useState<string | null>(null);
  const unit = t(system.distance === 'mi' ? 'feet' : 'meters');
  return (
    <>
      <TextField
        label={t(label, { unit })}
        inputMode="decimal"
        value={typed ?? typedLength(meters, system)}
        onChange={event => {
          const { value } = event.currentTarget;
          setTyped(value);
          const length = metersOf(value, system);
          if (length > 0) onChange(length);
        }}
        onBlur={() => setTyped(null)}
      />
      {slider && (
        <input
          type="range"
          className={styles.slider}
          aria-label={t(label, { unit })}
          {...SLIDER}
          value={meters}
          onChange={event => onChange(Number(event.currentTarget.value))}
        />
      )}
    </>
  );
}

/** A first shape around a place, to be edited from there. */
function beginning(kind: GeofenceKind, center: GeoPoint): GeofenceShape {
  const at = (east: number, north: number): GeoPoint => moved(center, east * NEW_M, north * NEW_M);
  const [west, south] = at(-1, -1);
  const [east, north] = at(1, 1);
  switch (kind) {
    case 'circle':
      return { kind, center: at(0, 0), radiusM: NEW_M };
    case 'rectangle':
      return { kind, bounds: [west, south, east, north] };
    case 'polygon':
      return { kind, rings: [[at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)]] };
    case 'corridor':
      return { kind, line: [at(-2, 0), at(2, 0)], widthM: NEW_M };
  }
}
