import { afterAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../support/users'
import { server } from '../support/server'
import { createRequest, control, credentials, signatureOf, started } from '../server/sandbox/provider'
import { close, isThere, obstacles, title, visit } from './chromium'

const TOKEN = 'the token of the sandbox'
const it = server({ env: { SANDBOX_EKYC: 'manual' } })
const guarded = server({ env: { SANDBOX_TOKEN: TOKEN } })
afterAll(close)
const nothing = { complaints: [], elsewhere: [] }
const fine = async (work: (page: Page) => Promise<void>, options?: BrowserContextOptions) =>
  expect(await visit(it.url, work, options)).toEqual(nothing)

/** Goes on by the Tab key until the focus is on what says so; it can be seen there. */
async function tabTo(page: Page, text: string) {
  for (let tabs = 0; tabs < 60; tabs++) {
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
  throw new Error(`The Tab key does not lead to ${text}`)
}
const asksForKyc = async () => {
  const person = await signInUser(it.url)
  await person.call('PUT', '/profile/complete', {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha@example.com',
  })
  const {
    body: { data },
  } = await person.call('POST', '/profile/ekyc', {})
  return { person, address: data.verification_url as string }
}

describe.skipIf(!isThere)(title, () => {
  test('a tenant signs by the keyboard alone', async () => {
    const was = await started(it)
    await fine(async page => {
      await page.goto(was.address)
      expect(await page.textContent('h1')).toBe('Sign your rental agreement')
      expect(await page.getAttribute('a:text("Read the document")', 'href')).toBe(
        'https://example.com/lease.pdf',
      )
      expect(await page.textContent('time')).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d{1,2}:\d\d [ap]m IST$/)
      await tabTo(page, 'Sign')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:text("You have signed")')
    })
    expect((await signatureOf(was)).status).toBe('signed')
    await fine(async page => {
      await page.goto(was.address)
      expect(await page.locator('button').count()).toBe(0)
      expect(await page.textContent('[role=status]')).toContain('You have signed already')
    })
  })

  test('one declines, another has a wrong one-time password and signs then', async () => {
    const declined = await started(it)
    const retried = await started(it)
    await fine(async page => {
      await page.goto(declined.address)
      await page.click('text="Decline"')
      await page.waitForSelector('h1:text("You have declined to sign")')
      await page.goto(retried.address)
      await page.click('text="Fail OTP"')
      await page.click('text="Back to the document"')
      expect(await page.textContent('[role=alert]')).toContain('You can try again')
      await page.click('text="Sign"')
      await page.waitForSelector('h1:text("You have signed")')
    })
    expect([(await signatureOf(declined)).status, (await signatureOf(retried)).status]).toEqual([
      'declined',
      'signed',
    ])
  })

  test('somebody approves the identity check, and is verified', async () => {
    const { person, address } = await asksForKyc()
    await fine(async page => {
      await page.goto(address)
      await tabTo(page, 'Approve')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:text("Your identity is verified")')
      await page.click('text="Continue to Kiraya"')
      expect(await page.textContent('h1')).toBe('Thank you')
    })
    expect((await person.call('GET', '/auth/me')).body.data.user.has_verified_profile).toBe(true)
  })

  test('the inbox shows the one-time password of a phone, and only that', async () => {
    const [phone, other] = [freshPhone(), freshPhone()]
    for (const phone_number of [phone, other])
      await sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number } })
    await fine(async page => {
      await page.goto('/sandbox')
      await page.click('nav >> text="Inbox"')
      await page.fill('label:text("Phone number") + input', phone)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`h2:text("Messages to ${phone}")`)
      expect(await page.textContent('main')).toContain('123456 is your Kiraya verification code.')
      expect(await page.textContent('main')).not.toContain(other)
      await page.click('text="Show all"')
      expect(await page.textContent('main')).toContain(other)
    })
  })

  test('QA lets the next webhook never come, sees it in the list, and sees what it does', async () => {
    const was = await started(it)
    await fine(async page => {
      await page.goto('/sandbox/faults')
      await page.selectOption('label:text("What happens") + select', { label: 'webhook never comes' })
      await page.fill('label:text("Only for") + input', was.tenant.phone)
      await page.click('text="Add"')
      await page.waitForSelector('[role=status]:text("Added")')
      expect(await page.textContent('main')).toContain(`only ${was.tenant.phone}`)
      await page.goto(was.address)
      await page.goto(was.address)
    })
    expect((await control(it, 'GET')).body.data.faults).toEqual([])
    expect(
      (await was.owner.call('GET', `/agreements/${was.agreement.id}/timeline`)).body.data.events.map(
        ({ type }: { type: string }) => type,
      ),
    ).not.toContain('viewed')
  })

  test('a preset is one press, and is taken back by one; the clock goes on', async () => {
    await fine(async page => {
      await page.goto('/sandbox/faults')
      await tabTo(page, 'The next webhook of e-signing: Twice')
      await page.keyboard.press('Enter')
      await page.waitForSelector('text="E-signing: webhook comes twice"')
      await page.click('[aria-label="Remove: E-signing: webhook comes twice"]')
      await page.waitForSelector('text="All go well."')
      await page.click('text="1 hour on"')
      await page.waitForSelector('text=/moved by 1 h/')
      await page.click('text="Reset"')
      await page.waitForSelector('text=/as the server/')
    })
  })

  test('what cannot be is said above the form, which keeps what was typed', async () => {
    expect(
      await visit(it.url, async page => {
        await page.goto('/sandbox/faults')
        await page.selectOption('#behaviour', 'late')
        await page.selectOption('#on', 'pdf')
        await page.fill('#match', 'mine')
        await page.click('text="Add"')
        expect(await page.textContent('[role=alert]')).toContain(
          'on must be, for late at esign, one of any, webhook',
        )
        expect([
          await page.inputValue('#behaviour'),
          await page.inputValue('#on'),
          await page.inputValue('#match'),
        ]).toEqual(['late', 'pdf', 'mine'])
      }),
    ).toEqual({ complaints: [expect.stringContaining('400')], elsewhere: [] })
  })

  test('with SANDBOX_TOKEN the browser’s own sign-in opens it', async () => {
    expect(
      await visit(
        guarded.url,
        async page => {
          await page.goto('/sandbox')
          await page.click('nav >> text="Control"')
          await page.click('[aria-label="The next signature: Succeed"]')
          await page.waitForSelector('[role=status]:text("Added")')
        },
        { httpCredentials: { username: 'qa', password: TOKEN } },
      ),
    ).toEqual(nothing)
  })

  const views: Record<string, BrowserContextOptions> = {
    'on a desk': { viewport: { width: 1280, height: 800 } },
    'on a phone, dark': {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      isMobile: true,
      hasTouch: true,
    },
    'on the smallest phone': { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true },
    'with large text, dark': {
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
      colorScheme: 'dark',
    },
  }
  for (const [view, options] of Object.entries(views)) {
    test(`no page stands in anybody's way ${view}`, async () => {
      const owner = await createLandlord(it.url)
      const was = await started(it)
      const { address: check } = await asksForKyc()
      const signed = await started(it)
      const long = `${'W'.repeat(200)} ज्ञानेश्वर`
      const {
        body: { id },
      } = await createRequest(it, freshPhone(), long, long)
      await fetch(`${signed.address}/decline`, { method: 'POST' })
      const messages = `${it.url}/sandbox/whatsapp/x/messages`
      await sendRequest(messages, 'POST', '', {
        headers: credentials(it),
        body: {
          to: `91${owner.phone}`,
          template: {
            name: 'kiraya_sign_reminder',
            components: [{ type: 'body', parameters: [{ text: long }, { text: was.address }] }],
          },
        },
      })
      await control(it, 'POST', '/faults', {
        provider: 'esign',
        behaviour: 'error',
        times: 3,
        status: 503,
        retry_after_s: 5,
        match: `${crypto.randomUUID()}${long}`,
      })
      const found: Record<string, string[]> = {}
      const { complaints, elsewhere } = await visit(
        it.url,
        async page => {
          for (const path of [
            was.address,
            signed.address,
            `/sandbox/sign/${id}`,
            check,
            '/sandbox',
            '/sandbox/faults',
            '/sandbox/inbox',
            `/sandbox/inbox?phone=${owner.phone}`,
            '/signed',
            '/verified',
          ]) {
            const answer = await page.goto(path)
            expect([path, answer?.status()]).toEqual([path, 200])
            found[path] = await obstacles(page)
          }
        },
        options,
      )
      expect(Object.fromEntries(Object.entries(found).filter(([, those]) => those.length))).toEqual({})
      expect({ complaints, elsewhere }).toEqual(nothing)
    })
  }
})
