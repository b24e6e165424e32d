import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/** The system's Chromium, or the one that CHROMIUM names. */
const executablePath =
  process.env.CHROMIUM ??
  Bun.which('chromium') ??
  Bun.which('chromium-browser') ??
  Bun.which('google-chrome') ??
  undefined

export const hasChromium = !!executablePath && existsSync(executablePath)
export const suiteTitle = hasChromium
  ? 'in Chromium'
  : 'in Chromium: skipped; install Chromium or name it in CHROMIUM'

let browser: Promise<Browser> | undefined

/** Chromium's own sandbox does not work as root; these pages are ours. */
function launchBrowser() {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  browser ??= chromium.launch({ executablePath, args })
  return browser
}

export async function closeBrowser() {
  const launched = await browser
  browser = undefined
  await launched?.close()
}

/** Uses a page with a fresh profile; returns its console problems and its requests to other hosts. */
export async function visit(
  url: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  const launched = await launchBrowser()
  const context = await launched.newContext({ baseURL: url, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  const foreignRequests: string[] = []
  const ownHost = new URL(url).host

  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', error => problems.push(error.message))
  page.on('request', request => {
    const isHttp = /^https?:/.test(request.url())
    if (isHttp && new URL(request.url()).host !== ownHost) foreignRequests.push(request.url())
  })

  try {
    await use(page)
  } finally {
    await context.close()
  }
  return { problems, foreignRequests }
}
