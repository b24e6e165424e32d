import { CONTENT_WIDTH, createPdfLayout, type Cell, type Style } from '../pdf/layout'

/** What a certificate tells. Dates are YYYY-MM-DD, amounts rupees, sizes bytes; what is null is not known or did not happen. */
export interface CertificateData {
  agreement: {
    agreement_id: string
    agreement_number: string
    status: keyof typeof statuses
    /** The day on which it came into that status. */
    status_date?: string | null
    agreement_start_date: string
    agreement_end_date: string
    tenure_in_months: number
    rent_amount: number
    deposit_amount?: number | null
  }
  unit: { unit_name: string }
  property: {
    alias_name: string
    society_building?: string | null
    survey_number?: string | null
    road_name?: string | null
    locality?: string | null
    landmark?: string | null
    city: string
    district: string
    state: string
    pin_code: number
    country: string
  }
  /** The landlord's side first, then the tenants. Of the phone number the last four digits are shown. */
  parties: {
    first_name?: string | null
    last_name?: string | null
    phone: string
    role: keyof typeof roles
    /** The signature that counts; null for a party that was never asked. */
    signature: {
      signature_id: string
      provider: string
      provider_request_id?: string | null
      provider_signature_id?: string | null
      asked_at: Date
      viewed_at?: Date | null
      signed_at?: Date | null
    } | null
  }[]
  documents: { signature_id: string; sha256: string; size: number; stored_at: Date }[]
  /** In the order of their positions; actor is a name, null for the service itself. */
  events: {
    position: number
    type: keyof typeof happenings
    occurred_at: Date
    actor?: string | null
    hash: string
  }[]
  generated_at: Date
}

const statuses = {
  DRAFT: 'Draft since',
  PENDING: 'Awaiting signatures since',
  ACTIVE: 'Active since',
  TERMINATED: 'Terminated on',
  COMPLETED: 'Completed on',
}
const roles = { LANDLORD: 'Landlord', MANAGER: 'Manager', TENANT: 'Tenant' }
const happenings = {
  created: 'Agreement drawn up',
  changed: 'Draft changed',
  sent: 'Sent for signature',
  viewed: 'Opened for signing',
  signed: 'Signed',
  declined: 'Signature declined',
  expired: 'Request for signature expired',
  cancelled: 'Request for signature cancelled',
  reissued: 'Request for signature issued again',
  reminded: 'Signer reminded',
  activated: 'Agreement became active',
  renewed: 'Lease renewed',
  ended: 'Lease came to its end',
  terminated: 'Lease terminated',
  completed: 'Agreement closed',
  revised: 'Agreement revised',
  document_stored: 'Signed document stored',
  deleted: 'Agreement deleted',
}

const INK = '#18212b'
const MUTED = '#5d6875'
const ACCENT = '#0b5a4a'
const plain: Style = { size: 9.5, weight: 'Regular', color: INK }
const strong: Style = { ...plain, size: 11, weight: 'Bold' }
const label: Style = { size: 8, weight: 'Regular', color: MUTED }
const small: Style = { ...plain, size: 8 }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const day = (date: string) =>
  `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`
const inIndia = (at: Date) => new Date(at.getTime() + 5.5 * 3_600_000).toISOString()
const time = (at: Date | null | undefined) => at && `${day(inIndia(at))}, ${inIndia(at).slice(11, 19)} IST`
const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
const count = new Intl.NumberFormat('en-IN')
const masked = (phone: string) => `******${phone.slice(-4)}`
const nameOf = ({ first_name, last_name, phone }: CertificateData['parties'][number]) =>
  [first_name, last_name].filter(Boolean).join(' ') || masked(phone)

/** The certificate of completion of a lease: a PDF that is the same to the byte for the same facts. */
export async function renderCertificate({
  agreement,
  unit,
  property,
  parties,
  documents,
  events,
  generated_at,
}: CertificateData): Promise<Uint8Array> {
  const page = createPdfLayout({
    title: `Certificate of completion of agreement ${agreement.agreement_id}`,
    madeAt: generated_at,
  })

  const cell = (text: string, style: Style = plain, tag = 'P', x = 0, width = CONTENT_WIDTH - x): Cell => ({
    text,
    x,
    width,
    style,
    tag,
  })

  const heading = (text: string) => {
    page.ensureSpace(110)
    page.addSpace(16)
    page.row([cell(text, { ...strong, size: 13, color: ACCENT }, 'H2')])
    page.addSpace(2)
    page.rule(ACCENT, 0.9)
    page.addSpace(6)
  }

  /** Names and values, in one or two columns; those that have no value are left out. */
  const facts = (pairs: [name: string, value: string | null | undefined][], columns = 1) => {
    const known = pairs.filter((pair): pair is [string, string] => !!pair[1])
    const width = CONTENT_WIDTH / columns
    const list = page.group('L')
    for (let at = 0; at < known.length; at += columns) {
      page.row(
        known
          .slice(at, at + columns)
          .flatMap(([name, value], column) => [
            cell(name, label, 'Lbl', column * width, 88),
            cell(value, plain, 'LBody', column * width + 92, width - 104),
          ]),
        page.group('LI', list),
      )
      page.addSpace(1)
    }
  }

  page.row([cell('KIRAYA', { size: 9, weight: 'Bold', color: ACCENT })])
  page.row([cell('Certificate of completion', { size: 24, weight: 'Bold', color: INK }, 'H1')])
  page.row([cell(`Agreement ${agreement.agreement_number}`, { size: 12, weight: 'Regular', color: MUTED })])
  page.addSpace(8)

  heading('The lease')
  const {
    alias_name,
    society_building,
    survey_number,
    road_name,
    locality,
    landmark,
    city,
    district,
    state,
    pin_code,
    country,
  } = property
  const address = [
    ...new Set([
      society_building ?? alias_name,
      survey_number && `Survey No. ${survey_number}`,
      road_name,
      locality,
      landmark,
      city,
      district,
    ]),
  ].filter(Boolean)
  facts([
    ['Agreement ID', agreement.agreement_id],
    ['Unit', unit.unit_name],
    ['Address', `${address.join(', ')}, ${state} ${pin_code}, ${country}`],
    [
      'Term',
      `${day(agreement.agreement_start_date)} to ${day(agreement.agreement_end_date)} (${agreement.tenure_in_months} ${agreement.tenure_in_months === 1 ? 'month' : 'months'})`,
    ],
    ['Monthly rent', rupees.format(agreement.rent_amount)],
    [
      'Deposit',
      typeof agreement.deposit_amount === 'number' ? rupees.format(agreement.deposit_amount) : 'None',
    ],
    [
      'Status',
      agreement.status_date
        ? `${statuses[agreement.status]} ${day(agreement.status_date)}`
        : statuses[agreement.status].replace(/ (since|on)$/, ''),
    ],
  ])

  heading('The parties')
  for (const [index, party] of parties.entries()) {
    const { signature } = party
    if (index) page.addSpace(6)
    page.ensureSpace(70)
    page.row([
      cell(nameOf(party), strong, 'H3', 0, CONTENT_WIDTH - 92),
      {
        ...cell(roles[party.role], { ...plain, weight: 'Bold', color: ACCENT }, 'P', CONTENT_WIDTH - 80),
        align: 'right',
      },
    ])
    page.addSpace(2)
    facts(
      [
        ['Phone', masked(party.phone)],
        ['Signed', signature ? (time(signature.signed_at) ?? 'Not signed') : 'Not asked to sign'],
        ['Asked', time(signature?.asked_at)],
        ['Viewed', time(signature?.viewed_at)],
      ],
      2,
    )
    facts([
      ['Signature ID', signature?.signature_id],
      ['Provider', signature?.provider],
      ["Provider's request", signature?.provider_request_id],
      ["Provider's signature", signature?.provider_signature_id],
    ])
  }

  heading('The signed documents')
  const signerOf = new Map(
    parties.flatMap(party =>
      party.signature ? [[party.signature.signature_id, nameOf(party)] as const] : [],
    ),
  )
  for (const { signature_id, sha256, size, stored_at } of documents) {
    facts([
      ['Signed by', signerOf.get(signature_id)],
      ['Signature ID', signature_id],
      ['SHA-256', sha256],
      ['Size', `${count.format(size)} bytes`],
      ['Stored', time(stored_at)],
    ])
    page.addSpace(7)
  }
  page.row([
    cell(
      documents.length
        ? 'A copy of a document is the one that was signed if the SHA-256 of its file, as printed by sha256sum or certutil, is the one above.'
        : 'No signed document is stored.',
      label,
    ),
  ])

  heading('The timeline')
  const columns = [
    { x: 0, width: 22 },
    { x: 28, width: 106 },
    { x: 142, width: 132 },
    { x: 282, width: 138 },
    { x: 428, width: CONTENT_WIDTH - 428 },
  ]
  const line = (texts: string[], style: Style, tag: string) =>
    texts.map((text, column) => cell(text, style, tag, columns[column]!.x, columns[column]!.width))
  const titles = line(['No.', 'Time', 'Event', 'By', 'Hash'], { ...label, weight: 'Bold' }, 'TH')
  const table = page.group('Table')
  page.row(titles, page.group('TR', table))
  page.head(titles)
  for (const { position, type, occurred_at, actor, hash } of events) {
    page.addSpace(2)
    page.row(
      line(
        [String(position), time(occurred_at)!, happenings[type], actor ?? 'Kiraya', `${hash.slice(0, 12)}…`],
        small,
        'TD',
      ),
      page.group('TR', table),
    )
  }
  page.head()
  const last = events.at(-1)
  if (last) {
    page.ensureSpace(70)
    page.addSpace(10)
    page.row([cell(`Hash of event ${last.position}, the last one`, label)])
    page.row([cell(last.hash, { ...plain, weight: 'Bold' })])
    page.addSpace(2)
    page.row([
      cell(
        "Each event's hash is taken over the event and the hash of the event before it, so this one stands for all of them. Read the agreement's timeline in Kiraya: if its event of that number has this hash, nothing up to there has been changed, added or removed since this certificate was made.",
        label,
      ),
    ])
  }

  return page.bytes((number, pages) => [
    cell(
      `Certificate generated by Kiraya at ${time(generated_at)} · Agreement ${agreement.agreement_id}`,
      { ...label, size: 7.5 },
      'P',
      0,
      CONTENT_WIDTH - 80,
    ),
    {
      ...cell(`Page ${number} of ${pages}`, { ...label, size: 7.5 }, 'P', CONTENT_WIDTH - 78),
      align: 'right',
    },
  ])
}
