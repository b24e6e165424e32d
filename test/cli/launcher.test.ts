import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../cli/package.json'

/** Runs the package's program on a Node that says it has a version; the rest of the package is one line. */
async function runLauncher(version: string) {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-launcher-'))
  cpSync(join(import.meta.dir, '../../cli/launcher.js'), join(folder, 'kiraya.mjs'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'main.js'), 'console.log("started")')
  const versions = JSON.stringify({ node: version })
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`
  const run = Bun.spawn(['node', '--import', pretend, join(folder, 'kiraya.mjs')], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  const exitCode = await run.exited
  rmSync(folder, { recursive: true })
  return { exitCode, out, err }
}

test.each(['14.21.3', '20.19.5', '22.11.0'])(
  'Node %s gets one sentence that says what to do',
  async version => {
    const { exitCode, out, err } = await runLauncher(version)
    expect([exitCode, out]).toEqual([1, ''])
    expect(err).toBe(`kiraya needs Node 22.12 or later, and this is Node ${version}: install a newer one\n`)
  },
)

test.each(['22.12.0', '24.1.0'])('Node %s starts the command', async version => {
  expect(await runLauncher(version)).toEqual({ exitCode: 0, out: 'started\n', err: '' })
})

test('the version is the one that the package names', () => {
  expect(manifest.engines.node).toBe('>=22.12')
})
