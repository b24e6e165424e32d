import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const root = join(import.meta.dir, '../../..')

/** The same calls in each module system; it prints what came back. */
export const useClient = (importLine: string, url: string) => `
  ${importLine}
  const client = createClient({ baseUrl: '${url}' })
  client.properties.get(1).then(
    () => { throw new Error('It must not exist') },
    error => console.log(JSON.stringify({ name: error.name, isKirayaError: error instanceof KirayaError })),
  )
`
export const IMPORT = "import { createClient, KirayaError } from '@kiraya/sdk'"
export const REQUIRE = "const { createClient, KirayaError } = require('@kiraya/sdk')"
export const EXPECTED_OUTPUT = { name: 'UnauthorizedError', isKirayaError: true }

/** A folder outside the workspace, with files of its own; it disappears with the test. */
export function createProject(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-package-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('package.json', JSON.stringify({ name: 'project', private: true }))
  for (const [path, text] of Object.entries(files)) write(path, text)
  const run = (...command: string[]) => runProgram(command, folder)
  return { folder, run, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Returns the output of a program. Throws it if the program fails. */
export async function runProgram(command: string[], cwd: string) {
  const run = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  if ((await run.exited) !== 0) throw new Error(`${command.join(' ')} failed:\n${out}\n${err}`)
  return out
}

/** Packs the SDK as it is published, and returns the path of the tarball. */
export async function packSdk(folder: string) {
  const name = await runProgram(['npm', 'pack', '--silent', '--pack-destination', folder], join(root, 'sdk'))
  return join(folder, name.trim().split('\n').at(-1)!)
}

/** Installs a tarball without a registry: what it depends on is the workspace's. */
export async function installOffline(folder: string, tarball: string, dependencies: string[]) {
  const target = join(folder, 'node_modules/@kiraya/sdk')
  mkdirSync(target, { recursive: true })
  await runProgram(['tar', '-xzf', tarball, '--strip-components=1', '-C', target], folder)
  for (const name of dependencies) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    const own = join(root, 'sdk/node_modules', name)
    symlinkSync(existsSync(own) ? own : join(root, 'node_modules', name), link)
  }
}
