import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { methods } from '../../sdk/calls'
import { docComments, findDocComment, readSources } from '../../sdk/doc-comments'
import { addImports, compileProject, createSdkProject } from './compile'

const readme = await Bun.file(join(import.meta.dir, '../../../sdk/README.md')).text()
const snippets = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, snippet]) => snippet!)
const contractTypes = (await readSources('contract/*.ts')).flatMap(({ source }) =>
  [...source.matchAll(/^export type (\w+) = (?:Static<|keyof )/gm)].map(([, name]) => name!),
)
const examples = docComments.filter(({ example }) => example)

const toCheck = (name: string) => `
  import type { ${name} as Documented } from '@kiraya/sdk'
  import type { ${name} as Contract } from '@kiraya/sdk/contract'
  export const isSame: IsSame<Plain<Documented>, Plain<Contract>> = true
`
const toComparison = (documented: string) => `
  export const isSame: IsSame<Plain<${documented}>, Plain<{ id: number; name?: string }>> = true
`
/** What an editor shows as the type of a result is what a declaration says. */
const namedTypes: [call: string, type: string][] = [
  ["createClient({ baseUrl: '/' })", 'Kiraya'],
  ["createOperationsClient({ baseUrl: '/' })", 'OperationsClient'],
  ["createSandboxClient({ baseUrl: '/' })", 'SandboxClient'],
  ['await kiraya.properties.get(3)', 'PropertyWithUnits'],
  ['kiraya.agreements.get(7)', 'Call<Agreement>'],
  ['await kiraya.auth.verify(phone, otp)', 'SignInResponse'],
  ['await kiraya.agreements.list()', 'Page<Agreement>'],
  ['kiraya.agreements.list()', 'PagePromise<Agreement>'],
  ['await kiraya.tenants.create({ phone_number: phone })', 'NamedTenant'],
  ['await sandbox.state()', 'SandboxState'],
  ['await operations.jobs()', 'JobsReport'],
]
const toDeclarations = () => namedTypes.map(([call], index) => `export const v${index} = ${call}`).join('\n')
const programs: [name: string, program: string][] = [
  ...examples.map(({ file, name, example }) => [`example-${file}-${name}`, addImports(example!)] as const),
  ...snippets.map((snippet, index) => [`snippet-${index + 1}`, snippet] as const),
  ...contractTypes.map(name => [`type-${name}`, toCheck(name)] as const),
  ['named-types', addImports(toDeclarations())],
  ['wrong-example', "await kiraya.agreements.update(7, { rent_amount: '26000' })"],
  ['same', toComparison('{ id: number; name?: string }')],
  ['wrong-missing', toComparison('{ id: number }')],
  ['wrong-other', toComparison('{ id: string; name?: string }')],
  ['wrong-required', toComparison('{ id: number; name: string }')],
].map(([name, program]) => [name!, program!])

// All programs are compiled at once, since the compiler mostly reads libraries.
let project: Awaited<ReturnType<typeof createSdkProject>>
let complaints: string[] = []
let declarations = ''
beforeAll(async () => {
  project = await createSdkProject(Object.fromEntries(programs))
  const compiled = await compileProject(project.folder, 'named-types')
  declarations = compiled.declarations
  complaints = compiled.complaints.split('\n')
}, 120_000)
afterAll(() => project[Symbol.dispose]())
const findComplaints = (prefix: string) => complaints.filter(line => line.startsWith(prefix))

test('what is wrong does not compile: a call, or a field that is missing, of another type or optional', () => {
  const wrong = findComplaints('wrong-').map(line => line.split('.')[0]!)
  expect(wrong).toEqual(['wrong-example', 'wrong-missing', 'wrong-other', 'wrong-required'])
  expect(findComplaints('wrong-example')[0]).toContain("Type 'string' is not assignable to type 'number'")
  expect(findComplaints('same')).toEqual([])
})

test('the examples of the doc comments and the snippets of README.md compile', () => {
  expect([findComplaints('example-'), findComplaints('snippet-')]).toEqual([[], []])
  expect(examples.length).toBeGreaterThan(methods.length)
  expect(snippets.length).toBeGreaterThan(5)
})

test.each(namedTypes.map(([call, type], index) => [call, type, index] as const))(
  'an editor shows %s as %s',
  (_, type, index) => {
    expect(findComplaints('named-types')).toEqual([])
    expect(declarations.replaceAll(/import\("[^"]+"\)\./g, '')).toContain(`v${index}: ${type};`)
  },
)

test('the package prints every type of the contract, with the same fields', () => {
  expect(findComplaints('type-')).toEqual([])
  expect(contractTypes.length).toBeGreaterThan(50)
})

describe('documentation', () => {
  test.each(methods)('$name has a doc comment and an example, and a place in README.md', ({ name }) => {
    const [file, method] = name.split('.') as [string, string]
    const comment = findDocComment(name)
    expect(comment?.text).toMatch(/^[A-Z][^@]*\./)
    expect(comment?.example).toContain(method)
    if (file === 'operations' || file === 'sandbox') return
    expect(readme).toMatch(new RegExp(`^\\| \`${file}\` .*\`${method}\``, 'm'))
  })

  const factories = 'createClient createOperationsClient createSandboxClient signWebhook verifyWebhook'
  test.each([...factories.split(' '), 'getNextStep', 'getNextPage', 'withResponse', 'toArray'])(
    '%s has an example',
    name => {
      expect(docComments.find(found => found.name === name)?.example).toContain(`${name}(`)
    },
  )

  test('is there for every field of a type', async () => {
    const undocumented: string[] = []
    for (const { source } of await readSources('{options,call,client,webhooks}.ts'))
      for (const [, name, body] of source.matchAll(/^export interface (\w+)[^]*?\{\n([^]*?)^\}/gm)) {
        const lines = body!.split('\n')
        const fields = lines.flatMap((line, index) => (/^  (readonly )?\w+[?(:]/.test(line) ? [index] : []))
        for (const index of fields)
          if (!lines[index - 1]!.trim().endsWith('*/')) undocumented.push(`${name}: ${lines[index]}`)
      }
    expect(undocumented).toEqual([])
  })
})
