import rootReadme from '../../README.md' with { type: 'text' }
import sdkReadme from '../../sdk/README.md' with { type: 'text' }
import sandboxReadme from '../sandbox/README.md' with { type: 'text' }
import leasesReadme from '../leases/README.md' with { type: 'text' }
import booksReadme from '../books/README.md' with { type: 'text' }
import serverReadme from '../README.md' with { type: 'text' }

/** The server's address in the READMEs. */
const EXAMPLE_URL = 'http://localhost:3000'

type Section = [readme: string, heading: string]
type Guide = { slug: string; title: string; sections: Section[] }

/** The guides are sections of the folders' READMEs, so that each thing is said once. */
export const guides: Guide[] = [
  {
    slug: 'getting-started',
    title: 'Getting started',
    sections: [
      [rootReadme, 'Run and test'],
      [sdkReadme, 'Make the first requests'],
      [sdkReadme, 'Make the first call'],
      [sdkReadme, 'Sign in'],
    ],
  },
  {
    slug: 'signing',
    title: 'Signing',
    sections: [
      [sdkReadme, 'Create a property and sign an agreement'],
      [sandboxReadme, 'Act as a signer or as the person of an identity check'],
      [leasesReadme, 'Evidence'],
    ],
  },
  {
    slug: 'books',
    title: 'Keeping the books',
    sections: [
      [sdkReadme, 'Keep the books'],
      [booksReadme, 'When what is posted'],
      [booksReadme, 'Decisions of the books'],
    ],
  },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    sections: [
      [serverReadme, 'Webhooks of the providers'],
      [leasesReadme, 'How a signing never gets stuck'],
    ],
  },
  {
    slug: 'errors',
    title: 'Errors',
    sections: [
      [sdkReadme, 'Errors over HTTP'],
      [sdkReadme, 'Handle errors'],
    ],
  },
  {
    slug: 'idempotency',
    title: 'Idempotency',
    sections: [
      [sdkReadme, 'Repeat a request safely'],
      [sdkReadme, 'Retries'],
    ],
  },
  {
    slug: 'production',
    title: 'Going to production',
    sections: [
      [serverReadme, 'Production'],
      [serverReadme, 'Operations'],
    ],
  },
]

export const findGuide = (slug: string) => guides.find(guide => guide.slug === slug)

/** Renders the sections of a guide; links to other files of the project become text. */
export function renderGuide({ title, sections }: Guide, publicUrl = EXAMPLE_URL) {
  const markdown = sections
    .map(([readme, heading]) => getSection(readme, heading))
    .join('\n\n')
    .replace(`## ${title}\n`, '')
    .replaceAll(EXAMPLE_URL, publicUrl)
  return Bun.markdown
    .html(markdown)
    .replace(/<a href="(?!https?:)[^"]*">(.*?)<\/a>/g, '$1')
    .replaceAll('<table>', '<div class="table"><table>')
    .replaceAll('</table>', '</table></div>')
}

/** @throws The README does not have the heading. */
export function getSection(readme: string, heading: string) {
  const lines = readme.split('\n')
  const start = lines.findIndex(line => /^##+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) throw new Error(`No README has the section ${heading}`)
  const level = lines[start]!.indexOf(' ')
  const isNext = (line: string) => /^#+ /.test(line) && line.indexOf(' ') <= level
  const length = lines
    .slice(start + 1)
    .findIndex((line, index) => isNext(line) && !isInCode(lines, start, index))
  const section = lines.slice(start, length < 0 ? undefined : start + 1 + length)
  return ['##'.concat(section[0]!.replace(/^#+/, '')), ...section.slice(1)].join('\n')
}

/** A comment of a shell looks like a heading. */
function isInCode(lines: string[], start: number, index: number) {
  const fences = lines.slice(start, start + 1 + index).filter(line => line.startsWith('```'))
  return fences.length % 2 === 1
}
