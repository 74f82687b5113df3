import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../base/use-media.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { useMap } from '../map-context.ts';
import styles from './Attribution.module.css';

/** Whose data the map is made of: in one line where there is room, one press away in a compact place. */
export function Attribution({ compact }: { readonly compact: boolean }) {
  const { t } = useTranslation('map');
  const text = useAttribution();
  const hasRoom = useMedia('(min-width: 64em)');
  if (text === '') return null;
  if (hasRoom && !compact) return <p className={styles.line}>{text}</p>;
  return (
    <div className={styles.place}>
      <Popover
        label={t('attribution')}
        side="above"
        trigger={props => (
          <IconButton {...props} label={t('attribution')} tooltip="none" className={styles.button}>
            <IconInfoCircle size={16} stroke={1.75} aria-hidden />
          </IconButton>
        )}
      >
        <p>{text}</p>
      </Popover>
    </div>
  );
}

/** What the sources of the present style ask to be named with; some only say so once their description is loaded. */
function useAttribution(): string {
  const { map, styleEpoch } = useMap();
  const [text, setText] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another style has other sources.
  useEffect(() => {
    const read = (): void => {
      const names = Object.keys(map.getStyle().sources).flatMap(id => map.getSource(id)?.attribution ?? []);
      // Styles from elsewhere write links; only their words are shown.
      setText(
        [
          ...new Set(
            names.map(name =>
              name
                .replace(/<[^>]*>/g, '')
                .replaceAll('&copy;', '©')
                .trim(),
            ),
          ),
        ].join(' · '),
      );
    };
    const onData = ({ sourceDataType }: { readonly sourceDataType?: string }): void => {
      if (sourceDataType === 'metadata') read();
    };
    read();
    map.on('sourcedata', onData);
    return () => void map.off('sourcedata', onData);
  }, [map, styleEpoch]);
  return text;
}
