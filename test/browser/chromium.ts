import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/** The system's Chromium, or that of CHROMIUM. */
export const executablePath =
  process.env.CHROMIUM ??
  Bun.which('chromium') ??
  Bun.which('chromium-browser') ??
  Bun.which('google-chrome') ??
  undefined
export const isThere = !!executablePath && existsSync(executablePath)
export const title = isThere
  ? 'in Chromium'
  : 'in Chromium: none was found, so nothing was tried; install it, or name it in CHROMIUM'

let browser: Promise<Browser> | undefined
// As root Chromium has no sandbox of its own; these pages are ours.
const launch = () =>
  (browser ??= chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }))
export const close = async () => (await browser)?.close()

/** A page of a fresh profile; what it complained of and whom it asked but the server is returned when the work is done. */
export async function visit(
  url: string,
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  const context = await (await launch()).newContext({ baseURL: url, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  page.on(
    'console',
    message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
  )
  page.on('pageerror', error => complaints.push(error.message))
  page.on(
    'request',
    request =>
      /^https?:/.test(request.url()) &&
      new URL(request.url()).host !== new URL(url).host &&
      elsewhere.push(request.url()),
  )
  try {
    await work(page)
  } finally {
    await context.close()
  }
  return { complaints, elsewhere }
}

/** What stands in the way of people who read with a keyboard, a screen reader or on a phone. */
export const obstacles = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const headings = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))
    if (document.documentElement.lang !== 'en-IN') found.push('no language')
    if (!document.title) found.push('no title')
    if (headings.filter(level => level === 1).length !== 1 || headings[0] !== 1)
      found.push('not one first heading')
    if (headings.some((level, index) => index > 0 && level > headings[index - 1]! + 1))
      found.push(`headings skip a level: ${headings}`)
    if (document.querySelectorAll('main').length !== 1) found.push('not one main')
    if (document.documentElement.scrollWidth > window.innerWidth)
      found.push(`scrolls to the side: ${document.documentElement.scrollWidth}`)
    if (document.querySelector('script, iframe, img, link:not([rel=icon]), [onclick]'))
      found.push('more than text and style')
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    if (new Set(ids).size !== ids.length) found.push('an id twice')
    for (const input of document.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), select'))
      if (!input.labels?.length) found.push(`no label: ${input.name}`)
    for (const control of document.querySelectorAll('button, input:not([type=hidden]), select'))
      if (control.getBoundingClientRect().height < 24) found.push(`small: ${control.outerHTML}`)

    const numbers = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
    const light = (color: string) => {
      const [red, green, blue] = numbers(color)
        .slice(0, 3)
        .map(part =>
          part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
        ) as [number, number, number]
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const backgroundOf = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return numbers(backgroundColor)[3] === 0 ? backgroundOf(element.parentElement) : backgroundColor
    }
    for (const element of document.querySelectorAll('body *')) {
      if (![...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()))
        continue
      const [one, other] = [light(getComputedStyle(element).color), light(backgroundOf(element))]
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(2)}: ${element.outerHTML.slice(0, 100)}`)
    }
    return found
  })
