import { dateTime, maskedPhone } from './html'
import { toRequestStatus, type SandboxRequest } from './signing-requests'

type Line = { text: string; size?: number; font?: 'F1' | 'F2' | 'F3'; gap?: number }

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 64
const fonts = { F1: ['Helvetica', 0.5], F2: ['Helvetica-Bold', 0.54], F3: ['Courier', 0.6] } as const

/** A PDF of lines on A4, the same bytes for the same lines. */
export function renderPdf(title: string, lines: Line[]): Uint8Array {
  const pages: string[] = []
  let content = ''
  let y = HEIGHT - MARGIN
  const flush = () => {
    pages.push(content)
    content = ''
    y = HEIGHT - MARGIN
  }
  for (const { text, size = 11, font = 'F1', gap = 0 } of [
    { text: title, size: 20, font: 'F2' } as Line,
    ...lines,
  ]) {
    y -= gap
    for (const row of wrapped(text, Math.floor((WIDTH - 2 * MARGIN) / (size * fonts[font][1])))) {
      if (y - size * 1.5 < MARGIN) flush()
      y -= size * 1.5
      content += shown(row, `BT /${font} ${size} Tf ${MARGIN} ${y.toFixed(1)} Td`)
    }
  }
  flush()

  const names = Object.keys(fonts)
  const firstPage = 4 + names.length
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-IN) >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    `<< /Title ${unicode(title)} /Producer (Kiraya) >>`,
    ...names.map(
      name =>
        `<< /Type /Font /Subtype /Type1 /BaseFont /${fonts[name as keyof typeof fonts][0]} /Encoding /WinAnsiEncoding >>`,
    ),
    ...pages.flatMap((stream, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${firstPage + 2 * index + 1} 0 R /Resources << /Font << ${names.map((name, at) => `/${name} ${4 + at} 0 R`).join(' ')} >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}endstream`,
    ]),
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** At blanks, and within a word only where it is longer than a row. */
function wrapped(text: string, most: number) {
  const rows: string[] = ['']
  for (const word of text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .split(' ')
    .flatMap(long =>
      [...long].length > most ? ([...long].join('').match(new RegExp(`.{1,${most}}`, 'gsu')) ?? []) : [long],
    )) {
    const last = rows.at(-1)!
    if (last && [...last].length + 1 + [...word].length > most) rows.push(word)
    else rows[rows.length - 1] = last ? `${last} ${word}` : word
  }
  return rows
}

/** The fonts that every reader has know Latin-1; a reader that copies or speaks gets the text itself. */
function shown(text: string, place: string) {
  const drawn = `${place} (${text
    .replace(/[\\()]/g, '\\$&')
    .replace(/[–—]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[^\x20-\x7e\xa1-\xff]/gu, '?')}) Tj ET\n`
  return /[^\x20-\x7e\xa1-\xff]/u.test(text)
    ? `/Span << /ActualText ${unicode(text)} >> BDC\n${drawn}EMC\n`
    : drawn
}
const unicode = (text: string) =>
  `<FEFF${[...text.toWellFormed()]
    .flatMap(char =>
      Array.from({ length: char.length }, (_, at) => char.charCodeAt(at).toString(16).padStart(4, '0')),
    )
    .join('')
    .toUpperCase()}>`

/** The document as signed so far: what it is, and who has signed it when. */
export const renderSignedPdf = (request: SandboxRequest) =>
  renderPdf(
    toRequestStatus(request) === 'sign_complete' ? 'Signed document' : 'Document, not signed by all yet',
    [
      { text: 'Electronically signed in the sandbox of Kiraya. Nothing here is legally binding.', gap: 6 },
      { text: 'Document', font: 'F2', size: 13, gap: 18 },
      ...(request.document
        ? [
            { text: request.document.name },
            { text: `${request.document.size} bytes, SHA-256` },
            { text: request.document.sha256, font: 'F3', size: 9 } as const,
          ]
        : [{ text: request.documentUrl ?? '' }]),
      { text: `Request ${request.id}`, gap: 6 },
      { text: `Document id ${request.documentId}` },
      { text: 'Signatures', font: 'F2', size: 13, gap: 18 },
      ...request.signers.flatMap((signer): Line[] => [
        { text: `${signer.displayName}, ${maskedPhone(signer.identifier)}`, font: 'F2', gap: 8 },
        {
          text: signer.signedAt
            ? `Signed on ${dateTime(signer.signedAt, true)}`
            : signer.errCode === 'signer_declined'
              ? 'Declined to sign'
              : 'Has not signed',
        },
        { text: signer.id, font: 'F3', size: 9 },
      ]),
    ],
  )

/** A lease to try things out with, as long as nobody has one at hand. */
export const renderSampleLease = () =>
  renderPdf('Leave and licence agreement', [
    { text: 'A sample to try the signing with. Nothing here is legally binding.', gap: 6 },
    ...[
      'The owner lets the residential unit named in the agreement to the tenant for the tenure, at the monthly rent and for the deposit that the agreement states.',
      'Rent is due on the day of each month that the agreement states, in advance, by a traceable means of payment.',
      'The tenant uses the unit as a residence, keeps it in good order and hands it back in the same condition, normal wear excepted.',
      'The owner returns the deposit within thirty days of the handing back, less what is owed for rent, bills and damage, with an account of it.',
      'Either side may end the agreement with the period of notice that it states, in writing.',
      'The courts of the place where the unit lies decide what the sides cannot settle themselves.',
    ].map((text, index): Line => ({ text: `${index + 1}. ${text}`, gap: 10 })),
  ])
