import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Part } from '../../base/chunks/Part.tsx';
import { useSession } from '../../base/session/session.ts';
import { TenantLogo } from '../../base/tenant/TenantLogo.tsx';
import { useTenant } from '../../base/tenant/tenant.ts';
import { FreshnessStatus } from '../../live/freshness/lazy.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { SearchButton, SearchIcon } from '../palette/SearchButton.tsx';
import styles from './Header.module.css';
import { useWideParts } from './wide-parts.ts';

interface Props {
  readonly searchPlace: Ref<HTMLDivElement>;
  readonly onShortcuts: () => void;
  readonly onInstall: () => void;
  readonly onAccount: () => void;
}

export function Header({ searchPlace, onShortcuts, onInstall, onAccount }: Props) {
  const { t } = useTranslation('shell');
  const me = useSession(session => session.me);
  const tenant = useTenant(state => state.tenant);
  const wide = useWideParts();
  const name = tenant?.name ?? me?.account.name;
  return (
    <header className={styles.header}>
      <div className={styles.tenant}>
        {name && <TenantLogo name={name} />}
        <b className={styles.name}>{name}</b>
      </div>
      <div className={styles.search} ref={searchPlace} />
      <div className={styles.everywhere}>
        <SearchButton />
      </div>
      <div className={styles.freshness}>
        <Part>
          <FreshnessStatus />
        </Part>
      </div>
      <div className={styles.wide}>{wide && <wide.HeaderMenus onShortcuts={onShortcuts} onInstall={onInstall} />}</div>
      <div className={styles.phone} data-search>
        <SearchIcon />
      </div>
      <button
        type="button"
        className={styles.phone}
        aria-haspopup="dialog"
        aria-label={t('account.button', { name: me?.displayName ?? '' })}
        onClick={onAccount}
      >
        <Avatar name={me?.displayName ?? ''} kind="person" size={32} />
      </button>
    </header>
  );
}
