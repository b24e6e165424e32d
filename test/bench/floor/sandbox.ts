import { randomUUID } from 'node:crypto'
import { DAY_MS, getTimeIn, pool, PORT, selectAll, selectOne, type Row } from './http'
import { insertSandboxRecord, selectSandboxRecord } from './sql/signing'

/** Asks the sandbox's provider over HTTP, as Kiraya does too. */
export async function callProvider(path: string, body?: unknown): Promise<Row> {
  const init = body
    ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : {}
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, init)
  return (await response.json()) as Row
}

const addRecord = (id: string, kind: string, data: unknown) =>
  selectAll(pool, insertSandboxRecord, id, kind, JSON.stringify(data))

export async function sendMessage({ to, otp }: Row) {
  const id = `wamid.${randomUUID()}`
  const text = `${otp} is your Kiraya verification code.`
  await addRecord(id, 'message', { id, phone: to, otp, text })
  return { messages: [{ id }] }
}

export async function createSigningRequest(body: Row) {
  const id = randomUUID()
  const signers: Row[] = body.signers.map((signer: Row) => ({
    ...signer,
    id: randomUUID(),
    status: 'pending',
    errCode: null,
    signedAt: null,
  }))
  const created = { ...body, id, validUpto: getTimeIn(3 * DAY_MS), cancelled: false, signers }
  await addRecord(id, 'esign', created)
  const url = `https://kiraya.example.com/sandbox/sign/${id}`
  return { ...created, signers: signers.map(signer => ({ ...signer, url })) }
}

export async function getSigningRequest(id: string) {
  const { data } = await selectOne(pool, selectSandboxRecord, id, 'esign')
  return data
}
