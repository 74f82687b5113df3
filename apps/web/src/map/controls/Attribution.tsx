import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../base/use-media.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { useMap } from '../map-context.ts';
import styles from './Attribution.module.css';

/** The attribution of the map data: on one line if there is room, otherwise behind a button. */
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

/**
 * The attributions that the current style's sources require. Some are known only once the source's description has
 * loaded.
 */
function useAttribution(): string {
  const { map, styleEpoch } = useMap();
  const [text, setText] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another style has other sources.
  useEffect(() => {
    const read = (): void => {
      const names = Object.keys(map.getStyle().sources).flatMap(id => map.getSource(id)?.attribution ?? []);
      // Styles from other servers may contain HTML links. Only their text is shown.
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
