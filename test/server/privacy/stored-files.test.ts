import { expect, test } from 'bun:test'
import { createBareDraft, listFiles, pdf, toSha256 } from '../leases/documents/fixtures'
import { signs } from '../leases/signing/provider'
import { erasureServer } from './erasure-fixture'

const { server, esign, signIn, erase } = erasureServer()

test('an export names files; an erasure deletes those of unsigned drafts, and keeps those of signed leases', async () => {
  const [owner, tenant] = [await signIn(), await signIn()]
  const draft = await createBareDraft(owner, [tenant])
  const lease = await createBareDraft(owner, [tenant])
  const [unsigned, signed] = [pdf('unsigned'), pdf('signed')]
  await owner.post(`${draft.path}/document`, unsigned)
  await owner.post(`${lease.path}/document`, signed)
  for (const party of [owner, tenant]) await signs(esign, server.url, owner, lease.agreement, party)
  await owner.post(`${lease.path}/terminate`)

  const { tables } = (await owner.get('/auth/me/export')).data
  const exported = [unsigned, signed].map(bytes =>
    expect.objectContaining({
      size: bytes.length,
      sha256: toSha256(bytes),
      name: expect.stringMatching(/\.pdf$/),
    }),
  )
  expect(tables.stored_files).toEqual(expect.arrayContaining(exported))
  expect(JSON.stringify(tables)).not.toContain('"content":')

  expect((await erase(owner)).status).toBe(200)
  expect((await listFiles(server, owner)).map(({ sha256 }) => sha256)).toEqual([toSha256(signed)])
})
