import { expect, test } from 'bun:test'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'
import { createStubServer } from '../sdk/stub-server'

const unit = (id: number, unit_name: string, landlord_id = 7) => ({ id, unit_name, landlord_id })
const oak = { id: 1, pin_code: 560048, property_type: 'pg', alias_name: 'Oak' }

const createServer = (property_units: object[]) =>
  createStubServer((_, { path }) => {
    const metadata = { page: 1, limit: 100, total: 1, total_pages: 1 }
    if (path.startsWith('/properties?')) return Response.json({ success: true, data: [oak], metadata })
    const data = path === '/auth/me' ? { user: { id: 7 } } : { ...oak, property_units }
    return Response.json({ success: true, data })
  })

/** The cells of the alias names and of the units that an export prints. */
async function exportNames(property_units: object[]) {
  using server = createServer(property_units)
  const lines: string[] = []
  const terminal = {
    ...createTerminal(),
    env: { KIRAYA_URL: server.url, KIRAYA_TOKEN: 'a.b.c', HOME: '/nonexistent' },
    out: (text: string) => void lines.push(text),
  }
  expect(await runCli(['export', 'properties'], terminal)).toBe(0)
  const [heading, ...rows] = lines
    .join('\n')
    .split('\n')
    .map(line => line.split(','))
  const columns = ['alias_name', 'unit_name'].map(name => heading!.indexOf(name))
  return rows.map(row => columns.map(index => row[index]))
}

test('an export has the units in the order of their creation, and none of other landlords', async () => {
  const units = [unit(12, 'B'), unit(13, 'Of another', 8), unit(11, 'A')]
  expect(await exportNames(units)).toEqual([
    ['Oak', 'A'],
    ['Oak', 'B'],
  ])
})

test('an export has a property without units too', async () => {
  expect(await exportNames([])).toEqual([['Oak', '']])
})
