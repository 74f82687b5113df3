import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../base/use-media.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { openPalette } from './open.ts';
import styles from './SearchButton.module.css';

/** Opens the search. Looks like a search field but is a button. */
export function SearchButton() {
  const { t } = useTranslation('shell');
  const isWide = useMedia('(min-width: 64em)');
  return (
    <button type="button" className={styles.button} aria-haspopup="dialog" onClick={openPalette}>
      <IconSearch size={16} stroke={1.75} aria-hidden />
      <span className={styles.text}>{t(isWide ? 'search.placeholder' : 'search.open')}</span>
      <KeyCap name="/" />
    </button>
  );
}

/** The same as an icon, where there is no room for the field. */
export function SearchIcon() {
  const { t } = useTranslation('shell');
  return (
    <IconButton
      label={t('search.open')}
      aria-haspopup="dialog"
      className={styles.icon}
      tooltip="none"
      onClick={openPalette}
    >
      <IconSearch size={22} stroke={1.75} aria-hidden />
    </IconButton>
  );
}
