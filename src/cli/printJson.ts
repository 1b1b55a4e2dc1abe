/** What `--json` and `--jsonl` write to standard output. docs/json.md says what is printed where. */
import { pauseHeartbeat } from './heartbeat.js';

export function printJson(document: object): void {
  pauseHeartbeat();
  process.stdout.write(`${escaped(JSON.stringify(document, null, 2))}\n`);
}

export function printJsonLine(event: object): void {
  pauseHeartbeat();
  process.stdout.write(`${escaped(JSON.stringify(event))}\n`);
}

/** JSON allows control characters of Unicode beyond ASCII inside strings; terminals obey them. */
function escaped(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
