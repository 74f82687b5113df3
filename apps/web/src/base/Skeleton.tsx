import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Skeleton.module.css';

/** Most things load faster than this, so they never show a skeleton. */
const SHOWN_AFTER_MS = 300;

interface Props {
  /** How many parts the skeleton has. */
  readonly bones: number;
  /** The look of the whole and of each `<i>` in it. By default, lines of text. */
  readonly className?: string | undefined;
  /** Spoken by screen readers, for example what is loading. */
  readonly label?: string;
}

/** The outline of what is still loading, in the layout that it will have. */
export function Skeleton({ bones, className = styles.lines, label }: Props) {
  const { t } = useTranslation('registry');
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={className} role="status" aria-busy="true" aria-label={label ?? t('loading')}>
      {/* biome-ignore lint/suspicious/noArrayIndexKey: they are all alike. */}
      {isLate && Array.from({ length: bones }, (_, nth) => <i key={nth} />)}
    </div>
  );
}
