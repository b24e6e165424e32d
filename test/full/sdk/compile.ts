import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installOffline, packSdk, root } from '../packages/project'

/** What examples, the README's snippets and comparisons of types may use without declaring it. */
const GLOBALS = `
import type { FieldViolation, Kiraya, NewProperty, User } from '@kiraya/sdk'
import type { OperationsClient } from '@kiraya/sdk/operations'
import type { SandboxClient } from '@kiraya/sdk/sandbox'
declare global {
  const kiraya: Kiraya
  const operations: OperationsClient
  const sandbox: SandboxClient
  const user: User
  const [phone, otp]: [string, string]
  const form: NewProperty
  const picture: File
  const app: { handle: (request: Request) => Promise<Response> }
  const showFieldErrors: (violations: FieldViolation[]) => void
  const showWait: (seconds: number | undefined) => void
  const report: (code: string, requestId: string | undefined) => void
  const log: (event: object) => void
  type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
  /** The same type without names, as one object each. An optional field may also be undefined. */
  type Plain<T> = T extends object ? { [K in keyof T]: Plain<Exclude<T[K], undefined>> } : T
}
`
const LIBRARIES = {
  createClient: '@kiraya/sdk',
  getNextPage: '@kiraya/sdk',
  getNextStep: '@kiraya/sdk',
  toPhone: '@kiraya/sdk',
  toDigits: '@kiraya/sdk/phone',
  createOperationsClient: '@kiraya/sdk/operations',
  createSandboxClient: '@kiraya/sdk/sandbox',
  signWebhook: '@kiraya/sdk/webhooks',
  verifyWebhook: '@kiraya/sdk/webhooks',
  WEBHOOK_SIGNATURE_HEADER: '@kiraya/sdk/webhooks',
}

/** Imports what an example of a doc comment uses. */
export const addImports = (example: string) =>
  Object.entries(LIBRARIES)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(example))
    .map(([name, library]) => `import { ${name} } from '${library}'\n`)
    .join('') + example

/**
 * Creates a project with programs, each a module of its own, that uses the SDK as it is published. It lies within the
 * workspace, so that what the SDK depends on is found.
 */
export async function createSdkProject(programs: Record<string, string>) {
  mkdirSync(join(root, '.data'), { recursive: true })
  const folder = mkdtempSync(join(root, '.data/examples-'))
  const compilerOptions = {
    customConditions: [],
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'declared',
  }
  const options = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] }
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify(options))
  await Bun.write(join(folder, 'globals.d.ts'), GLOBALS)
  for (const [name, program] of Object.entries(programs))
    await Bun.write(join(folder, `${name}.ts`), `${program}\nexport {}\n`)
  await installOffline(folder, await packSdk(folder), [])
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Returns the compiler's complaints, and the declarations of one program. */
export async function compileProject(folder: string, program: string) {
  const compiler = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  })
  const complaints = (await new Response(compiler.stdout).text()).trim()
  return { complaints, declarations: await Bun.file(join(folder, 'declared', `${program}.d.ts`)).text() }
}
