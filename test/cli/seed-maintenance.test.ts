import { expect, test } from 'bun:test'
import { completeMaintenance } from '../../cli/seed/maintenance'
import type { Agreement, Kiraya } from '../../sdk'

type Start = { statuses?: string[]; vendor_name?: string | null; comments?: object[] }

/** What is asked of the server for the request of a lease that stands so; without statuses there is none. */
async function complete(agreement_number: string, { statuses, vendor_name = null, comments = [] }: Start) {
  const done: string[] = []
  const request = { id: 4, vendor_name }
  const record =
    (verb: string) =>
    async (_: unknown, { status }: { status?: string } = {}) => {
      done.push([verb, status].filter(Boolean).join(' '))
      return request
    }
  const entries = (statuses ?? ['open']).map(status => ({ status }))
  const maintenance = {
    list: async () => ({ data: statuses ? [request] : [] }),
    get: async () => ({ ...request, entries }),
    comments: async () => ({ data: comments }),
    create: record('create'),
    update: record('update'),
    status: record('status'),
    comment: record('comment'),
  }
  const lease = { id: 1, property_unit_id: 11, agreement_number } as Agreement
  await completeMaintenance({ seed: 's', client: { maintenance } as unknown as Kiraya }, lease)
  return done
}

const STARTED = ['open', 'acknowledged', 'in_progress']
test.each<[string, Start, string[]]>([
  ['LEASE/0001', {}, []],
  ['LEASE/0006', {}, ['create']],
  ['LEASE/0006', { statuses: ['open'] }, []],
  ['LEASE/0005', {}, ['create', 'update', 'status acknowledged', 'status in_progress', 'comment']],
  ['LEASE/0005', { statuses: ['open', 'acknowledged'], vendor_name: 'V' }, ['status in_progress', 'comment']],
  ['LEASE/0005', { statuses: STARTED, vendor_name: 'V', comments: [{}] }, []],
  ['LEASE/0002', { statuses: STARTED }, ['update', 'status resolved']],
  ['LEASE/0002', { statuses: [...STARTED, 'resolved'], vendor_name: 'V' }, []],
])('the request of %s that stands as %j needs %j', async (lease, start, expected) => {
  expect(await complete(lease, start)).toEqual(expected)
})
