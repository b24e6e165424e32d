import { expect, test } from 'bun:test'
import { createStubServer } from '../sdk/stub-server'
import { createShell } from './shell'

const createPage = (total_pages: number) => () =>
  Response.json({ success: true, data: [], metadata: { page: 1, limit: 50, total: 70, total_pages } })

test.each([
  [1, ''],
  [2, 'Page 1 of 2 (70 items); use --page for another\n'],
])('a list of %d pages is followed by %p', async (pages, note) => {
  using server = createStubServer(createPage(pages))
  using shell = createShell(server.url)
  expect((await shell.kiraya('property list')).err).toBe(note)
  expect((await shell.kiraya('property list --json')).err).toBe('')
})

test('7: a page that cannot be read ends a list of all pages, and is shown as it is', async () => {
  const body = { success: false, data: null, error: { code: 'FORBIDDEN', message: 'No' } }
  const refuse = () => Response.json(body, { status: 403 })
  using server = createStubServer(createPage(3), refuse)
  using shell = createShell(server.url)

  const { exitCode, data } = await shell.kiraya('api GET /properties --paginate')

  expect([exitCode, data]).toEqual([7, body])
  expect(server.requests.map(({ path }) => path)).toEqual(['/properties?page=1', '/properties?page=2'])
})

test.each(['--query', '--profile'])(
  '--json has no fields after the value of %s that a command is named',
  async flag => {
    using server = createStubServer(createPage(1))
    using shell = createShell(server.url)
    const { exitCode } = await shell.kiraya(`${flag} dashboard --json property list`)
    expect([exitCode, server.requests.map(({ path }) => path)]).toEqual([0, ['/properties']])
  },
)
