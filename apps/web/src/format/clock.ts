/** The wall clock where the reader is: `14:02:11`, 24 hours in every locale. */
export function formatClock(ms: number): string {
  return clock.format(ms);
}

const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
