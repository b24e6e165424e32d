import { expect } from 'bun:test'
import { join } from 'node:path'
import type { TestServer } from '../provider'

// A transcript has pages as a browser gets them, one tag a line, without the style sheet; ids are numbered.
// RECORD=pages writes what the pages are now, for you to read what changed.

const isRecording = process.env.RECORD === 'pages'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const SHORT_ID = /(?<=Check )[0-9a-f]{8}/g
/** Headers that pages set themselves. */
const HEADERS = ['location', 'content-type', 'www-authenticate', 'content-security-policy']

type PageRequest = {
  form?: Record<string, string>
  headers?: Record<string, string>
  /** The heading of the card that the transcript has, after the notices; no card if it is empty. */
  card?: string
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
    visit: async (path: string, { form, headers, card, isHidden = false }: PageRequest = {}) => {
      const method = form ? 'POST' : 'GET'
      const body = form && new URLSearchParams(form)
      const response = await fetch(url + path, { method, headers, body, redirect: 'manual' })
      const text = await response.text()
      if (isHidden) return
      const request = [method, path, form && new URLSearchParams(form)].filter(part => String(part ?? ''))
      const known = HEADERS.filter(header => response.headers.has(header))
      const lines = known.map(header => `${header}: ${response.headers.get(header)}`)
      const page = toLines(text)
      // The head is the same for all pages but for the title.
      const whole = told.length > 0 ? page.replace(/<!doctype[^]*(?=<title>)/, '') : page
      const shown = card === undefined ? [...lines, whole] : selectCard(page, card)
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

const toLines = (page: string) =>
  page
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?(<(?!\/)[^>]*>)/g, '\n$1')
    .replaceAll(/^ | (?=$)/gm, '')
    .replaceAll(/\n+/g, '\n')

function selectCard(page: string, heading: string) {
  const notices = page.match(/^<p class="notice.*$/gm) ?? []
  const card = page.split('<section class="card">').find(each => each.includes(`<h2>${heading}</h2>`))
  return card ? [...notices, card.split('</section>')[0]] : notices
}
