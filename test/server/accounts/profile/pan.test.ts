import { describe, expect, test } from 'bun:test'
import { createLog } from '../../../../server/observability/log'
import { decryptText } from '../../../../server/domain/encryption'
import { toPanPlace } from '../../../../server/domain/pan'
import { testServer } from '../../../support/server'
import { sendRequest, signInUser, type TestUser } from '../../../support/users'
import { broken, brokenInA } from '../../http/forms'
import { dump } from '../../privacy/dump'
import { getUser, signInWithVariantA, toResult } from './fixtures'

const lines: string[] = []
const log = createLog('trace', false, { write: line => void lines.push(line) })
const server = testServer({ overrides: { log } })
const inB = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const inA = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }
const complete = (user: TestUser, body: unknown) => user.call('PUT', '/profile/complete', body)
const getPan = async (user: TestUser) => (await user.get('/auth/me')).data.user.pan

async function readStoredPan({ id }: TestUser) {
  const { pan, user_id } = await getUser(server, { id })
  return pan && decryptText(server.deps.config.acceptedSecrets.CREDENTIALS_KEY, pan, toPanPlace(user_id))
}

test('200: Variant B sets a PAN, and sees its last four characters', async () => {
  const user = await signInUser(server)
  expect((await complete(user, { ...inB, pan: 'ABCPE1234F' })).data.user.pan).toBe('••••••234F')
  expect(await getPan(user)).toBe('••••••234F')
  expect(await readStoredPan(user)).toBe('ABCPE1234F')
})

test('200: so does Variant A', async () => {
  const user = await signInWithVariantA(server)
  expect((await complete(user, { ...inA, pan: 'ABCPE1234F' })).body.user.pan).toBe('••••••234F')
  expect((await user.get('/auth/me')).body.user.pan).toBe('••••••234F')
})

test('200: it stays unless it is given, another replaces it, and null removes it', async () => {
  const user = await signInUser(server)
  await complete(user, { ...inB, pan: 'ABCPE1234F' })
  expect((await complete(user, inB)).data.user.pan).toBe('••••••234F')
  expect((await complete(user, { ...inB, pan: 'ABCCE9876K' })).data.user.pan).toBe('••••••876K')
  expect((await complete(user, { ...inB, pan: null })).data.user).not.toHaveProperty('pan')
  expect(await getUser(server, user)).toMatchObject({ pan: null, pan_last_four: null })
  expect((await user.get('/auth/me')).data.user).not.toHaveProperty('pan')
})

test.each(['abchf1234z', 'ABCDE1234F', 'abcxe1234f'])(
  '200: %s is stored in upper case, whatever its fourth letter',
  async pan => {
    const user = await signInUser(server)
    const masked = `••••••${pan.slice(-4).toUpperCase()}`
    expect((await complete(user, { ...inB, pan })).data.user.pan).toBe(masked)
    expect(await readStoredPan(user)).toBe(pan.toUpperCase())
  },
)

test('400: what is no PAN is refused in both variants, and nothing is stored', async () => {
  const user = await signInUser(server)
  for (const pan of ['AB1PE1234F', '••••••234F']) {
    expect(toResult(await complete(user, { ...inB, pan }))).toEqual([400, broken('pan')])
    expect(toResult(await complete(user, { ...inA, pan }))).toEqual([400, brokenInA('pan')])
  }
  expect(await getUser(server, user)).toMatchObject({ first_name: null, pan: null, pan_last_four: null })
})

describe('a PAN is nowhere else', () => {
  test('neither in the database nor in the log, which names the field alone', async () => {
    const user = await signInUser(server)
    lines.length = 0
    await complete(user, { ...inB, pan: 'QWEPZ5678M' })
    await complete(user, { ...inB, pan: 'QWEPZ5678M' })
    await complete(user, { ...inB, pan: 'QWEPZ5678' })
    expect(lines.join()).toContain('"fields":["first_name","last_name","email","pan"]')
    expect(lines.filter(line => /QWEPZ|5678/i.test(line))).toEqual([])
    expect((await dump(server.em())).where('QWEPZ5678')).toEqual([])
  })

  test('the export has it masked, and a sign-in and the dashboard leave it out', async () => {
    const user = await signInUser(server)
    await complete(user, { ...inB, pan: 'QWEPZ5678M' })
    const exported = (await user.get('/auth/me/export')).data
    expect(exported.tables.users[0].pan_last_four).toBe('678M')
    expect(JSON.stringify(exported)).not.toContain('QWEPZ')
    const again = { phone_number: user.phone, otp: '123456' }
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
    const signedIn = await sendRequest(server, 'POST', '/auth/verify', { body: again })
    expect(signedIn.status).toBe(200)
    expect(signedIn.data.user).not.toHaveProperty('pan')
  })
})
