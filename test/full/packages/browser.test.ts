import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { closeBrowser, hasChromium, visit } from '../browser/chromium'
import { startTestServer } from '../../support/server'
import { createProject, IMPORT, packSdk } from './project'

afterAll(closeBrowser)

const PAGE = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><output></output><script type="module" src="/main.ts"></script>`

/** Signs in, as the first page of a front-end does. */
const program = (url: string) => `
  ${IMPORT}
  const client = createClient({ baseUrl: '${url}' })
  const output = document.querySelector('output')!
  try {
    await client.auth.sendOtp('9876543210')
    const { status } = await client.auth.verify('9876543210', '123456')
    const error = await client.properties.get(1).catch(error => error)
    output.textContent = [status, error.name, error instanceof KirayaError].join(' ')
  } catch (error) {
    output.textContent = String(error)
  }
`

describe.skipIf(!hasChromium)('a Vite application in Chromium', () => {
  test('installs the tarball, builds, and signs in at a server in development', async () => {
    const server = await startTestServer({ env: { NODE_ENV: 'development' } })
    using project = createProject({ 'index.html': PAGE, 'main.ts': program(server.url) })
    const tarball = await packSdk(project.folder)
    await project.run('npm', 'install', '--no-audit', '--no-fund', 'node@24', 'vite@8.3.8', tarball)
    await project.run('npx', 'vite', 'build')

    using pages = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => new Response(Bun.file(join(project.folder, 'dist', toFile(url)))),
    })
    let shown = ''
    const { problems } = await visit(pages.url.href, async page => {
      await page.goto('/')
      await page.locator('output:not(:empty)').waitFor()
      shown = await page.locator('output').innerText()
    })
    await server.end()

    expect(shown).toBe('NEEDS_PROFILE_COMPLETION NotFoundError true')
    expect(problems.filter(problem => !problem.includes('404'))).toEqual([])
  })
})

function toFile(url: string) {
  const { pathname } = new URL(url)
  return pathname === '/' ? 'index.html' : pathname
}
