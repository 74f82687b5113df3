import type { Plugin } from 'vite';

/** Each place where zod's schemas reach for its writer of JSON Schema, and what stands there instead. */
const CUTS = [
  [/^\s*inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(.*\);$/gm, ''],
  [/createStandardJSONSchemaMethod\(this, "(?:in|out)put"\)/g, 'undefined'],
  [/createToJSONSchemaMethod\(this, \{\}\)\(params\)/g, 'undefined'],
] as const;

/**
 * Leaves zod's writer of JSON Schema out of the browser: 9 kB gzipped that only the server's OpenAPI document needs,
 * and that no bundler can drop because every schema object has the method. A zod whose text has changed fails the build.
 */
export function zodForBrowsers(): Plugin {
  return {
    name: 'milepost-zod-for-browsers',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
      handler(code) {
        let left = code;
        for (const [place, instead] of CUTS) {
          const cut = left.replace(place, instead);
          if (cut === left) this.error(`zod has no more ${place}: see whether this plugin is still needed.`);
          left = cut;
        }
        return { code: left, map: null };
      },
    },
  };
}
