import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The Chromium on the PATH; undefined, with a word on stderr, where there is none. */
export const executable = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((file) => existsSync(file));
if (!executable)
  process.stderr.write(`browser tests are skipped: none of ${names.join(', ')} is on the PATH\n`);
