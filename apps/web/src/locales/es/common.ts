import connectivity from './connectivity.json';
import errors from './errors.json';
import forms from './forms.json';
import install from './install.json';
import map from './map.json';
import registry from './registry.json';
import sentences from './sentences.json';
import shell from './shell.json';
import vehicle from './vehicle.json';

/** What any page may need; the texts of single pages come with them. */
export const resources = { connectivity, errors, forms, install, map, registry, shell, vehicle } as const;

/** What the contract and the server say in English: problems, and what is wrong with a field. */
export { sentences };
