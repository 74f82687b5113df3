import { Component, type ErrorInfo, type ReactNode } from 'react';
import { isChunkMissing } from '../base/chunks/load-chunk.ts';
import { copyText } from '../base/copy-text.ts';
import { i18n } from '../base/i18n.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { markReady } from './splash/splash-state.ts';

interface Props {
  /** The current path. When it changes, the page is rendered again. */
  readonly place: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly failed: boolean;
}

/** When a page crashes, shows an error and a way to continue instead of a blank screen. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
    markReady();
  }

  override componentDidUpdate({ place }: Props): void {
    if (this.state.failed && place !== this.props.place) this.setState({ error: null, failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const { error } = this.state;
    const text = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);
    const details = `${location.href}\n${navigator.userAgent}\n${text}`;
    const missing = isChunkMissing(error);
    return (
      <ErrorState
        title={i18n.t(missing ? 'errors:pageMissingTitle' : 'errors:pageTitle')}
        text={i18n.t(missing ? 'errors:pageMissingText' : 'errors:pageText')}
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              {i18n.t('errors:reload')}
            </Button>
            <Button onClick={() => void copyText(details, i18n.t('errors:copied'))}>
              {i18n.t('errors:copyDetails')}
            </Button>
          </>
        }
      />
    );
  }
}
