import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { codeByReason } from '@kiraya/sdk/contract'
import { toWords, type NamedReason } from '../../../server/messages'
import { errors } from '../../../server/messages/catalogue'
import { MAX_FILE_BYTES } from '../../../server/maintenance/files'
import { examples } from './examples'

// RECORD=sentences writes what the description shows of each reason.

const root = join(import.meta.dir, '../../..')
const FILE = join(root, 'server/http/openapi/error-samples.json')
const REFUSAL = /refuseFields\(\s*'(\w+)',\s*['`]([\w.${}]+)['`]/g

/** The field that the source refuses for a reason. */
const sources = await Promise.all(
  [...new Glob('server/**/*.ts').scanSync(root)].map(file => Bun.file(join(root, file)).text()),
)
const properties = new Map(
  sources
    .flatMap(source => [...source.matchAll(REFUSAL)])
    .map(([, reason, property]) => [reason!, property!.replace('${index}', '0')]),
)

/** Where the sentence of an operation is another one. */
const others = {
  'PATCH /properties/:id/units/:unitId': ['not_unit_landlord', { to: 'appoint' }],
  'POST /agreements/:id/decline': ['not_a_party', { to: 'decline' }],
  'POST /maintenance-requests/:id/attachments': ['body_too_large', { max_bytes: MAX_FILE_BYTES }],
} satisfies Record<string, [NamedReason, object]>

function toSample(reason: NamedReason, params = (examples as Record<string, object>)[reason]) {
  const [sentence] = toWords(reason, params as never)
  const isOfField = codeByReason[reason] === 'VALIDATION_ERROR'
  return {
    sentence,
    params,
    ...(isOfField && { property: properties.get(reason) }),
    ...(reason === 'onboarding_unfinished' && { details: params }),
  }
}

test('the examples of errors are the sentences of their reasons', async () => {
  const named = (Object.keys(errors) as NamedReason[]).filter(
    reason => codeByReason[reason] !== 'VALIDATION_ERROR' || properties.has(reason),
  )
  expect(named.length).toBeGreaterThan(Object.keys(errors).length - 12)
  const ofAll = named.map(each => [each, toSample(each)])
  const ofOne = Object.entries(others).map(([operation, [reason, params]]) => [
    `${operation} ${reason}`,
    toSample(reason as NamedReason, params),
  ])
  const samples = JSON.parse(JSON.stringify(Object.fromEntries([...ofAll, ...ofOne])))
  if (process.env.RECORD === 'sentences') {
    await Bun.write(FILE, JSON.stringify(samples, null, 2))
    await Bun.$`node_modules/.bin/oxfmt -c .ci/oxfmt.json ${FILE}`.cwd(root).quiet()
  }
  expect(samples).toEqual(await Bun.file(FILE).json())
})
