import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress } from './build/compress.ts';
import { contractInParts } from './build/contract-in-parts.ts';
import { serviceWorker } from './build/service-worker.ts';
import { verifyLogPage } from './build/verify-log-page.ts';
import { zodForBrowsers } from './build/zod-for-browsers.ts';

/** The server that `npm run dev` talks to. */
const SERVER = process.env.MILEPOST_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), contractInParts(), zodForBrowsers(), verifyLogPage(), serviceWorker(), compress()],
  base: '/',
  build: {
    target: 'es2023',
    // Maps would show the whole source on every installation and are never read there.
    sourcemap: false,
    // Which page needs which files, for the bench of first-route size.
    manifest: true,
    modulePreload: {
      // Every browser of the target knows modulepreload.
      polyfill: false,
      // The pages of a first visit name their files at once, so that they load side by side; icons, which are small, they
      // find by themselves. After it the browser has all files, so what is opened later names its style sheets alone:
      // lists of files were 6 kB of every visit's first page.
      resolveDependencies: (file, files, { hostId }) =>
        hostId.endsWith('.html') || /\/(DashboardPage|DriverPage|LoginPage|SharedPage|Shell)-/.test(file)
          ? files.filter(name => !/\/Icon[A-Z]/.test(name))
          : files.filter(name => name.endsWith('.css')),
    },
    // Small images and fonts stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Pages name a hundred files, and hashes don't compress: seven characters tell a file's versions apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // Only the pages with a map load it [R2.27].
            { name: 'map', test: /node_modules[\\/](maplibre-gl|@maplibre|pmtiles)[\\/]/ },
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
            // What forms validate with; pages load without it.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]/ },
            // What every visit begins with, in one file beside the entry, which the manifest knows by its name.
            { name: 'start', tags: ['$initial'], test: /^(?!.*(main\.tsx|index\.html)$)/ },
            // What the frame around every page shows, and a driver's first screen: it needs none of the next two.
            {
              name: 'shell',
              test: /Icon(Dots|Search)\.mjs$|apps[\\/]web[\\/]src[\\/](alerts[\\/](alert-lists|open-alerts|use-alerts)|app[\\/]palette[\\/](early-keys|open)|base[\\/](ShellSlot|client-settings|session[\\/]sign-out|shortcuts[\\/](shortcuts|use-shortcuts)|tenant[\\/]TenantLogo)|format[\\/]duration|ui[\\/](Avatar|KeyCap|Notice|Plate|initials))\.(tsx?|module\.css)$/,
            },
            // What most pages share, and what those that show vehicles do: dozens of small files cost more than they save.
            {
              name: 'shared',
              // Except what the first pages of a visit don't show.
              test: /apps[\\/]web[\\/]src[\\/](app|base|ui|format)[\\/](?!Checkbox|Dialog|DutyChip|EmptyRoad|FactList|Field|HoursBar|NotLoaded|PasswordField|Segments|SelectField|Switch|TextField|Token|bytes|describe-error|download|map-kind|problem-words|language[\\/](LanguageMenu|names))/,
              minShareCount: 7,
            },
            // What most other pages share.
            {
              name: 'common',
              test: /apps[\\/]web[\\/]src[\\/](base|ui|format)[\\/](Checkbox|Dialog|EmptyRoad|Field|NotLoaded|Segments|TextField|Token|bytes|describe-error|download|problem-words)/,
              minShareCount: 7,
            },
            // All icons but those of a visit's first pages: each of its own, they were a third of a page's files.
            {
              name: 'icons',
              test: /node_modules[\\/]@tabler[\\/].*Icon(?!(ChevronDown|ChevronRight|ChevronUp|Clock|DeviceMobileDown|Dots|Download|Eye|EyeOff|Fingerprint|Folder|FolderOff|History|Keyboard|Language|Logout|PlayerPlay|Plus|Search|User)\.mjs)\w+\.mjs$/,
              minShareCount: 2,
            },
            // What the page of the map shows beside it, in one file: each of its own would be half wrapping.
            {
              name: 'fleet',
              test: /Icon(ChevronUp|Folder|FolderOff|History|Plus)\.mjs$|apps[\\/]web[\\/]src[\\/]vehicles[\\/](protocol-name|shown|vehicle-shape|vehicle-words)\.ts$|apps[\\/]web[\\/]src[\\/](features[\\/]dashboard[\\/](state[\\/]dashboard-state|describe-vehicle|use-insets|use-layout|list[\\/]fleet-tree)|geofences[\\/](use-geofences|use-geofences-of|use-inside)|organisation[\\/]use-group-paths|search-tokens[\\/]matches|ui[\\/]use-size)\.tsx?$/,
            },
            {
              name: 'fleet',
              test: /apps[\\/]web[\\/]src[\\/](live|organisation|search-tokens)[\\/]/,
              minShareCount: 7,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': SERVER,
      '/health': SERVER,
      '/map': SERVER,
      '/mqtt': { target: SERVER.replace(/^http/, 'ws'), ws: true },
      '/socket.io': { target: SERVER.replace(/^http/, 'ws'), ws: true },
    },
  },
});
