/** What `--json` and `--jsonl` write to standard output. docs/json.md says what is printed where. */

export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

export function printJsonLine(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}
