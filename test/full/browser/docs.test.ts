import { afterAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { guides } from '../../../server/docs/guides'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { closeBrowser, hasChromium, suiteTitle, visit } from './chromium'

const OPS_TOKEN = 'a token for those who run it'
const server = testServer({ env: { NODE_ENV: 'development', OPS_TOKEN } })
afterAll(closeBrowser)

const screens: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['390 px wide', { viewport: { width: 390, height: 844 } }],
]
const searches: [words: string, path: string][] = [
  ['timeline entries', '/agreements/{id}/timeline'],
  ['property', '/properties'],
  ['lease', '/agreements'],
]
const noProblems = { problems: [], foreignRequests: [] }
const TIMEOUT_MS = 60_000

const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark-mode'))
const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

async function openReference(page: Page) {
  await page.goto('/docs')
  await page.waitForSelector('.opblock')
}

async function signIn(page: Page) {
  await page.click('text="Sign in against the sandbox"')
  await page.waitForSelector('#session:text("Signed in as")', { timeout: TIMEOUT_MS })
}

/** Opens an operation, sends its example and returns the status of the answer. */
async function tryExample(page: Page, id: string) {
  const operation = page.locator(`.opblock[id$="-${id}"]`)
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.execute').click()
  const status = operation.locator('.live-responses-table .response-col_status').last()
  await status.waitFor({ timeout: TIMEOUT_MS })
  return (await status.innerText()).trim().slice(0, 3)
}

describe.skipIf(!hasChromium)(`the documentation ${suiteTitle}`, () => {
  test.each(screens)(
    'shows every page without problems or foreign requests: %s',
    async (name, options) => {
      const result = await visit(
        server.url,
        async page => {
          await openReference(page)
          expect([await isDark(page), await scrollsSideways(page)]).toEqual([name === 'dark', false])
          for (const { slug, title } of guides) {
            await page.goto(`/docs/${slug}`)
            expect([await page.textContent('h1'), await scrollsSideways(page)]).toEqual([title, false])
          }
        },
        options,
      )
      expect(result).toEqual(noProblems)
    },
    TIMEOUT_MS,
  )

  test(
    'one click signs in against the sandbox, and then a call succeeds',
    async () => {
      const result = await visit(server.url, async page => {
        await openReference(page)
        await signIn(page)
        expect(await tryExample(page, 'getCurrentUser')).toBe('200')
      })
      expect(result).toEqual(noProblems)
    },
    2 * TIMEOUT_MS,
  )
})

describe.skipIf(!hasChromium)(`what is not for users ${suiteTitle}`, () => {
  test(
    'the calls of operators and the webhooks of providers are there, and OPS_TOKEN opens the calls',
    async () => {
      await visit(server.url, async page => {
        await openReference(page)
        for (const id of ['inviteLandlord', 'getMetrics', 'receiveEsignWebhook'])
          expect([id, await page.locator(`.opblock[id$="-${id}"]`).count()]).toEqual([id, 1])
        await page.click('.btn.authorize')
        const scheme = page.locator('.auth-container', { hasText: 'operator' })
        expect(await scheme.textContent()).toContain('the value of the server’s setting OPS_TOKEN')
        await scheme.locator('input').fill(OPS_TOKEN)
        await scheme.locator('button[type="submit"]').click()
        await page.click('.btn-done')
        expect(await tryExample(page, 'getJobsReport')).toBe('200')
        expect(await tryExample(page, 'inviteLandlord')).toBe('201')
      })
    },
    TIMEOUT_MS,
  )
})

describe.skipIf(!hasChromium)(`what the reader chooses ${suiteTitle}`, () => {
  test(
    'the filter finds calls by words of their summary, id or path, or by their stem',
    async () => {
      await visit(server.url, async page => {
        await openReference(page)
        const calls = page.locator('.opblock-tag-section .opblock')
        const all = await calls.count()
        expect(all).toBeGreaterThan(40)
        for (const [words, path] of searches) {
          await page.fill('#filter', words)
          await page.waitForSelector(`.opblock-tag-section .opblock-summary-path[data-path="${path}"]`)
          await waitUntil(async () => (await calls.count()) < all, 'fewer calls')
          await page.fill('#filter', '')
          await waitUntil(async () => (await calls.count()) === all, 'all calls')
        }
      })
    },
    TIMEOUT_MS,
  )
})

describe.skipIf(!hasChromium)(`colours and guides ${suiteTitle}`, () => {
  test('the button of the colours says what it does, the choice stays, and a guide has buttons that copy', async () => {
    await visit(server.url, async page => {
      await openReference(page)
      expect(await page.textContent('#theme')).toBe('Use dark colours')
      await page.click('#theme')
      expect([await page.textContent('#theme'), await isDark(page)]).toEqual(['Use light colours', true])
      await page.goto('/docs/errors')
      expect(await isDark(page)).toBe(true)
      expect(await page.locator('article .code .copy').count()).toBe(
        await page.locator('article pre').count(),
      )
    })
  })

  test(
    'Variant A shows its own form of the calls',
    async () => {
      await visit(server.url, async page => {
        await openReference(page)
        await page.selectOption('#variant', { label: 'Variant A: camelCase' })
        await page.waitForFunction(() => !document.querySelector('.opblock[id$="-sendOtp"]'))
        expect(await tryExample(page, 'requestOtp')).toBe('200')
      })
    },
    TIMEOUT_MS,
  )
})
