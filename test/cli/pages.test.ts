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
