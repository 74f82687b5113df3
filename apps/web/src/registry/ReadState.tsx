import { RegistryState } from './RegistryState.tsx';

const NOTHING = { title: '', text: '' };

interface Props {
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** Of values that are not there yet, or could not be read. */
export function ReadState({ error, onRetry }: Props) {
  return <RegistryState total={undefined} error={error} onRetry={onRetry} onClear={() => {}} empty={NOTHING} />;
}
