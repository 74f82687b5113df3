import fc from 'fast-check';

/**
 * The same cases in every run, so that a failing run is caused by the current change. `PROPERTY_SEED=random npm test`
 * and the longer `npm run fuzz` try others.
 */
const { PROPERTY_SEED = '1981' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
