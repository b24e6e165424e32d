import { afterAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { createRequest, getCredentials, startSigning, type TestServer } from '../../server/sandbox/provider'
import { useManualKyc } from '../../support/manual-kyc'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { findBarriers } from './accessibility'
import { closeBrowser, hasChromium, suiteTitle, visit } from './chromium'

const server = testServer()
useManualKyc(server)
afterAll(closeBrowser)

const LONG_TEXT = `${'W'.repeat(200)} ज्ञानेश्वर`

/** Creates open and closed items with long texts, and returns the pages that show them. */
async function createPages(on: TestServer) {
  const open = await startSigning(on)
  const declined = await startSigning(on)
  await fetch(`${declined.address}/decline`, { method: 'POST' })
  const { id: longId } = await createRequest(on, {
    documentId: LONG_TEXT,
    signer: { identifier: freshPhone(), displayName: LONG_TEXT },
  })
  const { phone } = open.owner
  await sendReminder(on, phone, open.address)
  return [
    open.address,
    declined.address,
    `/sandbox/sign/${longId}`,
    await startCheck(on),
    '/sandbox',
    '/',
    '/signed',
    '/verified',
  ]
}

const sendReminder = (on: TestServer, phone: string, address: string) =>
  sendRequest(on.url, 'POST', '/sandbox/whatsapp/x/messages', {
    headers: getCredentials(on),
    body: {
      to: `91${phone}`,
      template: {
        name: 'kiraya_sign_reminder',
        components: [{ type: 'body', parameters: [{ text: LONG_TEXT }, { text: address }] }],
      },
    },
  })

async function startCheck(on: TestServer): Promise<string> {
  const user = await signInUser(on.url)
  await user.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
  const { body } = await user.call('POST', '/profile/ekyc', {})
  return body.data.verification_url
}

describe.skipIf(!hasChromium)(suiteTitle, () => {
  const views: [view: string, options: BrowserContextOptions][] = [
    ['on a desktop', { viewport: { width: 1280, height: 800 } }],
    [
      'on a phone, dark',
      { viewport: { width: 360, height: 740 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
    ],
    ['on the smallest phone', { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }],
    [
      'with large text, dark',
      { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: 'dark' },
    ],
  ]
  test.each(views)('no page has barriers %s', async (_, options) => {
    const paths = await createPages(server)
    const result = await visit(
      server.url,
      async page => {
        for (const path of paths) {
          const response = await page.goto(path)
          expect([path, response?.status(), await findBarriers(page)]).toEqual([path, 200, []])
        }
      },
      options,
    )
    expect(result).toEqual({ problems: [], foreignRequests: [] })
  })
})
