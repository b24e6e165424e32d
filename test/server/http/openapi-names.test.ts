import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/requests'

const server = testServer({ env: { OPS_TOKEN: 'o'.repeat(32) } })
const onlyB = testServer({ env: { API_VARIANT: 'b' } })

type Named = { operationId: string; summary: string; description: string; tags: string[] }
type Description = { paths: Record<string, Record<string, Named>> } & Record<string, any>
const load = async (path: string) => (await sendRequest(server, 'GET', path)).body as Description

const listOperations = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, name: `${method.toUpperCase()} ${path}` })),
  )

test('every operation has a readable id of its own, a summary, a description and a tag that is described', async () => {
  const description = await load('/openapi.json')
  const operations = listOperations(description)
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const described = new Set(description.tags.map(({ name }: { name: string }) => name))
  for (const { name, operationId, summary, description: text, tags } of operations) {
    expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z]+([A-Z][a-z]+)*$/)])
    expect([name, summary, text]).toEqual([name, expect.stringMatching(/./), expect.stringMatching(/\.$/)])
    expect([name, tags.filter(tag => !described.has(tag))]).toEqual([name, []])
  }
  expect(ids).toContain('createAgreement')
})

test('the components have the names of the contract, and stand wherever they are used', async () => {
  const { components, paths } = await load('/openapi.json')
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Property', 'Unit', 'Agreement', 'AgreementStatus', 'User', 'Error']),
  )
  const ofVariantA = (await load('/openapi/a.json')).components.schemas
  expect(Object.keys(ofVariantA)).toEqual(expect.arrayContaining(['Property', 'UserOfVariantA', 'Error']))
  const [created, listed] = [paths['/agreements']!.post as any, paths['/agreements']!.get as any]
  const getData = ({ responses }: any, status: number) =>
    responses[status].content['application/json'].schema.properties.data
  expect(getData(created, 201)).toEqual({ $ref: '#/components/schemas/Agreement' })
  expect(getData(listed, 200).items).toEqual({ $ref: '#/components/schemas/Agreement' })
  expect(created.requestBody.content['application/json'].schema.$ref).toBe(
    '#/components/schemas/NewAgreement',
  )
})

describe('a document for each variant', () => {
  test('/openapi/a.json has the plain form alone, and no paths of B', async () => {
    const { paths } = await load('/openapi/a.json')
    expect(Object.keys(paths).filter(path => /send-otp|login|logout/.test(path))).toEqual([])
    const { post } = paths['/auth/verify'] as any
    expect(post.requestBody.content['application/json'].schema.$ref).toEndWith('/VerifyOtpInputOfVariantA')
    expect(post.responses['401'].content['application/json'].schema.$ref).toEndWith('/ErrorOfVariantA')
    expect(post.requestBody.content['application/json'].example).toEqual({
      phoneNumber: '9876543210',
      otp: '123456',
    })
  })

  test('404: a server that is limited to a variant does not describe the other one', async () => {
    const statuses = ['a', 'b'].map(async variant => {
      const { status } = await sendRequest(onlyB, 'GET', `/openapi/${variant}.json`)
      return status
    })
    expect(await Promise.all(statuses)).toEqual([404, 200])
  })
})
