/** Of a tab, in `sessionStorage`: the user who opened the app with the PIN. */
export const OPENED = 'openedWithPin';
