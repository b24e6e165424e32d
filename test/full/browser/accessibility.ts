import type { Page } from 'playwright-core'

/** Finds barriers for people who use a keyboard, a screen reader or a phone. */
export async function findBarriers(page: Page): Promise<string[]> {
  const structure = await page.evaluate(findStructureBarriers)
  const controls = await page.evaluate(findControlBarriers)
  const contrast = await page.evaluate(findContrastBarriers)
  return [...structure, ...controls, ...contrast]
}

// The functions below run in the browser: they can use nothing from this module.

function findStructureBarriers() {
  const barriers: string[] = []
  const headings = [...document.querySelectorAll('h1, h2, h3, h4')]
  const levels = headings.map(({ tagName }) => Number(tagName[1]))
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const pageWidth = document.documentElement.scrollWidth

  if (document.documentElement.lang !== 'en-IN') barriers.push('no language')
  if (!document.title) barriers.push('no title')
  if (levels.filter(level => level === 1).length !== 1 || levels[0] !== 1)
    barriers.push('not exactly one h1, at the top')
  if (levels.some((level, index) => index > 0 && level > levels[index - 1]! + 1))
    barriers.push(`headings skip a level: ${levels}`)
  if (document.querySelectorAll('main').length !== 1) barriers.push('not exactly one main')
  if (pageWidth > window.innerWidth) barriers.push(`scrolls sideways: ${pageWidth}`)
  if (document.querySelector('script, iframe, img, link:not([rel=icon]), [onclick]'))
    barriers.push('more than text and style')
  if (new Set(ids).size !== ids.length) barriers.push('a duplicate id')
  return barriers
}

function findControlBarriers() {
  const barriers: string[] = []
  for (const input of document.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), select'))
    if (!input.labels?.length) barriers.push(`no label: ${input.name}`)
  for (const control of document.querySelectorAll('button, input:not([type=hidden]), select'))
    if (control.getBoundingClientRect().height < 24) barriers.push(`too small: ${control.outerHTML}`)
  return barriers
}

/** Text needs a contrast of 4.5 (WCAG AA). */
function findContrastBarriers() {
  const parseColor = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)

  const toLinear = (channel: number) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }

  const getLuminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = parseColor(color).slice(0, 3).map(toLinear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  const getBackground = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    const isTransparent = parseColor(backgroundColor)[3] === 0
    return isTransparent ? getBackground(element.parentElement) : backgroundColor
  }

  const hasText = (element: Element) =>
    [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())

  const barriers: string[] = []
  for (const element of document.querySelectorAll('body *')) {
    if (!hasText(element)) continue
    const text = getLuminance(getComputedStyle(element).color)
    const background = getLuminance(getBackground(element))
    const contrast = (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05)
    if (contrast < 4.5) barriers.push(`contrast ${contrast.toFixed(2)}: ${element.outerHTML.slice(0, 100)}`)
  }
  return barriers
}
