import { useEffect } from 'react';
import { Part } from '../base/chunks/Part.tsx';
import { withTexts } from '../base/chunks/with-texts.ts';
import { useAskedNote } from './asked-note.ts';

const NoteDialog = withTexts(() => import('./NoteDialog.tsx'), {
  alertNote: () => import('../locales/en-US/alert-note.json'),
});

/** Once on each page that acknowledges alerts: asks for the note that some of them need. */
export function AskedNote() {
  const asked = useAskedNote(state => state.asked);
  // Whoever leaves the page has not acknowledged them.
  useEffect(() => () => useAskedNote.getState().asked?.answer(false), []);
  return <Part fallback={null}>{asked && <NoteDialog {...asked} />}</Part>;
}
