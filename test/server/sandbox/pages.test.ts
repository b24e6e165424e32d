import { expect, test } from 'bun:test'
import { useManualKyc } from '../../support/manual-kyc'
import { clock, testServer } from '../../support/server'
import { asha, callProvider, createNativeRequest, createRequest, postCheck, tara } from './provider'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
useManualKyc(server)

/** What a page says, as text. */
async function read(path: string, method = 'GET') {
  const response = await fetch(server.url + path, { method })
  const [main = ''] = /<main[^]*<\/main>/.exec(await response.text()) ?? []
  const text = main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return `${response.status} ${text.replaceAll(' (you)', ', you,').trim()}`
}

async function sendMessage(to: string, ...texts: string[]) {
  time.advance(1000)
  const parameters = texts.map(text => ({ type: 'text', text }))
  const template = { name: 'kiraya_note', components: [{ type: 'body', parameters }] }
  await callProvider(server, 'POST', '/whatsapp/1/messages', { to: `91${to}`, template })
}

async function createCheck(): Promise<string> {
  const { body } = await postCheck(server)
  return `/sandbox/verify/${body.id}`
}

test('the page of the sandbox leads to what a person can act on, and has the messages', async () => {
  const create = async (displayName: string) => {
    time.advance(1000)
    const { id } = await createRequest(server, { signer: { ...asha, displayName } })
    return `/sandbox/sign/${id}`
  }
  const [waits, signed] = [await create('Waits'), await create('Signs')]
  await read(`${signed}/sign`, 'POST')
  const check = await createCheck()
  for (const { identifier, displayName } of [asha, tara]) await sendMessage(identifier, `to ${displayName}`)

  const page = await read('/sandbox')
  expect(page).toMatch(/Waits \*{6}3210 open until .*Kiraya note: to Tara Iyer .*Kiraya note: to Asha Rao/)
  expect(page).not.toContain('Signs ')
  const links = await (await fetch(`${server.url}/sandbox`)).text()
  for (const path of [waits, check]) expect(links).toContain(`href="${server.url}${path}"`)
})

test('a request with two signers says to each how it stands', async () => {
  const { signers } = await createNativeRequest(server)
  const [first, second] = signers.map(({ id }: { id: string }) => `/sandbox/sign/${id}`)
  expect(await read(first)).toMatch(/Asha Rao, Kiraya asks .*Asha Rao, you, Opened Tara Iyer Waiting/)
  expect(await read(`${first}/decline`, 'POST')).toMatch(/You have declined .*Asha Rao, you, Declined/)
  expect(await read(`${second}/sign`, 'POST')).toMatch(/Asha Rao Declined Tara Iyer, you, \*{6}6789 Signed/)
})

test('an identity check has a page with and after its outcome', async () => {
  const [approved, failed] = [await createCheck(), await createCheck()]
  expect(await read(approved)).toMatch(/Share your identity .*only its last four digits/)
  expect(await read(`${approved}/approve`, 'POST')).toMatch(/^200 Your identity is verified .*Continue/)
  expect(await read(`${approved}/fail`, 'POST')).toStartWith('400 This identity check is finished')
  expect(await read(`${failed}/fail`, 'POST')).toStartWith('200 The identity check failed')
})
