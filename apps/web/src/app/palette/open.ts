import { create } from 'zustand';

/** Whether the search is open; it is loaded when it is for the first time. */
export const usePalette = create<{ readonly open: boolean }>(() => ({ open: false }));

export const openPalette = (): void => usePalette.setState({ open: true });
export const closePalette = (): void => usePalette.setState({ open: false });
