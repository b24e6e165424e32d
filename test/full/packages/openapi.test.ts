import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testServer } from '../../support/server'
import { createProject } from './project'

const server = testServer()
/** The generator needs the compiler of TypeScript 5; the workspace has a later one. */
const PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3']

const USE = `
import type { components, operations } from './b'
import type { components as componentsOfA, operations as operationsOfA } from './a'

type Body<O extends keyof operations> = operations[O] extends {
  requestBody: { content: { 'application/json': infer B } }
} ? B : never
type Data = operations['createAgreement']['responses'][201]['content']['application/json']['data']

export const body: Body<'createAgreement'> = {
  property_unit_id: 1,
  tenant_ids: [2],
  document_url: 'http://localhost:3000/sandbox/files/sample-lease.pdf',
  agreement_start_date: '2026-12-01',
  tenure_in_months: 11,
  rent_amount: 25000,
  rent_due_day: 5,
  notice_period_days: 30,
}
// @ts-expect-error a draft needs a rent
export const incomplete: Body<'createAgreement'> = { ...body, rent_amount: undefined }
export const room: components['schemas']['Unit']['room_type'] = null
// @ts-expect-error no such type
export const noRoom: components['schemas']['Unit']['room_type'] = '9bhk'
export const isActive = (data: Data) => data.status === 'ACTIVE' && data.deposit_amount !== null
export const getName = (user: componentsOfA['schemas']['UserOfVariantA']) => user.firstName ?? user.phone
export type Verified = operationsOfA['verifyOtp']['responses'][200]['content']['application/json']
`

test('openapi-typescript makes types of the description that compile and say what is allowed', async () => {
  using project = createProject({ 'use.ts': USE })
  await project.run('npm', 'install', '--silent', ...PACKAGES)
  for (const [name, path] of [
    ['a', '/openapi/a.json'],
    ['b', '/openapi/b.json'],
  ]) {
    await Bun.write(join(project.folder, `${name}.json`), await fetch(server.url + path))
    // Otherwise a field with a default would be required in a body.
    const flags = ['--default-non-nullable=false', '-o', `${name}.ts`]
    await project.run('npx', 'openapi-typescript', `${name}.json`, ...flags)
  }
  const output = await project.run(
    'npx',
    'tsc',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    'use.ts',
  )
  expect(output).toBe('')
})
