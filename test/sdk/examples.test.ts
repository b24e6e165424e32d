import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { addImports, compilePrograms } from './compile'
import { calls } from './calls'

const sdk = join(import.meta.dir, '../../sdk')
const DOC_COMMENT =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export )?(?:async )?(?:const |function |readonly )?(\w+)/g

type Documented = { file: string; name: string; text: string; example: string | undefined }

/** `rent-revisions.ts` has the methods of `rentRevisions`. */
const toNamespace = (file: string) =>
  file.replace('.ts', '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Every doc comment of the SDK with the name that it documents. */
async function readDocComments(): Promise<Documented[]> {
  const documented: Documented[] = []
  for (const file of new Glob('*.ts').scanSync(sdk)) {
    const source = await Bun.file(join(sdk, file)).text()
    for (const [, comment, name] of source.matchAll(DOC_COMMENT)) {
      const text = comment!.replace(/^ *\* ?/gm, '').trim()
      documented.push({
        file: toNamespace(file),
        name: name!,
        text,
        example: text.split('@example\n')[1],
      })
    }
  }
  return documented
}

const comments = await readDocComments()

describe('every method', () => {
  test.each(Object.keys(calls))('%s has a doc comment and an example that calls it', name => {
    const [file, method] = name.split('.') as [string, string]
    const comment = comments.find(found => found.file === file && found.name === method)
    expect(comment?.text).toMatch(/^[A-Z][^@]*\./)
    expect(comment?.example).toContain(method)
  })

  const factories = [
    'createClient',
    'createOperationsClient',
    'createSandboxClient',
    'signWebhook',
    'verifyWebhook',
  ]
  test.each([...factories, 'getNextStep', 'withResponse', 'toArray'])('%s has an example', name => {
    expect(comments.find(found => found.name === name)?.example).toContain(`${name}(`)
  })
})

test('the examples of the doc comments compile', async () => {
  const examples = comments.filter(({ example }) => example)
  const programs = examples.map(({ file, name, example }) => [`${file}-${name}`, addImports(example!)])
  expect(programs.length).toBeGreaterThan(Object.keys(calls).length)
  expect(await compilePrograms(Object.fromEntries(programs))).toBe('')
})

test('an example that is wrong does not compile', async () => {
  const complaints = await compilePrograms({
    wrong: "await kiraya.agreements.update(7, { rent_amount: '26000' })",
  })
  expect(complaints).toContain("Type 'string' is not assignable to type 'number'")
})

describe('README.md', () => {
  /** What the reader's application has around the snippets. */
  const APPLICATION = `
    import type { Kiraya, User, NewProperty, FieldViolation } from '@kiraya/sdk'
    declare global {
      const kiraya: Kiraya
      const user: User
      const [phone, otp]: [string, string]
      const form: NewProperty
      const app: { handle: (request: Request) => Promise<Response> }
      const showFieldErrors: (violations: FieldViolation[]) => void
      const showWait: (seconds: number | undefined) => void
      const report: (code: string, requestId: string | undefined) => void
      const log: (event: object) => void
    }
  `
  test('its snippets compile', async () => {
    const readme = await Bun.file(join(sdk, 'README.md')).text()
    const snippets = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, snippet]) => snippet!)
    expect(snippets.length).toBeGreaterThan(5)
    const programs = Object.fromEntries(snippets.map((snippet, index) => [`snippet-${index + 1}`, snippet]))
    expect(await compilePrograms(programs, APPLICATION)).toBe('')
  })

  test('its table lists every method', async () => {
    const readme = await Bun.file(join(sdk, 'README.md')).text()
    for (const name of Object.keys(calls)) {
      const [noun, method] = name.split('.')
      if (noun === 'operations' || noun === 'sandbox') continue
      expect(readme).toMatch(new RegExp(`^\\| \`${noun}\` .*\`${method}\``, 'm'))
    }
  })
})
