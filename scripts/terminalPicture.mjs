// A terminal's text with its colours as an SVG: dark ground, one row of text per line, no font needed beyond some
// monospaced one. Letters are spread to their cells, so that columns align whatever the font.

const cell = 8.4;
const line = 19;
const margin = 20;
const size = 14;
const ground = '#14171b';
const ink = '#e7e9ec';

/** Foregrounds by their SGR code (ECMA-48), readable on the ground. @type {Readonly<Record<number, string>>} */
const colours = {
  30: '#6b7480',
  31: '#f28b82',
  32: '#7fd18b',
  33: '#f0c36b',
  34: '#74b8f5',
  35: '#d3a4f0',
  36: '#6fd3d3',
  37: '#e7e9ec',
  90: '#a4adb8',
};

/** @typedef {{ bold: boolean, dim: boolean, colour: string }} Look */
/** @typedef {{ text: string, look: Look }} Piece */

const plain = { bold: false, dim: false, colour: ink };

/** @param {Look} look @param {number} code @returns {Look} */
function apply(look, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, dim: true };
  if (code === 22) return { ...look, bold: false, dim: false };
  if (code === 39) return { ...look, colour: ink };
  return colours[code] ? { ...look, colour: colours[code] } : look;
}

/** Lines of pieces of one look each. @param {string} text @returns {Piece[][]} */
export function styledLines(text) {
  let look = plain;
  return text.split('\n').map((row) => {
    /** @type {Piece[]} */
    const pieces = [];
    // Every second part is a list of codes.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    row.split(/\u001b\[([\d;]*)m/).forEach((part, i) => {
      if (i % 2 === 1) look = part.split(';').reduce((old, code) => apply(old, Number(code)), look);
      else if (part !== '') pieces.push({ text: part, look });
    });
    return pieces;
  });
}

/** @param {string} text */
export function withoutColours(text) {
  return styledLines(text)
    .map((pieces) => pieces.map((piece) => piece.text).join(''))
    .join('\n');
}

/** @param {string} text */
function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @param {string} text what a terminal was sent @param {string} title @returns {string} */
export function terminalPicture(text, title) {
  const rows = styledLines(text.trimEnd());
  const widths = rows.map((pieces) => pieces.reduce((sum, one) => sum + [...one.text].length, 0));
  const widest = widths.reduce((a, b) => Math.max(a, b), 0);
  const width = Math.ceil(2 * margin + cell * widest);
  const height = 2 * margin + line * rows.length;
  const drawn = rows.flatMap((pieces, row) => {
    let column = 0;
    return pieces.flatMap(({ text: all, look }) => {
      const from = column;
      column += [...all].length;
      const attributes = [
        look.colour !== ink && `fill="${look.colour}"`,
        look.bold && 'font-weight="700"',
        look.dim && 'opacity="0.65"',
      ].filter(Boolean);
      // Two spaces part columns, each of which has its own place.
      return [...all.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
        const x = margin + cell * (from + [...all.slice(0, index)].length);
        const length = cell * [...words].length;
        const place = `x="${x.toFixed(1)}" y="${margin + line * row + size}" textLength="${length.toFixed(1)}"`;
        return `<text ${[place, ...attributes].join(' ')}>${escapeText(words)}</text>`;
      });
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeText(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace" font-size="${size}" fill="${ink}">
${drawn.join('\n')}
</g>
</svg>
`;
}
