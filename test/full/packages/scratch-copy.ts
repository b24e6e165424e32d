import { afterAll, beforeAll, expect } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freshDatabase } from '../../support/database'
import { getPort, serverSettings, startProgram } from '../../support/process'
import { createLandlord, type TestUser } from '../../support/users'
import { createProject, root } from './project'

const PARTS = ['server', 'sdk', 'cli', 'db', 'README.md', 'package.json', 'tsconfig.json', 'bunfig.toml']

/** A copy of the sources that is changed as a recipe says, and its server, for the tests of a file. */
export function testScratchCopy(change: (copy: Changes) => Promise<void>) {
  const { folder, run, [Symbol.dispose]: remove } = createProject({})
  const running: { url: string; landlord: TestUser } = {} as never
  const atEnd = [async () => remove()]

  beforeAll(async () => {
    copyRepository(folder)
    await change(createChanges(folder))
    await run(process.execPath, 'server/process/migrate.ts', '--baseline')
    const database = await freshDatabase({ migrated: false })
    atEnd.unshift(database.drop)
    const env = { ...serverSettings, DATABASE_URL: database.url, PORT: '0' }
    const server = startProgram(['server/index.ts'], env, folder)
    atEnd.unshift(async () => void (await server.end('SIGTERM')))
    await server.listening
    running.url = `http://127.0.0.1:${getPort(server)}`
    running.landlord = await createLandlord(running.url)
  })
  afterAll(async () => {
    for (const end of atEnd) await end()
  })

  /** Runs the CLI of the copy as the landlord, and returns what it prints. */
  async function kiraya(...args: string[]) {
    const { url, landlord } = running
    const env = { PATH: process.env.PATH, HOME: folder, KIRAYA_URL: url, KIRAYA_TOKEN: landlord.token }
    const command = [process.execPath, 'cli/index.ts', ...args]
    const program = Bun.spawn(command, { cwd: folder, env, stdout: 'pipe' })
    const output = await new Response(program.stdout).text()
    expect([output, await program.exited]).toEqual([output, 0])
    return output
  }
  return { folder, run, running, kiraya }
}

/** Copies the sources. Packages are linked, but for those of the workspace. */
function copyRepository(folder: string) {
  const isSource = (path: string) => !['node_modules', 'dist', '.data'].includes(basename(path))
  for (const part of PARTS)
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource })

  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@kiraya'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')).filter(each => each !== '@kiraya'))
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  for (const name of ['sdk', 'cli']) symlinkSync(join(folder, name), join(packages, '@kiraya', name))
}

export type Changes = ReturnType<typeof createChanges>

const createChanges = (folder: string) => ({
  write: (path: string, text: string) => Bun.write(join(folder, path), text),
  /** Adds lines after the one that begins with a text. */
  addAfter: async (path: string, start: string, lines: string) => {
    const file = Bun.file(join(folder, path))
    const before = await file.text()
    const line = new RegExp(`^${RegExp.escape(start)}.*$`, 'm')
    expect([path, before]).toEqual([path, expect.stringMatching(line)])
    await file.write(before.replace(line, found => `${found}\n${lines}`))
  },
  replace: async (path: string, before: string, after: string) => {
    const file = Bun.file(join(folder, path))
    const text = await file.text()
    expect([path, text]).toEqual([path, expect.stringContaining(before)])
    await file.write(text.replace(before, after))
  },
})
