import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createDraft, signInUser, type TestUser } from '../../support/users'

const server = testServer()
/** One more than a page has at most. */
const ROWS = 501
const KIB = 1024

const run = (statement: string) => sql.raw(statement).execute(getKysely(server.em()))
const times = (count: number) => `from generate_series(1, ${count}) n`

/** Creates people, and returns what selects their ids. */
async function createPeople(count: number) {
  const suffix = crypto.randomUUID().slice(0, 8)
  await run(`insert into users (phone) select '${suffix}-' || n ${times(count)}`)
  return `select id, row_number() over (order by id) as n from users where phone like '${suffix}-%'`
}

const giveNames = async (user: TestUser, count: number) =>
  run(`insert into tenant_contacts (landlord_id, tenant_id, first_name)
    select p.id, ${user.id}, n from (${await createPeople(count)}) p`)

async function insertOwnRows({ id, phone }: TestUser, unitId: number) {
  const payload = JSON.stringify({
    data: {
      esign: { signers: [{ identifier: phone }, { identifier: '9000000001', displayName: 'Somebody else' }] },
    },
  })
  await run(`
    insert into auth_sessions (user_id, auth_token, expires_by, token_expires_at, is_active)
      select ${id}, 'token ${id} ' || n, now(), '2030-01-01'::timestamp + n * interval '1 day', false ${times(ROWS)};
    insert into rate_limits (key, count, resets_at) select 'x' || n || ':${phone}', n, now() ${times(ROWS)};
    insert into idempotency_keys (user_id, key, digest, claimed_until, answer, created_at)
      select ${id}, 'key ' || n, '', now(), jsonb_build_object('of', n), '2026-01-01'::timestamp + n / 2 * interval '1 ms' ${times(ROWS)};
    insert into kyc_requests (user_id, provider, status, name, expires_at) select ${id}, 'sandbox', 'ERROR', n, now() ${times(ROWS)};
    insert into properties (pin_code, district, city, state, alias_name, property_type, landlord_id, is_active)
      select 560048, 'd', 'c', 's', n, 'pg', ${id}, n % 2 = 0 ${times(ROWS)};
    insert into property_units (property_id, landlord_id, managed_by_id, unit_name, unit_notes, is_active)
      select property_id, ${id}, ${id}, n, repeat('x', n % 50 * ${KIB}), n % 2 = 0 from property_units, generate_series(1, ${ROWS}) n where id = ${unitId};
    insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
        agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, is_active)
      select n, 'https://example.com', ${unitId}, ${id}, '2026-01-01', '2026-12-31', 11, n, 5, 30, n % 2 = 0 ${times(ROWS)};
    insert into activities (user_id, type, message, entity_type, entity_id, occurred_at)
      select ${id}, 'unit_created', n, 'property_unit', n, now() ${times(ROWS)};
    insert into webhook_deliveries (provider, digest, request_id, payload)
      select 'sandbox', 'digest ${id} ' || n, n, '${payload}' ${times(ROWS)};
    insert into tenant_contacts (landlord_id, tenant_id, first_name)
      select ${id}, p.id, n from (${await createPeople(ROWS)}) p`)
}

const insertAgreementRows = (userId: number, id: number, unitId: number) =>
  run(`
    insert into ledgers (agreement_id, starts_on) values (${id}, '2026-01-01');
    insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, expires_at, decline_reason)
      select ${id}, ${userId}, 'LANDLORD', 'EXPIRED', 'sandbox', now(), n ${times(ROWS)};
    insert into signed_documents (agreement_id, provider, provider_request_id, sha256, size, content)
      select ${id}, 'sandbox', '${id} ' || n, '', n, '' ${times(ROWS)};
    insert into agreement_events (agreement_id, position, type, details, occurred_at, hash)
      select ${id}, 100 + n, 'updated', '{}', now(), n ${times(ROWS)};
    insert into charges (agreement_id, property_unit_id, type, description, due_date, amount, source, posted_at)
      select ${id}, ${unitId}, 'other', n, '2026-01-01', 1, 'manual', now() ${times(ROWS)};
    insert into payments (agreement_id, landlord_id, payer_id, amount, method, paid_on, status, reference)
      select ${id}, ${userId}, ${userId}, 1, 'upi', '2026-01-01', 'reported', '${id} ' || n ${times(ROWS)};
    insert into journals (agreement_id, position, kind, effective_on, posted_at, hash)
      select ${id}, n, 'charge', '2026-01-01', now(), n ${times(ROWS)};
    insert into journal_lines (journal_id, line, account, debit, credit)
      select j.id, line, 'rent', 2 - line, line - 1 from journals j, generate_series(1, 2) line where agreement_id = ${id};
    insert into rent_revisions (agreement_id, rent_amount, effective_on, source, status)
      select ${id}, n, '2026-01-01', 'landlord', 'declined' ${times(ROWS)}`)

type Rows = Record<string, any>[]
let exported: Record<string, Rows>
let agreement: Record<string, Rows>

beforeAll(async () => {
  const [user, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement: drawn, unit } = await createDraft(user, [tenant])
  await insertOwnRows(user, unit.id)
  await insertAgreementRows(user.id, drawn.id, unit.id)
  await giveNames(user, ROWS)
  exported = (await user.get('/auth/me/export')).data
  agreement = exported.agreements![0]! as Record<string, Rows>
}, 60_000)

const expected = Array.from({ length: ROWS }, (_, index) => index + 1)

/** What the rows that were inserted have in a field, in the order of the export. */
const readLast = (rows: Rows, field: string) => rows.map(row => row[field]).slice(-ROWS)

test.each<[list: string, field: string, value: (n: number) => unknown]>([
  ['identity_checks', 'name', String],
  ['properties', 'alias_name', String],
  ['property_units', 'unit_name', String],
  ['agreements', 'agreement_number', String],
  ['activities', 'message', String],
  ['named_people', 'first_name', String],
  ['names_given_by_others', 'first_name', String],
  ['webhooks', 'request_id', String],
])('all rows of %s are exported in their order', (list, field, value) => {
  expect(readLast(exported[list]!, field)).toEqual(expected.map(value))
})

test('all sessions, counters and repeatable requests are exported in their order', () => {
  const days = readLast(exported.sessions!, 'token_expires_at').map(
    at => (Date.parse(at) - Date.UTC(2030, 0)) / 86_400_000,
  )
  expect(days).toEqual(expected)
  const counters = exported.counters!.filter(({ key }) => key.startsWith('x'))
  expect(counters.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual(expected)
  const requests = exported.repeatable_requests!.filter(({ key }) => key.startsWith('key '))
  const inOrder = expected.toSorted(
    (a, b) => Math.floor(a / 2) - Math.floor(b / 2) || (`key ${a}` < `key ${b}` ? -1 : 1),
  )
  expect(requests.map(({ answer }) => answer)).toEqual(inOrder)
})

test.each<[list: string, field: string, value: (n: number) => unknown]>([
  ['signatures', 'decline_reason', String],
  ['documents', 'size', n => n],
  ['timeline', 'position', n => 100 + n],
  ['charges', 'description', String],
  ['journals', 'position', n => n],
  ['rent_revisions', 'rent_amount', n => n],
])('all rows of %s of an agreement are exported in their order', (list, field, value) => {
  expect(readLast(agreement[list]!, field)).toEqual(expected.map(value))
})

test('all payments of an agreement are exported, and journals with their lines', () => {
  const numbers = readLast(agreement.payments!, 'reference').map(reference => Number(reference.split(' ')[1]))
  expect(numbers).toEqual(expected)
  expect(agreement.journals!.every(({ lines }) => lines.length === 2)).toBe(true)
})

test('the webhooks of all pages have nothing about others', () => {
  expect(JSON.stringify(exported.webhooks)).not.toContain('Somebody else')
  expect(new Set(exported.webhooks!.map(({ payload }) => payload.data.esign.signers.length))).toEqual(
    new Set([2]),
  )
})

test.each([ROWS - 2, ROWS - 1, ROWS, 2 * ROWS - 2, 2 * ROWS - 1])(
  'a list of %d rows is exported whole, wherever its pages end',
  async count => {
    const user = await signInUser(server)
    await giveNames(user, count)

    const { data } = await user.get('/auth/me/export')

    expect(data.names_given_by_others.map((name: { first_name: string }) => Number(name.first_name))).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    )
  },
)

// The first page ends with the row that has 64 KiB, and others with the one that has 1 MiB.
test.each([
  [1, 60],
  [2, 60],
  [3, 60],
  [19, 60],
  [40, 60],
  [3, 2048],
])('%d units with %d KiB each are exported whole', async (count, kib) => {
  const user = await signInUser(server)
  const { unit } = await createDraft(user, [await signInUser(server)])
  await run(`
    insert into property_units (property_id, landlord_id, managed_by_id, unit_name, unit_notes)
      select property_id, ${user.id}, ${user.id}, n, repeat('\u{1F3E0}', ${(kib * KIB) / 4})
      from property_units, generate_series(1, ${count}) n where id = ${unit.id}`)

  const { data } = await user.get('/auth/me/export')

  const [, ...long] = data.property_units as { unit_name: string; unit_notes: string }[]
  expect(long.map(({ unit_name }) => Number(unit_name))).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  )
  const notes = '\u{1F3E0}'.repeat((kib * KIB) / 4)
  expect(long.every(({ unit_notes }) => unit_notes === notes)).toBe(true)
})
