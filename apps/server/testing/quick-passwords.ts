import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A password's hash costs 40 ms of a processor, as it must, and the tests make many hundred. Here those of the product's
 * own cost take a moment; every other cost is what it says, as are all in the processes that tests start.
 */
const MEMORY_OF_PASSWORDS = 19_456;
const { argon2 } = crypto;
// Each test file sets it up again.
if (argon2.name !== 'quickArgon2') {
  const quickArgon2: typeof argon2 = (algorithm, parameters, callback) => {
    const isPassword = parameters.memory === MEMORY_OF_PASSWORDS;
    argon2(algorithm, isPassword ? { ...parameters, memory: 8, passes: 1 } : parameters, callback);
  };
  Object.assign(crypto, { argon2: quickArgon2 });
  syncBuiltinESMExports();
}
