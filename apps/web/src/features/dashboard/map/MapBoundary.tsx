import { Component, type ReactNode } from 'react';
import { i18n } from '../../../base/i18n.ts';
import styles from './FleetMap.module.css';

/** If the map can't load or crashes, the list keeps working without it. */
export class MapBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error('The map broke', error);
  }

  override render(): ReactNode {
    if (this.state.failed) return <p className={styles.message}>{i18n.t('dashboard:map.failed')}</p>;
    return this.props.children;
  }
}
