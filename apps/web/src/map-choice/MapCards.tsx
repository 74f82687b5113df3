import { IconCheck, IconMinus, IconSend, IconShieldCheck } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../ui/Chip.tsx';
import styles from './MapCards.module.css';
import { MapSketch } from './MapSketch.tsx';

export type CardKind = 'built-in' | 'file' | 'openfreemap' | 'address';

interface Props {
  readonly chosen: CardKind;
  readonly disabled: boolean;
  readonly onChoose: (kind: CardKind) => void;
  /** Shown in the card for a file: the list of files and the button that uploads one. */
  readonly files: ReactNode;
  /** The card with the address fields. Omitted if addresses aren't offered. */
  readonly address: ReactNode;
}

/** The possible sources of streets, each with its advantages and what it sends to other servers. */
export function MapCards({ chosen, disabled, onChoose, files, address }: Props) {
  const { t } = useTranslation('settings');
  const card = { chosen, disabled, onChoose };
  return (
    <fieldset className={styles.cards}>
      <legend className={styles.legend}>{t('maps.legend')}</legend>
      <MapCard {...card} kind="built-in" tone="ok" sketch={<MapSketch streets={false} />} gives={2} lacks={1} />
      <MapCard {...card} kind="file" tone="ok" sketch={<MapSketch streets area />} gives={2} lacks={1}>
        {files}
      </MapCard>
      <MapCard {...card} kind="openfreemap" tone="warning" sketch={<MapSketch streets />} gives={2} lacks={1} />
      {address && (
        <MapCard {...card} kind="address" tone="warning" gives={1} lacks={0}>
          {address}
        </MapCard>
      )}
    </fieldset>
  );
}

interface CardProps extends Pick<Props, 'chosen' | 'disabled' | 'onChoose'> {
  readonly kind: CardKind;
  /** `warning` if the map sends data to another server. */
  readonly tone: 'ok' | 'warning';
  readonly sketch?: ReactNode;
  readonly gives: 1 | 2;
  readonly lacks: 0 | 1;
  readonly children?: ReactNode;
}

function MapCard({ kind, chosen, disabled, onChoose, tone, sketch, gives, lacks, children }: CardProps) {
  const { t } = useTranslation('settings');
  const id = useId();
  const isChosen = chosen === kind;
  const Leaves = tone === 'ok' ? IconShieldCheck : IconSend;
  return (
    <div className={styles.card} data-chosen={isChosen || undefined} data-wide={kind === 'address' || undefined}>
      {sketch}
      <div className={styles.body}>
        <div className={styles.title}>
          <input
            type="radio"
            name="map"
            id={id}
            checked={isChosen}
            disabled={disabled}
            aria-describedby={`${id}-leaves`}
            onChange={() => onChoose(kind)}
          />
          <label htmlFor={id}>{t(`maps.${kind}.title`)}</label>
          <Chip tone={kind === 'built-in' ? 'ok' : 'neutral'}>{t(`maps.${kind}.badge`)}</Chip>
        </div>
        <ul className={styles.facts}>
          <Fact>{t(`maps.${kind}.gives`)}</Fact>
          {gives === 2 && kind !== 'address' && <Fact>{t(`maps.${kind}.gives2`)}</Fact>}
          {lacks === 1 && kind !== 'address' && <Fact lacks>{t(`maps.${kind}.lacks`)}</Fact>}
        </ul>
        {children}
      </div>
      <div className={styles.leaves} data-tone={tone} id={`${id}-leaves`}>
        <strong>
          <Leaves size={16} stroke={1.75} aria-hidden />
          {t('maps.leaves')}
        </strong>
        <span>{t(`maps.${kind}.leaves`)}</span>
      </div>
    </div>
  );
}

function Fact({ lacks = false, children }: { readonly lacks?: boolean; readonly children: ReactNode }) {
  const Icon = lacks ? IconMinus : IconCheck;
  return (
    <li data-lacks={lacks || undefined}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {children}
    </li>
  );
}
