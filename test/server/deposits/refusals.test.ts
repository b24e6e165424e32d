import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startBooksServer, type BooksServer } from '../../support/books/lease-fixture'
import type { TestResponse } from '../../support/requests'
import { createEndedLease, DEDUCTIONS, type EndedLease } from './ended-lease'

type Refusal = [
  status: number,
  promise: string,
  reason: string,
  send: (lease: EndedLease) => Promise<TestResponse>,
]

let server: BooksServer
let lease: EndedLease
beforeAll(async () => {
  server = await startBooksServer()
  lease = await createEndedLease(server)
}, 60_000)
afterAll(() => server.end())

const [deduction] = DEDUCTIONS

describe('before a settlement is proposed', () => {
  const refusals: Refusal[] = [
    [
      404,
      'a tenant has nothing to accept',
      'settlement_not_found',
      ({ post, tenant }) => post('accept', {}, tenant),
    ],
    [
      400,
      'a deduction is above zero',
      'invalid_fields',
      ({ settle }) => settle({ deductions: [{ ...deduction, amount: 0 }] }),
    ],
    [
      400,
      'rent is no deduction',
      'invalid_fields',
      ({ settle }) => settle({ deductions: [{ ...deduction, type: 'rent' }] }),
    ],
    [
      403,
      'a tenant proposes none',
      'not_unit_side',
      ({ tenant, path }) => tenant.post(`${path}/deposit/settlement`, { deductions: [] }),
    ],
  ]
  test.each(refusals)('%d: %s', async (status, _, reason, send) => {
    const response = await send(lease)
    expect([response.status, response.error?.reason]).toEqual([status, reason])
  })
})

describe('once a settlement is proposed', () => {
  beforeAll(async () => {
    await lease.settle({})
  })

  const refusals: Refusal[] = [
    [403, 'the landlord does not accept it', 'not_tenant', ({ post }) => post('accept')],
    [400, 'a dispute names its reason', 'invalid_fields', ({ post, tenant }) => post('dispute', {}, tenant)],
    [403, 'a tenant does not post it', 'not_unit_side', ({ post, tenant }) => post('post', {}, tenant)],
  ]
  test.each(refusals)('%d: %s', async (status, _, reason, send) => {
    const response = await send(lease)
    expect([response.status, response.error?.reason]).toEqual([status, reason])
  })

  test('400: the lease is not completed while the deposit is held, and the error says how much', async () => {
    const { status, error } = await lease.landlord.post(`${lease.path}/complete`)
    expect([status, error.reason]).toEqual([400, 'money_held'])
    expect(error.message).toContain('100000')
  })
})
