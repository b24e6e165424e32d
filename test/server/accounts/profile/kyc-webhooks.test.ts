import { expect, test } from 'bun:test'
import { refuse } from '../../../../server/errors'
import type { KycResult } from '../../../../server/providers/kyc/port'
import { createKycReceiver } from '../../../../server/accounts/profile/kyc-webhook'
import { waitUntil } from '../../../support/round'
import { useManualKyc } from '../../../support/manual-kyc'
import { testServer } from '../../../support/server'
import { createCompletedUser, findChecks, startCheck } from './fixtures'

const server = testServer()
useManualKyc(server)

async function createCheck() {
  const user = await createCompletedUser(server)
  await startCheck(user)
  const [check] = await findChecks(server, user)
  return { user, webhook: JSON.stringify({ data: { id: check!.provider_request_id } }) }
}

/** A receiver whose provider gives a result for each reading when the test says so. */
function createReceiver() {
  const readings: PromiseWithResolvers<KycResult>[] = []
  const status = () => {
    const reading = Promise.withResolvers<KycResult>()
    readings.push(reading)
    return reading.promise
  }
  const kyc = { ...server.deps.kyc, status }
  return { readings, receive: createKycReceiver({ ...server.deps, kyc }) }
}

const untilBegun = (readings: unknown[], count: number) =>
  waitUntil(() => readings.length === count, `${count} readings`)

test('webhooks that come while a check is read share one further reading, which sees what came after', async () => {
  const { user, webhook } = await createCheck()
  const { readings, receive } = createReceiver()
  const first = receive(webhook)
  await untilBegun(readings, 1)

  const others = Array.from({ length: 20 }, () => receive(webhook))
  readings[0]!.resolve({ status: 'KYC_REQUESTED' })
  await first
  await untilBegun(readings, 2)
  const last = receive(webhook)
  readings[1]!.resolve({ status: 'KYC_REQUESTED' })
  await Promise.all(others)
  await untilBegun(readings, 3)
  readings[2]!.resolve({ status: 'ERROR', errorCode: 'late' })
  await last

  expect(readings).toHaveLength(3)
  expect(await findChecks(server, user)).toMatchObject([{ status: 'ERROR', error_code: 'late' }])
})

test('a reading that fails is repeated for the next webhook', async () => {
  const { webhook } = await createCheck()
  const { readings, receive } = createReceiver()
  const failed = receive(webhook)
  await untilBegun(readings, 1)
  readings[0]!.reject(refuse('provider_unreachable', { provider: 'eKYC' }))
  await expect(failed).rejects.toMatchObject({ status: 503, reason: 'provider_unreachable' })

  const next = receive(webhook)
  await untilBegun(readings, 2)
  readings[1]!.resolve({ status: 'KYC_REQUESTED' })

  expect(await next).toEqual({ message: 'Received' })
})
