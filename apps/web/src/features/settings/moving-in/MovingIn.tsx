import { MoveInCard } from './MoveInCard.tsx';

/** Tracks from files, and a whole account from Traccar. */
export function Component() {
  return (
    <>
      <MoveInCard source="tracks" />
      <MoveInCard source="traccar" />
    </>
  );
}
