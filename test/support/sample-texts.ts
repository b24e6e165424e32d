// What texts of each format and pattern of the contract may be, written down apart from the server's rules.

type Samples = { accepted: string[]; refused: string[]; fill?: (length: number) => string }

/** A character of two UTF-16 units: lengths are counted in characters. */
const WIDE = '𝒜'
const split = (list: string) => list.split('|')

/** Characters that control, change the direction or are invisible, and halves of characters. */
const NOWHERE = Array.from(
  '\0\u0001\u0007\b\v\f\u001b\u007f\u0085\u009b\u2028\u2029\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ufff9',
).concat(Array.from('\u00ad\u200b\u2060\u2800\u3164\ufeff\u{e0041}'), '\ud800', '\udfff')
const LINE_ENDS = ['\t', '\n', '\r']
const BLANKS = ['', ' ', ' \t\u00a0 ', '\u200d', '\u200c\u200c', '\ufe0f', '\u3000']
const insert = (characters: string[]) => characters.map(character => `Ta${character}ra, long enough`)

const fill = (length: number) => WIDE.repeat(length)
const line: Samples = {
  accepted: ['A-1', 'क्‍ष', 'നന്‌മ', '👩‍👧', 'عقد الإيجار', '26/7, MG Road', "<b> O'Hara"],
  refused: [...BLANKS, ...insert([...NOWHERE, ...LINE_ENDS])],
  fill,
}
const lines: Samples = {
  accepted: [...line.accepted, '- No music\r\n\tafter ten\n- No pets'],
  refused: [...BLANKS, ...insert(NOWHERE)],
  fill,
}

export const texts: Record<string, Samples> = {
  text: line,
  paragraphs: lines,
  printable: { accepted: [...lines.accepted, ''], refused: insert(NOWHERE), fill },
  secret: { accepted: ['12345 78', ' 6 long '], refused: insert([...NOWHERE, ...LINE_ENDS]), fill },
  'agreement-number': {
    accepted: ['A-1/26', 'करार 5', '2026.5', '12/3.4', 'A 98765'],
    refused: [...line.refused, ...split('a_b|-|www.evil|1.2.3.4|98765 43210|९८७६५-४३२१०|A#1|x:y')],
    fill,
  },
  mailbox: {
    accepted: ['a.b+c@d-e.co.in'],
    refused: split('|a|a@b|@b.co|a b@c.co|.a@b.co|a.@b.co|a..b@c.co|a@-b.co|a@b..co|<a@b.co>|a@b.c\u200bo'),
    fill: length => `${fill(length - 5)}@b.co`,
  },
  'web-address': {
    accepted: ['http://a.in', 'https://a.in/x?y=1#z'],
    refused: split(
      '|x|a.in|http://|ftp://a.in|javascript:alert(1)|https://u:p@a.in|https://a.in/ b|http://[::1',
    ),
    fill: length => `https://a.in/${fill(length - 13)}`,
  },
  'calendar-date': {
    accepted: ['1900-01-01', '2199-12-31', '2028-02-29'],
    refused: split('|1899-12-31|2200-01-01|2026-02-29|2026-11-31|2026-13-01|2026-1-01|2026-11-22T12:00:00Z'),
  },
  instant: {
    accepted: split(
      '2026-11-22T10:00Z|2026-11-22T10:00:00.123Z|2026-11-22T15:30:00+05:30|2028-02-29T00:00:00-05:30',
    ),
    refused: split(
      '|2026-11-22|2026-02-29T00:00:00Z|2026-11-22T10:00:00|2026-11-22T15:30:00+0530|2026-11-22T10:00:00.1234Z',
    ).concat('2026-11-22T24:01:00Z', '2026-11-22 10:00:00Z'),
  },
  'fiscal-year': { accepted: ['2026-27', '1999-00'], refused: split('|2026-28|2026|26-27|1899-00|2200-01') },
  'record-uuid': {
    accepted: ['00000000-0000-4000-8000-000000000000', 'ABCDEF00-0000-4000-8000-000000000000'],
    refused: split('|x|00000000-0000-4000-8000-00000000000|{00000000-0000-4000-8000-000000000000}'),
  },
  '^[6-9][0-9]{9}$': {
    accepted: ['6000000000', '9999999999'],
    refused: split('|5999999999|987654321|98765432100|+919876543210|98765 43210|९८७६५४३२१०|9876543210\n'),
  },
  '^[0-9]{6}$': { accepted: ['000000'], refused: split('|12345|1234567|12345a|१२३४५६') },
  '^[A-Za-z]{5}[0-9]{4}[A-Za-z]$': {
    accepted: ['ABCDE1234F', 'abcde1234f'],
    refused: split('|ABCD1234F|ABCDE12345|ABCDE1234FF'),
  },
  '^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])$': {
    accepted: ['2026-01', '2199-12'],
    refused: split('|2026-00|2026-13|2200-01|26-1'),
  },
}
