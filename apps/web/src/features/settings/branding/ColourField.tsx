import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { contrast } from '../../../base/theme/brand/colour.ts';
import { tonesOf } from '../../../base/theme/brand/tones.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './ColourField.module.css';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
}

const INKS = [
  ['white', '#ffffff'],
  ['dark', '#0b1b2b'],
] as const;
/** WCAG 2.2, 1.4.3: minimum contrast of text. */
const LEGIBLE = 4.5;

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A color, chosen with a picker or typed, and whether text on it is readable. */
export function ColourField({ name, label, value, error, onChange, onBlur }: Props) {
  const { t } = useTranslation('settings');
  const colour = isColour(value) ? value.toLowerCase() : null;
  return (
    <div className={styles.row}>
      <input
        type="color"
        className={styles.swatch}
        aria-label={t('branding.pick', { colour: label })}
        value={colour ?? '#000000'}
        onChange={event => onChange(event.currentTarget.value)}
        onBlur={onBlur}
      />
      <div className={styles.field}>
        <TextField
          name={name}
          label={label}
          value={value}
          error={error}
          onChange={event => onChange(event.currentTarget.value)}
          onBlur={onBlur}
          spellCheck={false}
          autoComplete="off"
          maxLength={7}
        />
        {colour && <Adjusted colour={colour} />}
      </div>
      {colour && (
        <ul className={styles.inks}>
          {INKS.map(([ink, hex]) => {
            const ratio = contrast(hex, colour);
            const passes = ratio >= LEGIBLE;
            const Icon = passes ? IconCircleCheck : IconAlertTriangle;
            return (
              <li key={ink}>
                <span className={styles.sample} style={{ background: colour, color: hex }} aria-hidden="true" />
                <span className={styles.ratio} data-passes={passes || undefined}>
                  <Icon size={15} stroke={1.75} aria-hidden />
                  {t(passes ? 'branding.legible' : 'branding.hard', {
                    ratio: ratio.toFixed(1),
                    ink: t(`branding.ink.${ink}`),
                  })}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** Explains how a color is adjusted if white text on it, or text in it, would be unreadable. */
function Adjusted({ colour }: { readonly colour: string }) {
  const { t } = useTranslation('settings');
  const { fill, fillInk, text } = tonesOf(colour, 'light');
  const sentences = [
    fillInk !== '#ffffff' && t('branding.darkInk'),
    fill !== colour && t('branding.darkened', { colour: fill }),
    text !== colour && t('branding.words', { colour: text }),
  ].filter(sentence => sentence !== false);
  if (sentences.length === 0) return null;
  return (
    <p className={styles.adjusted}>
      <Chip tone="warning">{t('branding.adjusted')}</Chip> {sentences.join(' ')}
    </p>
  );
}
