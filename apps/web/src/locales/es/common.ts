import connectivity from './connectivity.json';
import errors from './errors.json';
import forms from './forms.json';
import install from './install.json';
import map from './map.json';
import problems from './problems.json';
import registry from './registry.json';
import shell from './shell.json';
import vehicle from './vehicle.json';

/** What any page may need; the texts of single pages come with them. */
export const resources = { connectivity, errors, forms, install, map, problems, registry, shell, vehicle } as const;
