/** Tables in encodings other than UTF-8: told by their bytes, or said to be doubtful. Bytes are those that Python writes. */
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/table/readTable.js';
import { faultOf } from './reading.js';

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const namesOf = async (hex: string, encoding?: string) =>
  (await readTable(bytesOf(hex), encoding ? { encoding: encoding as 'latin1' } : {})).columns.map(
    ({ name }) => name,
  );

/** Name, option, header, bytes. */
const told = [
  [
    'Shift-JIS',
    'shift_jis',
    '温度(℃),触媒,収率(%)',
    '89b7937828818e292c9047947d2c8efb97a62825290a32302c837083898357834583802c332e350a33302c94928be02c342e350a',
  ],
  [
    'EUC-JP',
    'euc-jp',
    '温度,触媒,収率',
    'b2b9c5d92cbfa8c7de2cbcfdcea80a32302ca5d1a5e9a5b8a5a6a5e02c332e350a33302cc7f2b6e22c342e350a',
  ],
  [
    'GB18030',
    'gb18030',
    '温度,催化剂,产率',
    'cec2b6c82cb4dfbbafbcc12cb2fac2ca0a32302ceed9ccbc2c332e350a33302cc4f82c342e350a',
  ],
  [
    'Big5',
    'big5',
    '溫度,催化劑,產率',
    'b7c5abd72cb6caa4c6beaf2cb2a3b2760a32302cdc6abad22c332e350a33302cc2ec2c342e350a',
  ],
  [
    'EUC-KR',
    'euc-kr',
    '온도,촉매,수율',
    'bfc2b5b52cc3cbb8c52cbcf6c0b20a32302cc6c8b6f3b5e32c332e350a33302cb4cfc4cc2c342e350a',
  ],
  [
    'Windows-1251',
    'windows-1251',
    'Температура,Катализатор,Выход',
    'd2e5ecefe5f0e0f2f3f0e02ccae0f2e0ebe8e7e0f2eef02cc2fbf5eee40a32302cefe0ebebe0e4e8e92c332e350a33302cede8eae5ebfc2c342e350a',
  ],
] as const;

/** Encodings that are not told, with signs that stand side by side. */
const doubtful = [
  ['Greek', 'c8e5f1ecefeaf1e1f3dfe12ccae1f4e1ebfdf4e7f22cc1f0fce4eff3e70a32302cf0e1ebebdce4e9ef2c332e350a'],
  ['Hebrew', 'e8eef4f8e8e5f8e42ce6f8e62cfaf4e5f7e40a32302cf4ece3e9e5ed2c332e350a'],
  ['KOI8-R', 'f4c5cdd0c5d2c1d4d5d2c12cebc1d4c1ccc9dac1d4cfd22cf7d9c8cfc40a32302cd0c1ccccc1c4c9ca2c332e350a'],
  ['Thai', 'cdd8b3cbc0d9c1d42cb5d1c7e0c3e8a70a32302ce1bec5e0c5e0b4d5c2c10a'],
] as const;

/** Letters of the west stand alone. */
const western = [
  ['French', '54656d70e972617475726520b0432c64e96ae02ce7610a32302ce974e92cb56d0a'],
  ['Mac Roman', '47729aa7652c538a7572652c4d656e67650a32302c67729f6e2c332e350a'],
  ['Polish', '5374eabf656e69652c577964616a6e6f9ce62c43699c6e69656e69652c9f72f364b36f0a312c322c332c340a'],
] as const;

const noteOf = async (hex: string) =>
  (await readTable(bytesOf(hex))).notes.find((note) => note.startsWith('The text is not UTF-8'));

describe('the encoding of a text', () => {
  it.each(told)('is told: %s', async (name, encoding, header, hex) => {
    expect((await namesOf(hex)).map((text) => text.split(' ')[0])).toEqual(
      (await namesOf(hex, encoding)).map((text) => text.split(' ')[0]),
    );
    expect((await namesOf(hex)).join()).toContain(header.split(/[,(]/)[0]);
    expect(await noteOf(hex)).toBe(
      `The text is not UTF-8; it is read as ${name}, which its bytes look like; --encoding names another.`,
    );
  });

  it.each(doubtful)('is said to be doubtful: %s', async (_, hex) => {
    expect(await noteOf(hex)).toMatch(/Latin-1 .* but looks like another encoding: --encoding names it\.$/);
  });

  it.each(western)('is Latin-1: %s', async (_, hex) => {
    expect(await noteOf(hex)).toBe('The text is not UTF-8; it is read as Latin-1 (Windows-1252).');
  });

  it('is the same however its bytes are cut, also behind the first half megabyte', async () => {
    const [, , , hex] = told[0];
    const head = bytesOf(hex);
    const row = head.subarray(head.indexOf(10) + 1);
    const bytes = Uint8Array.from(Buffer.concat([head, ...Array.from({ length: 40_000 }, () => row)]));
    const cut = async function* () {
      for (let i = 0; i < bytes.length; i += 65_537) yield bytes.subarray(i, i + 65_537);
    };
    const table = await readTable(cut());
    expect(table.rows).toBe(80_002);
    expect(table.columns[1]).toMatchObject({ levels: ['パラジウム', '白金'] });
  });

  it('that was named wrongly is refused with the line', async () => {
    const fault = await faultOf(readTable(bytesOf(told[5][3]), { name: 'a.csv', encoding: 'shift_jis' }));
    expect(fault.message).toMatch(/^a\.csv:\d+: holds bytes that are no shift_jis/);
  });
});
