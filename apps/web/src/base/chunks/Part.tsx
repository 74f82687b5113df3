import { Component, type ReactNode, Suspense } from 'react';
import { i18n } from '../i18n.ts';
import { toast } from '../toasts/toast.ts';
import { isChunkMissing } from './load-chunk.ts';

interface Props {
  /** Shown while the part loads. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Part of a page that loads as a separate chunk. If the chunk can't be loaded, the page says so and works without it.
 * Other errors go to the page's error boundary.
 */
export class Part extends Component<Props, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isChunkMissing(error)) toast(i18n.t('errors:partMissing'), 'error');
  }

  override componentDidUpdate(): void {
    // The part was closed. If it is opened again, it reports the missing chunk again.
    if (this.state.error !== null && !this.props.children) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error !== null && !isChunkMissing(error)) throw error;
    return error === null && <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}
