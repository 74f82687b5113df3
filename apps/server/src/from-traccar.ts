import { createWriteStream, existsSync, statSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { convert } from './modules/data-transfer/traccar/convert.ts';
import { readTraccarFolder } from './modules/data-transfer/traccar/read-folder.ts';

/**
 * `npm run from-traccar -- FOLDER [FILE]`: makes a file that an empty account imports (Settings › Data) from what was
 * taken out of Traccar. Without a file it only says what would be in it.
 */
const [folder, target] = process.argv.slice(2);
if (!folder || !existsSync(folder) || !statSync(folder).isDirectory()) {
  console.error('Enter the folder with the exported files: npm run from-traccar -- FOLDER [FILE.ndjson]');
  process.exit(1);
}
let problems = 0;
const { counts, geofences, lines } = convert(readTraccarFolder(folder), ({ name, reason, row, what }) => {
  problems++;
  console.error(`${what} ${row} (${name}): ${reason}`);
});
if (target) await pipeline(lines, createWriteStream(target));
else for await (const _ of lines);
const fences = target && geofences.length > 0 ? target.replace(/(\.ndjson)?$/, '.geofences.geojson') : null;
if (fences) writeFileSync(fences, JSON.stringify({ type: 'FeatureCollection', features: geofences }));
const said = (table: string): number => counts[table] ?? 0;
console.log(
  `${said('vehicle')} vehicles, ${said('folder')} folders, ${said('driver')} drivers, ${said('position')} positions, ` +
    `${geofences.length} geofences; ${problems} problems.`,
);
if (target)
  console.log(`Import ${target} under Settings › Data${fences ? `, and ${fences} on the geofence page` : ''}.`);
else console.log('Nothing was written. Add the name of a file to write it.');
