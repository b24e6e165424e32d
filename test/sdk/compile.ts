import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** What an example may use without declaring it. */
const SURROUNDINGS = `
import type { Kiraya, RecordId } from '@kiraya/sdk'
import type { OperationsClient } from '@kiraya/sdk/operations'
import type { SandboxClient } from '@kiraya/sdk/sandbox'
declare global {
  const kiraya: Kiraya
  const operations: OperationsClient
  const sandbox: SandboxClient
}
`
const LIBRARIES = {
  createClient: '@kiraya/sdk',
  getNextStep: '@kiraya/sdk',
  toPhone: '@kiraya/sdk',
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

/** Compiles programs together, each as a module of its own, and returns the compiler's complaints. */
export async function compilePrograms(programs: Record<string, string>, globals = SURROUNDINGS) {
  mkdirSync(join(root, '.data'), { recursive: true })
  // Within the workspace, so that its packages are found.
  const folder = mkdtempSync(join(root, '.data/examples-'))
  try {
    const options = { extends: '../../tsconfig.json', include: ['*.ts'] }
    await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify(options))
    await Bun.write(join(folder, 'globals.d.ts'), globals)
    for (const [name, program] of Object.entries(programs))
      await Bun.write(join(folder, `${name}.ts`), `${program}\nexport {}\n`)
    const compiler = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', folder, '--pretty', 'false'], {
      cwd: folder,
    })
    return (await new Response(compiler.stdout).text()).trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
