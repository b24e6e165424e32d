import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import type { TestUser } from '../../support/users'
import { completeCheck, createCompletedUser, findChecks, startCheck } from './fixtures'
import { createKycProvider } from './kyc-provider'

const provider = createKycProvider()
const server = testServer({ env: provider.env })
const aadhaar = { name: 'Asha Rao', aadhaarNumber: '912345678901' }

const countReads = () => provider.requests.filter(({ method }) => method === 'GET').length
const setProvider = ({ id }: TestUser, name: string) =>
  getKysely(server.em())
    .updateTable('kyc_requests')
    .set({ provider: name })
    .where('user_id', '=', id)
    .execute()
const createEarlierCheck = async () => {
  const user = await createCompletedUser(server)
  const { verification_id: id } = await startCheck(user)
  await setProvider(user, 'earlier')
  return { user, id }
}
const startOther = async (user: TestUser) => (await startCheck(user)).verification_id

test('400: a check of the earlier one cannot be completed, and the new one is not asked', async () => {
  const { user, id } = await createEarlierCheck()
  provider.setStatus('SUCCESS', { aadhaar, xml: '' })
  const reads = countReads()

  const response = await completeCheck(user, id)

  expect([response.status, response.body.error.message]).toEqual([
    400,
    'The verification was started with another provider; start a new one',
  ])
  expect(countReads()).toBe(reads)
  expect(await findChecks(server, user)).toMatchObject([
    { status: 'ERROR', error_code: 'provider_changed', name: null },
  ])
  expect(await startOther(user)).not.toBe(id)
})

test('a start replaces an open check of the earlier one', async () => {
  const { user, id } = await createEarlierCheck()

  expect(await startOther(user)).not.toBe(id)

  expect(await findChecks(server, user)).toMatchObject([
    { provider: 'earlier', status: 'ERROR', error_code: 'provider_changed' },
    { provider: 'setu', status: 'CREATED' },
  ])
})

test.each([
  ['SUCCESS', 200, undefined],
  ['ERROR', 400, 'verification_failed'],
])('a check that ended as %s at the earlier one stays so', async (status, expected, reason) => {
  const user = await createCompletedUser(server)
  const { verification_id: id } = await startCheck(user)
  provider.setStatus(status, { aadhaar, xml: '' })
  await completeCheck(user, id)
  await setProvider(user, 'earlier')

  const response = await completeCheck(user, id)
  expect([response.status, response.body.error?.reason]).toEqual([expected, reason])
  expect(await findChecks(server, user)).toMatchObject([{ status, error_code: null }])
})
