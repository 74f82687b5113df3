import { describeError } from './describe-error.ts';
import { RetryButton } from './RetryButton.tsx';
import { Skeleton } from './Skeleton.tsx';

interface Props {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly className?: string | undefined;
}

/** In a card or tab, in place of what is loading or failed to load. */
export function NotLoaded({ error, onRetry, className }: Props) {
  if (!error) return <Skeleton bones={4} />;
  return (
    <div className={className} role="alert">
      <p>{describeError(error).message}</p>
      <RetryButton error={error} onRetry={onRetry} />
    </div>
  );
}
