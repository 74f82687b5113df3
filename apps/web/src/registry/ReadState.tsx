import { RegistryState } from './RegistryState.tsx';

const NOTHING = { title: '', text: '' };

interface Props {
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** Shown in place of values that are loading or failed to load. */
export function ReadState({ error, onRetry }: Props) {
  return <RegistryState total={undefined} error={error} onRetry={onRetry} onClear={() => {}} empty={NOTHING} />;
}
