import { randomUUID } from 'node:crypto'
import { pool, PORT, selectAll, type Row } from './http'
import { sql } from './sql/fragments'

const insertMessage = sql`
  insert into sandbox_records (id, kind, data) values ($1, 'message', $2::text::jsonb)`

/** Asks the sandbox's provider over HTTP, as Kiraya does too. */
export async function callProvider(path: string, body: unknown): Promise<Row> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', body: JSON.stringify(body), headers }
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, init)
  return (await response.json()) as Row
}

export async function sendMessage({ to, otp }: Row) {
  const id = `wamid.${randomUUID()}`
  const text = `${otp} is your Kiraya verification code.`
  await selectAll(pool, insertMessage, id, JSON.stringify({ id, phone: to, otp, text }))
  return { messages: [{ id }] }
}
