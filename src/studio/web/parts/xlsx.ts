/** candidates.csv as a workbook: the same cells, numbers as numbers, texts as texts and never as formulas. */
import { strToU8, zipSync } from 'fflate';

/** Cells of a CSV text with its own delimiter: the first line has as many as there are columns. */
function parse(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === delimiter || sign === '\n') {
      rows.at(-1)!.push(cell);
      cell = '';
      if (sign === '\n') rows.push([]);
    } else if (sign !== '\r') cell += sign;
  }
  return rows.filter((row) => row.length > 0);
}

function escaped(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // XML 1.0 has no such signs
      .replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
  );
}

function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

export function toXlsx(csv: string): Uint8Array {
  const head = csv.slice(0, csv.indexOf('\n'));
  const delimiter = [',', ';', '\t', '|'].reduce((a, b) =>
    head.split(b).length > head.split(a).length ? b : a,
  );
  const rows = parse(csv, delimiter);
  const decimal =
    delimiter === ';' && !rows.slice(1).some((row) => row.some((cell) => /^-?\d+\.\d+$/.test(cell)))
      ? ','
      : '.';
  const cellOf = (text: string, row: number, column: number): string => {
    if (text === '') return '';
    const place = `${columnName(column)}${row + 1}`;
    const number = row === 0 ? Number.NaN : Number(text.replace(decimal, '.'));
    return Number.isFinite(number)
      ? `<c r="${place}"><v>${number}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  };
  const sheet = rows
    .map((row, i) => `<row r="${i + 1}">${row.map((text, j) => cellOf(text, i, j)).join('')}</row>`)
    .join('');
  const head1 = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="candidates" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(head1 + text)])),
  );
}
