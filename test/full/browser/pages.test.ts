import { afterAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { getSignature, startSigning } from '../../server/sandbox/provider'
import { useManualKyc } from '../../support/manual-kyc'
import { testServer } from '../../support/server'
import { signInUser } from '../../support/users'
import { closeBrowser, hasChromium, suiteTitle, visit } from './chromium'

const server = testServer()
useManualKyc(server)
afterAll(closeBrowser)

const noProblems = { problems: [], foreignRequests: [] }

async function visitWithoutProblems(use: (page: Page) => Promise<void>) {
  expect(await visit(server.url, use)).toEqual(noProblems)
}

const MAX_TABS = 60

/** Presses Tab until an element with this text or label has a visible focus. */
async function tabTo(page: Page, text: string) {
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement!
      return {
        text: element.textContent,
        label: element.getAttribute('aria-label'),
        outline: getComputedStyle(element).outlineStyle,
      }
    })
    if (focused.text !== text && focused.label !== text) continue
    expect(focused.outline).toBe('solid')
    return
  }
  throw new Error(`The Tab key does not reach ${text}`)
}

async function startCheck() {
  const user = await signInUser(server.url)
  const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
  await user.call('PUT', '/profile/complete', profile)
  const { body } = await user.call('POST', '/profile/ekyc', {})
  return { user, address: body.data.verification_url as string }
}

const describeInBrowser = (subject: string, define: () => void) =>
  describe.skipIf(!hasChromium)(`${subject} ${suiteTitle}`, define)

describeInBrowser('the signing page', () => {
  test('a tenant signs with the keyboard only; the page is then closed', async () => {
    const signing = await startSigning(server)
    await visitWithoutProblems(async page => {
      await page.goto(signing.address)
      expect(await page.textContent('h1')).toBe('Sign your rental agreement')
      expect(await page.getAttribute('a:text("Read the document")', 'href')).toBe(
        'https://example.com/lease.pdf',
      )
      expect(await page.textContent('time')).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d{1,2}:\d\d [ap]m IST$/)
      await tabTo(page, 'Sign')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:text("You have signed")')
    })
    expect((await getSignature(signing)).status).toBe('signed')

    await visitWithoutProblems(async page => {
      await page.goto(signing.address)
      expect(await page.locator('button').count()).toBe(0)
      expect(await page.textContent('[role=status]')).toContain('You have signed already')
    })
  })
})

describeInBrowser('the identity check', () => {
  test('a user approves the identity check with the keyboard and is verified', async () => {
    const { user, address } = await startCheck()
    await visitWithoutProblems(async page => {
      await page.goto(address)
      await tabTo(page, 'Approve')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:text("Your identity is verified")')
      await page.click('text="Continue to Kiraya"')
      expect(await page.textContent('h1')).toBe('Thank you')
    })
    const { body } = await user.call('GET', '/auth/me')
    expect(body.data.user.has_verified_profile).toBe(true)
  })
})
