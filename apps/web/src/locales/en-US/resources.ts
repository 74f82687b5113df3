import type addVehicle from './add-vehicle.json';
import type alerts from './alerts.json';
import type assets from './assets.json';
import type audit from './audit.json';
import type commands from './commands.json';
import connectivity from './connectivity.json';
import type dashboard from './dashboard.json';
import type dashboardMap from './dashboard-map.json';
import type demo from './demo.json';
import type documents from './documents.json';
import errors from './errors.json';
import type fleet from './fleet.json';
import forms from './forms.json';
import type frames from './frames.json';
import type freshness from './freshness.json';
import install from './install.json';
import type login from './login.json';
import map from './map.json';
import type notFound from './not-found.json';
import type notifications from './notifications.json';
import type organisation from './organisation.json';
import type overview from './overview.json';
import type palette from './palette.json';
import type people from './people.json';
import type personal from './personal.json';
import type profile from './profile.json';
import registry from './registry.json';
import type searchTokens from './search-tokens.json';
import type settings from './settings.json';
import type shareLinks from './share-links.json';
import type shared from './shared.json';
import type sharing from './sharing.json';
import shell from './shell.json';
import type users from './users.json';
import vehicle from './vehicle.json';

/** One file a feature. These texts may be needed on any page and come with the app … */
export const resources = { connectivity, errors, forms, install, map, registry, shell, vehicle } as const;

/** … and these with the page or dialog that they belong to (`withTexts`). */
export interface PageTexts {
  readonly addVehicle: typeof addVehicle;
  readonly alerts: typeof alerts;
  readonly assets: typeof assets;
  readonly audit: typeof audit;
  readonly commands: typeof commands;
  readonly dashboard: typeof dashboard;
  readonly dashboardMap: typeof dashboardMap;
  readonly demo: typeof demo;
  readonly documents: typeof documents;
  readonly freshness: typeof freshness;
  readonly fleet: typeof fleet;
  readonly frames: typeof frames;
  readonly login: typeof login;
  readonly notFound: typeof notFound;
  readonly notifications: typeof notifications;
  readonly overview: typeof overview;
  readonly searchTokens: typeof searchTokens;
  readonly settings: typeof settings;
  readonly shareLinks: typeof shareLinks;
  readonly shared: typeof shared;
  readonly sharing: typeof sharing;
  readonly organisation: typeof organisation;
  readonly palette: typeof palette;
  readonly people: typeof people;
  readonly personal: typeof personal;
  readonly profile: typeof profile;
  readonly users: typeof users;
}
