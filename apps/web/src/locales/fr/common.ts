import errors from './errors.json';
import forms from './forms.json';
import install from './install.json';
import map from './map.json';
import registry from './registry.json';
import shell from './shell.json';
import vehicle from './vehicle.json';

/** What any page may need; the texts of single pages come with them. */
export const resources = { errors, forms, install, map, registry, shell, vehicle } as const;
