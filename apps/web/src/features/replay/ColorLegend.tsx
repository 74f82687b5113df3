import { metresPerSecond } from '@milepost/units';
import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/locale.ts';
import { joined, type MeasureSystem, speedFigure } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import styles from './ColorLegend.module.css';
import { shownIn, unitOf } from './chart.ts';
import type { ColorClass, Coloring } from './coloring.ts';
import { COLORINGS, type ColoringId } from './coloring-ids.ts';

interface Props {
  readonly color: ColoringId;
  readonly coloring: Coloring | null;
  /** Drivers' names by their cards. */
  readonly drivers: ReadonlyMap<string, string>;
  readonly hasLate: boolean;
  readonly hasDoubted: boolean;
  readonly isReading: boolean;
  readonly ghosts: boolean;
  readonly onChange: (color: ColoringId) => void;
  readonly onGhosts: (ghosts: boolean) => void;
}

/** The meaning of the tracks' colors and marks. */
export function ColorLegend({ onChange, onGhosts, ...shown }: Props) {
  const { color, coloring, drivers, ghosts, hasDoubted, hasLate, isReading } = shown;
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const id = useId();
  return (
    <section className={styles.legend} aria-label={t('legend')} aria-busy={isReading || undefined}>
      <div className={styles.choice}>
        <label htmlFor={id}>{t('colorBy')}</label>
        <span>
          <select
            id={id}
            value={color}
            onChange={({ currentTarget }) =>
              onChange(COLORINGS.find(each => each === currentTarget.value) ?? 'vehicle')
            }
          >
            {COLORINGS.map(each => (
              <option key={each} value={each}>
                {t(`coloring.${each}`)}
              </option>
            ))}
          </select>
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </span>
      </div>
      <Checkbox checked={ghosts} onChange={({ currentTarget }) => onGhosts(currentTarget.checked)}>
        {t('ghosts')}
      </Checkbox>
      {(coloring !== null || hasLate || hasDoubted) && (
        <ul>
          {coloring?.classes.map(each => (
            <li key={JSON.stringify(each.words)}>
              <i style={{ background: `var(${each.token})` }} />
              {wordsOf(each, coloring.id, drivers, system, t)}
            </li>
          ))}
          {hasLate && (
            <li>
              <i data-mark="late" />
              {t('sentLate')}
            </li>
          )}
          {hasDoubted && (
            <li>
              <i data-mark="doubted" />
              {t('inDoubt')}
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

type Translate = ReturnType<typeof useTranslation<'replay'>>['t'];

function wordsOf(
  { words }: ColorClass,
  id: Coloring['id'],
  drivers: ReadonlyMap<string, string>,
  system: MeasureSystem,
  t: Translate,
): string {
  if (words.kind === 'word') return t(`colorWord.${words.word}`);
  if (words.kind === 'driver') return drivers.get(words.card) ?? t('card', { card: words.card });
  const { from, to } = words;
  const figure = (value: number): string =>
    id === 'speed'
      ? joined(speedFigure(metresPerSecond(value), system))
      : `${formatCount(Math.round(shownIn(id, value, system)))} ${unitOf(id, system)}`;
  if (from === null) return t('under', { to: figure(to ?? 0) });
  return to === null ? t('atLeast', { from: figure(from) }) : t('between', { from: figure(from), to: figure(to) });
}
