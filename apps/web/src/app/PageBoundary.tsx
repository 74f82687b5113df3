import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { i18n } from './i18n.ts';
import { markReady } from './splash/splash-state.ts';
import { toast } from './toasts/toast.ts';

interface Props {
  /** Where the user is: another place is another chance. */
  readonly place: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly failed: boolean;
}

/** What browsers say when a page's chunk cannot be had: no network, or a newer build has replaced it. */
const CHUNK_MISSING = /dynamically imported module|importing a module script|Unable to preload/i;

/** A page that breaks says so and offers a way on, instead of leaving nothing on the screen. */
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
    const missing = CHUNK_MISSING.test(text);
    const copy = () =>
      navigator.clipboard.writeText(details).then(
        () => toast(i18n.t('errors:copied')),
        () => toast(details, 'error'),
      );
    return (
      <ErrorState
        title={i18n.t(missing ? 'errors:pageMissingTitle' : 'errors:pageTitle')}
        text={i18n.t(missing ? 'errors:pageMissingText' : 'errors:pageText')}
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              {i18n.t('errors:reload')}
            </Button>
            <Button onClick={() => void copy()}>{i18n.t('errors:copyDetails')}</Button>
          </>
        }
      />
    );
  }
}
