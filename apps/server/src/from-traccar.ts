import { createWriteStream, existsSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { convert } from './modules/data-transfer/traccar/convert.ts';
import { filesIn, readTraccar } from './modules/data-transfer/traccar/read-traccar.ts';

/**
 * `npm run from-traccar -- FOLDER [FILE]`: makes a file that an empty account imports (Settings › Data) from what was
 * taken out of Traccar. Without a file it only says what would be in it.
 */
const [folder, target] = process.argv.slice(2);
if (!folder || !existsSync(folder) || !statSync(folder).isDirectory()) {
  console.error('Enter the folder with the exported files: npm run from-traccar -- FOLDER [FILE.ndjson]');
  process.exit(1);
}
const WORDS: Readonly<Record<string, string>> = {
  'no-imei': 'its identifier is not an IMEI. Add the vehicle by hand, with the tracker’s own ID',
  'unknown-area': 'its area is not one that is known',
  'unknown-device': 'is of a device that was not taken',
  'no-time': 'has no fix time',
  'no-place': 'has no coordinates',
};
let problems = 0;
const unreadable = (name: string): void => {
  problems++;
  console.error(`${name} can’t be read.`);
};
const { counts, lines } = convert(readTraccar(filesIn(folder), { unreadable }), ({ code, detail, name, row, what }) => {
  problems++;
  console.error(`${what} ${row} (${name}): ${WORDS[code] ?? detail}`);
});
if (target) await pipeline(lines, createWriteStream(target));
else for await (const _ of lines);
const said = (table: string): number => counts[table] ?? 0;
console.log(
  `${said('vehicle')} vehicles, ${said('folder')} folders, ${said('driver')} drivers, ${said('position')} positions, ` +
    `${said('geofence')} geofences; ${problems} problems.`,
);
if (target) console.log(`Import ${target} under Settings › Data.`);
else console.log('Nothing was written. Add the name of a file to write it.');
