import { create } from 'zustand';

interface AskedNote {
  readonly ids: readonly string[];
  /** Whether they are acknowledged now. */
  readonly answer: (done: boolean) => void;
}

/** The alerts that wait for a note; `NoteDialog` asks for it. */
export const useAskedNote = create<{ readonly asked: AskedNote | null }>(() => ({ asked: null }));
