import type addVehicle from './add-vehicle.json';
import type assets from './assets.json';
import type audit from './audit.json';
import connectivity from './connectivity.json';
import type dashboard from './dashboard.json';
import type documents from './documents.json';
import errors from './errors.json';
import forms from './forms.json';
import install from './install.json';
import type login from './login.json';
import map from './map.json';
import type notFound from './not-found.json';
import type organisation from './organisation.json';
import type people from './people.json';
import type personal from './personal.json';
import type profile from './profile.json';
import registry from './registry.json';
import type settings from './settings.json';
import shell from './shell.json';
import type users from './users.json';
import vehicle from './vehicle.json';

/** One file a feature. These texts may be needed on any page and come with the app … */
export const resources = { connectivity, errors, forms, install, map, registry, shell, vehicle } as const;

/** … and these with the page or dialog that they belong to (`withTexts`). */
export interface PageTexts {
  readonly addVehicle: typeof addVehicle;
  readonly assets: typeof assets;
  readonly audit: typeof audit;
  readonly dashboard: typeof dashboard;
  readonly documents: typeof documents;
  readonly login: typeof login;
  readonly notFound: typeof notFound;
  readonly settings: typeof settings;
  readonly organisation: typeof organisation;
  readonly people: typeof people;
  readonly personal: typeof personal;
  readonly profile: typeof profile;
  readonly users: typeof users;
}
