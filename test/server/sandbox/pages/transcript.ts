import { expect } from 'bun:test'
import { join } from 'node:path'
import type { TestServer } from '../provider'

// A transcript has what pages say, a line for each heading, text, fact and button; ids are numbered. Whole pages have
// their heads and headers too, one tag a line. RECORD=pages writes what the pages are now, for you to read what changed.

const isRecording = process.env.RECORD === 'pages'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const SHORT_ID = /(?<=Check )[0-9a-f]{8}/g
/** Headers that pages set themselves. */
const HEADERS = ['location', 'content-type', 'www-authenticate', 'content-security-policy']

type PageRequest = {
  form?: Record<string, string>
  headers?: Record<string, string>
  isWhole?: boolean
  isHidden?: boolean
}

/** Visits pages of a server, and compares what they are with the transcript of that name. */
export function startTranscript({ url }: TestServer, name: string) {
  const told: string[] = []
  const ids = new Map<string, string>()
  const number = (id: string) => ids.get(id) ?? ids.set(id, `#${ids.size + 1}`).get(id)!
  const tell = (text: string) =>
    text
      .replaceAll(url, 'SERVER')
      .replaceAll(UUID, number)
      .replaceAll(SHORT_ID, start => number([...ids.keys()].find(id => id.startsWith(start)) ?? start))

  return {
    /** Adds a page to the transcript; with `form`, what posting it answers. */
    visit: async (path: string, { form, headers, isWhole = false, isHidden = false }: PageRequest = {}) => {
      const method = form ? 'POST' : 'GET'
      const body = form && new URLSearchParams(form)
      const response = await fetch(url + path, { method, headers, body, redirect: 'manual' })
      const text = await response.text()
      if (isHidden) return
      const request = [method, path, form && new URLSearchParams(form)].filter(part => String(part ?? ''))
      const known = HEADERS.filter(header => response.headers.has(header))
      const lines = known.map(header => `${header}: ${response.headers.get(header)}`)
      const shown = isWhole ? [...lines, toTags(text)] : toTexts(text)
      told.push(tell([`# ${request.join(' ')}`, response.status, ...shown].join('\n').trim()))
    },

    /** Compares the pages with the transcript, or writes it. */
    end: async () => {
      const file = join(import.meta.dir, `${name}.txt`)
      const text = `${told.join('\n\n')}\n`
      if (isRecording) await Bun.write(file, text)
      expect(text).toBe(await Bun.file(file).text())
    },
  }
}

const withoutStyle = (page: string) => page.replace(/<style>[^]*<\/style>/, '').replaceAll(/\s+/g, ' ')

const toTags = (page: string) =>
  withoutStyle(page)
    .replaceAll(/ ?(<(?!\/)[^>]*>)/g, '\n$1')
    .replaceAll(/^ | (?=$)/gm, '')
    .replaceAll(/\n+/g, '\n')

/** Tags that only group others, and attributes that only style. */
const WRAPPERS = /<\/?(?:main|div|section|ul|ol|dl|span|small|time|dd)\b[^>]*>/g
const STYLES = / (?:class|rel|id)="[^"]*"/g
/** What begins a line. */
const BLOCKS = / *(?=<(?:h\d|p|li|dt|form|object|label)\b)/g

function toTexts(page: string) {
  const [main = page] = /<main[^]*<\/main>/.exec(page) ?? []
  const [title = ''] = /<title>.*?<\/title>/.exec(page) ?? []
  const lines = withoutStyle(main).replaceAll(WRAPPERS, ' ').replaceAll(STYLES, '').replaceAll(BLOCKS, '\n')
  return [title, ...lines.split('\n')]
    .map(line =>
      line
        .replaceAll(/ +/g, ' ')
        .replaceAll(/ (?=<\/)|(?<=<li>) /g, '')
        .trim(),
    )
    .filter(Boolean)
}
