/**
 * Loaded before a server (`--import`): its time begins where `MONTH_CLOCK` says, and passes faster from the moment on at
 * which the parent says how much. Not before it is ready: what waits for a start does so by the clock, too.
 */
const RealDate = globalThis.Date;
let [begin, real, factor] = [Number(process.env.MONTH_CLOCK), RealDate.now(), 1];
const now = (): number => Math.floor(begin + (RealDate.now() - real) * factor);

process.on('message', (message: { readonly clock?: readonly [begin: number, real: number, factor: number] }) => {
  if (!message?.clock) return;
  [begin, real, factor] = message.clock;
  process.send?.({ heard: true });
});

class FastDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }

  static override now = now;
}
globalThis.Date = FastDate as unknown as DateConstructor;
