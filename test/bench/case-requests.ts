import { createHmac, randomUUID } from 'node:crypto'
import { createOpenLeases, MAINTENANCE, RENT } from './fresh-books'
import {
  createDrafts,
  createLastSignatures,
  createUsersWithOtp,
  createUsersWithPassword,
  type SigningRequest,
} from './fresh-records'
import { getPhone, getTenantId } from './layout'
import { createRequest } from './load'
import type { World } from './world'

export type Write = { method: string; path: string; body: unknown }

const PASSWORD = 'the same password for every user'
/** So many different reads are enough; they are sent again and again. */
const MAX_DIFFERENT_READS = 1000

const createEach = (count: number, create: (index: number) => Buffer) =>
  Array.from({ length: count }, (_, index) => create(index))

const cycle = <T>(list: T[], index: number) => list[index % list.length]!

/** Each request comes from a network of its own, through the proxy that the servers trust. */
const fromOwnNetwork = (index: number) => ({
  'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
})

export const createReads =
  (toPath: (world: World, landlordId: number, index: number) => string) => (world: World, count: number) => {
    const different = createEach(Math.min(count, MAX_DIFFERENT_READS), index => {
      const reader = cycle(world.readers, index)
      const path = toPath(world, reader.id, Math.floor(index / world.readers.length))
      return createRequest('GET', path, { token: reader.token })
    })
    return createEach(count, index => cycle(different, index))
  }

export const createWrites =
  (toWrite: (world: World, writerId: number, index: number) => Write) => (world: World, count: number) =>
    createEach(count, index => {
      const writer = cycle(world.writers, index)
      const { method, path, body } = toWrite(world, writer.id, index)
      return createRequest(method, path, { token: writer.token, body })
    })

export const createOtpRequests = (path: string, phoneField: string) => (world: World, count: number) =>
  createEach(count, index => {
    const phone = getPhone(getTenantId(world.layout, index))
    return createRequest('POST', path, { body: { [phoneField]: phone }, headers: fromOwnNetwork(index) })
  })

export const createVerifications = (phoneField: string) => async (world: World, count: number) => {
  const phones = await createUsersWithOtp(world, count)
  const otp = world.secrets.SANDBOX_OTP
  return phones.map(phone => createRequest('POST', '/auth/verify', { body: { [phoneField]: phone, otp } }))
}

export async function createLogins(world: World, count: number) {
  const phones = await createUsersWithPassword(world, count, PASSWORD)
  return phones.map((phone_number, index) => {
    const body = { phone_number, password: PASSWORD }
    return createRequest('POST', '/auth/login', { body, headers: fromOwnNetwork(index) })
  })
}

export async function createSignings(world: World, count: number) {
  const drafts = await createDrafts(world, count)
  return drafts.map(({ id, writer }) => {
    const { token } = world.writers.find(each => each.id === writer)!
    return createRequest('POST', `/agreements/${id}/sign`, { token, body: { signer_id: writer } })
  })
}

/** Each payment settles the rent and the maintenance of a lease of its own, as the landlord says. */
export async function createPayments(world: World, count: number) {
  const leases = await createOpenLeases(world, count)
  return leases.map(({ id, landlord, charges }) => {
    const { token } = world.writers.find(writer => writer.id === landlord)!
    const body = {
      amount: RENT + MAINTENANCE,
      method: 'upi',
      reference: randomUUID(),
      allocations: charges,
    }
    return createRequest('POST', `/agreements/${id}/payments`, { token, body })
  })
}

export async function createWebhooks(world: World, count: number) {
  const requests = await createLastSignatures(world, count)
  return requests.map(request => createWebhook(request, world.secrets.ESIGN_WEBHOOK_SECRET))
}

function createWebhook({ id, document, phone }: SigningRequest, secret: string) {
  const signer = {
    id: randomUUID(),
    identifier: phone,
    displayName: phone,
    status: 'signed',
    url: 'https://example.com',
    errCode: null,
  }
  const esign = { id, documentId: document, status: 'sign_complete', signers: [signer] }
  const timeStamp = new Date().toISOString()
  const body = JSON.stringify({ event: 'ESIGN_COMPLETE', timeStamp, data: { esign } })
  const signature = createHmac('sha256', secret).update(body).digest('base64')
  return createRequest('POST', '/webhooks/esign', { body, headers: { 'x-setu-signature': signature } })
}
