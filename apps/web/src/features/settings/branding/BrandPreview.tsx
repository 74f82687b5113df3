import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BrandColours, brandTokens } from '../../../base/theme/brand/brand-sheet.ts';
import { contrast } from '../../../base/theme/brand/colour.ts';
import { GROUNDS, type Scheme, tonesOf } from '../../../base/theme/brand/tones.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import styles from './BrandPreview.module.css';
import { checkPairs } from './check-pairs.ts';

interface Props {
  readonly colours: BrandColours;
  readonly name: string;
}

const VIEWS = ['both', 'light', 'dark'] as const;
type View = (typeof VIEWS)[number];
const RAIL_PLACES = [0, 1, 2, 3] as const;

/** The app in these colors, in both themes, made of real components and tokens. */
export function BrandPreview({ colours, name }: Props) {
  const { t } = useTranslation('settings');
  const [view, setView] = useState<View>('both');
  const { pairs, passing } = checkPairs(colours);
  return (
    <div className={styles.preview}>
      <header className={styles.head}>
        <h2>{t('branding.preview')}</h2>
        <Segments
          label={t('branding.preview')}
          segments={VIEWS.map(id => ({ id, label: t(`branding.views.${id}`) }))}
          chosen={view}
          onChoose={setView}
        />
      </header>
      {(['light', 'dark'] satisfies Scheme[])
        .filter(scheme => view === 'both' || view === scheme)
        .map(scheme => (
          <Screen key={scheme} scheme={scheme} colours={colours} name={name} />
        ))}
      <Tones active={colours.activeColour} />
      <p className={styles.checked} role="status">
        {t(passing === pairs ? 'branding.allPass' : 'branding.somePass', { pairs, passing })}
      </p>
    </div>
  );
}

function Screen({ scheme, colours, name }: Props & { readonly scheme: Scheme }) {
  const { t } = useTranslation(['settings', 'vehicle']);
  return (
    <div
      className={styles.screen}
      data-color-scheme={scheme}
      style={brandTokens(colours, scheme) as CSSProperties}
      aria-hidden="true"
    >
      <div className={styles.rail}>
        {RAIL_PLACES.map(place => (
          <span key={place} data-here={place === 1 || undefined} />
        ))}
      </div>
      <div className={styles.bar}>
        <b>{name}</b>
      </div>
      <div className={styles.work}>
        <div className={styles.sheet}>
          <p>
            <Plate>4127</Plate> <StatusChip shape="moving">{t('vehicle:status.moving')}</StatusChip>
          </p>
          <p>
            <Plate>4133</Plate> <StatusChip shape="idling">{t('vehicle:status.idling')}</StatusChip>
          </p>
          <div className={styles.meter} />
          <p className={styles.actions}>
            <span className={buttonLook({ variant: 'primary' })}>{t('branding.sampleAction')}</span>
            <span className={buttonLook()}>{t('branding.sampleOther')}</span>
            <span className={styles.link}>{t('branding.sampleLink')}</span>
          </p>
        </div>
      </div>
    </div>
  );
}

/** The active color's tones, each with its contrast. */
function Tones({ active }: { readonly active: string }) {
  const { t } = useTranslation('settings');
  const light = tonesOf(active, 'light');
  const dark = tonesOf(active, 'dark');
  const ratio = (a: string, b: string): string => contrast(a, b).toFixed(1);
  const tones = [
    { name: 'soft', ground: light.soft, ink: light.text, figure: ratio(light.text, light.soft) },
    { name: 'line', ground: light.line, ink: GROUNDS.light.ink, figure: '' },
    { name: 'fill', ground: light.fill, ink: light.fillInk, figure: ratio(light.fillInk, light.fill) },
    { name: 'hover', ground: light.fillHover, ink: light.fillInk, figure: ratio(light.fillInk, light.fillHover) },
    {
      name: 'dark',
      ground: GROUNDS.dark.surface,
      ink: dark.text,
      figure: ratio(dark.text, GROUNDS.dark.surface),
    },
  ] as const;
  return (
    <div>
      <p className={styles.caption}>{t('branding.tones')}</p>
      <ul className={styles.tones}>
        {tones.map(({ name, ground, ink, figure }) => (
          <li key={name} style={{ background: ground, color: ink }}>
            {t(`branding.tone.${name}`)} {figure}
          </li>
        ))}
      </ul>
    </div>
  );
}
