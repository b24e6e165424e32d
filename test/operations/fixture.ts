import { createAgreementIn, type AgreementFixture, type Parties } from '../support/agreement-fixture'
import { openBooksIn } from '../support/books/books-fixture'
import { settleDepositIn } from '../support/books/deposit-fixture'
import type { TestServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createDates } from './dates'
import { fill, type Records } from './fill'
import type { Needs } from './row'

/** The parties of an agreement, and by their names the records that there are. */
export type Fixture = AgreementFixture & Parties & Record<string, any>

/** Whether a path names a record of a fixture. */
export const namesRecord = (path: string) =>
  /[:{]/.test(path) && !/^\/(sandbox|operations|docs|documents|assets|receipts)\//.test(path)
/** Whether a request names a record of a fixture. */
export const usesFixture = (path: string, body: unknown) =>
  namesRecord(path) || JSON.stringify([body]).includes('"$')

const NO_RECORD = 2_147_483_647
/** Of the sandbox. */
const OTP = '123456'

/** A managed unit with an agreement, and what a request needs beside it. */
export async function createFixture(
  server: Pick<TestServer, 'db' | 'deps'>,
  people: Parties,
  { payment, deposit, state = payment ? 'ACTIVE' : 'DRAFT', prepare }: Needs = {},
): Promise<Fixture> {
  const records = await createAgreementIn(server, people, state)
  const books = payment && (await openBooksIn(server, records, people, payment))
  const settled = deposit && (await settleDepositIn(records, people, deposit))
  const fixture = { ...people, ...records, ...books, ...settled, dates: createDates(server.deps.now()) }
  return { ...fixture, ...(await prepare?.(fixture)) }
}

/** The name of the record that a parameter names: `:id` after `/maintenance-requests` a `request`, `:unitId` a `unit`. */
function getRecordName(path: string, parameter: string) {
  const noun = path.split('/')[1]!.split('-').at(-1)!
  return parameter === 'id' ? noun.replace(/ies$/, 'y').replace(/s$/, '') : parameter.replace(/Id$/, '')
}

/** The example of each parameter of a path. */
export const toExampleParams = (path: string) =>
  Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, `$${getRecordName(path, name)}`]),
  )

/** The path of an operation with the records of a fixture, by number or by UUID. */
export function toPath(path: string, fixture: Partial<Fixture>, by: 'id' | 'uuid' = 'id') {
  return path.replace(/:(\w+)|\{(\w+)\}/g, (_, plain?: string, braced?: string) => {
    const name = getRecordName(path, plain ?? braced ?? '')
    const { id, [name === 'unit' ? 'property_unit_id' : `${name}_id`]: uuid } = fixture[name] ?? {}
    return String((by === 'uuid' ? uuid : (id ?? uuid)) ?? NO_RECORD)
  })
}

/** A body with the records of a fixture. */
export const fillBody = (body: unknown, fixture: Partial<Fixture>) => fill(body, toRecords(fixture))

function toRecords({ owner, dates, settlement_id, ...fixture }: Partial<Fixture>): Records {
  const ids = Object.entries(fixture).map(([name, record]) => [name, record?.id] as const)
  return {
    charge: NO_RECORD,
    ...Object.fromEntries(ids),
    ...dates,
    landlord: owner?.id,
    agreementNumber: fixture.agreement?.agreement_number ?? 'none',
    phone: owner?.phone,
    newPhone: freshPhone(),
    otp: OTP,
    verification: crypto.randomUUID(),
    proposal: settlement_id ?? crypto.randomUUID(),
    lease: 'https://example.com/lease.pdf',
  }
}

export function toQuery(query: Record<string, unknown> = {}) {
  const text = new URLSearchParams(query as Record<string, string>).toString()
  return text && `?${text}`
}
